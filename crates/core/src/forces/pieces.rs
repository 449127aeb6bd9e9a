//! Results of work in pieces that threads take one after another, in the order of the pieces.

use super::crew::Crew;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Results of pieces of work. Which thread did a piece depends on chance; the results and their order
/// do not. Nothing is allocated for them once the storage has grown.
#[derive(Debug)]
pub(crate) struct Pieces<T> {
    threads: Vec<Results<T>>,
    /// Where the results of each piece are, in the order of pieces; pieces without results are left out.
    places: Vec<Span>,
}

/// Results of one thread.
#[derive(Debug)]
struct Results<T> {
    list: Vec<T>,
    /// A piece and the end of its results.
    ends: Vec<(usize, usize)>,
}

/// Results `from..to` of a thread, which are those of a piece.
#[derive(Debug)]
struct Span {
    piece: usize,
    thread: usize,
    from: usize,
    to: usize,
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Pieces { threads: Vec::new(), places: Vec::new() }
    }
}

impl<T: Send> Pieces<T> {
    /// Calls `work` once for each of the pieces `0..count`, in any order; it adds results to its list.
    /// A thread that is done with a piece takes the next, so that costs may differ from piece to piece.
    pub fn fill(
        &mut self,
        crew: &Crew,
        count: usize,
        work: impl Fn(usize, &mut Vec<T>) + Send + Sync,
    ) {
        let own = || Results { list: Vec::new(), ends: Vec::new() };
        self.threads.resize_with(crew.ranges().len(), own);
        let next = AtomicUsize::new(0);
        crew.for_each(&mut self.threads, |own| {
            own.list.clear();
            own.ends.clear();
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= count {
                    return;
                }
                let from = own.list.len();
                work(piece, &mut own.list);
                if own.list.len() > from {
                    own.ends.push((piece, own.list.len()));
                }
            }
        });
        self.sort();
    }

    fn sort(&mut self) {
        self.places.clear();
        for (thread, own) in self.threads.iter().enumerate() {
            let mut from = 0;
            for &(piece, to) in &own.ends {
                self.places.push(Span { piece, thread, from, to });
                from = to;
            }
        }
        self.places.sort_unstable_by_key(|place| place.piece);
    }

    /// The results of each piece, in the order of pieces.
    pub fn lists(&self) -> impl Iterator<Item = &[T]> {
        self.places.iter().map(|place| &self.threads[place.thread].list[place.from..place.to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results are those of one thread, in the same order, also in storage used before.
    #[test]
    fn results_are_in_the_order_of_pieces() {
        for crew in [Crew::alone(40), Crew::even(40, 2), Crew::even(40, 4)] {
            let mut pieces = Pieces::default();
            for count in [0, 1, 5, 300, 7] {
                // piece n has n mod 3 results
                let results = |n: usize| (0..n % 3).map(move |k| 10 * n + k);
                pieces.fill(&crew, count, |n, into| into.extend(results(n)));
                let all: Vec<usize> = pieces.lists().flatten().copied().collect();
                assert_eq!(all, (0..count).flat_map(results).collect::<Vec<_>>());
            }
        }
    }
}
