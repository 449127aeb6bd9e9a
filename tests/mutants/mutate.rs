//! Mutants of a text or of bytes, each by its number.

/// Words that readers of numbers, names and brackets stumble over.
const WORDS: [&[u8]; 24] = [
    b"",
    b"0",
    b"-1",
    b"1e308",
    b"-1e400",
    b"1e-320",
    b"nan",
    b"inf",
    b"99999999999999999999",
    b"9223372036854775807",
    b"4294967296",
    b"0.1.2",
    b"1,5",
    b"[",
    b"]",
    b"{ }",
    b"\"",
    b"=",
    b"#",
    b"true",
    b"a.b.c",
    b"\xff",
    b"\0",
    b"\xe2\x80\xae",
];

/// Slips of a whole line.
const LINE_SLIPS: u64 = 4;

/// Beginnings and ends of words: what stands between blanks, brackets, commas and equals signs.
fn words(seed: &[u8]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut at = 0;
    let apart = |b: &u8| b.is_ascii_whitespace() || b"[]{},=".contains(b);
    while at < seed.len() {
        let length = seed[at..].iter().position(apart).unwrap_or(seed.len() - at);
        if length > 0 {
            words.push((at, at + length));
        }
        at += length + 1;
    }
    // binary content is one long word after the other
    words.retain(|(start, end)| end - start < 200);
    words
}

fn lines(seed: &[u8]) -> Vec<&[u8]> {
    seed.split_inclusive(|b| *b == b'\n').collect()
}

/// Number of mutants with one slip: every cut, every bit flipped, every byte left out or doubled,
/// every word exchanged, every line left out, doubled, moved down, or cut off before.
pub fn systematic(seed: &[u8]) -> u64 {
    let bytes = seed.len() as u64;
    bytes * 11
        + words(seed).len() as u64 * WORDS.len() as u64
        + lines(seed).len() as u64 * LINE_SLIPS
}

/// The mutant of this number, below [`systematic`].
pub fn mutant(seed: &[u8], number: u64) -> Vec<u8> {
    let bytes = seed.len() as u64;
    let mut mutant = seed.to_vec();
    if number < bytes {
        mutant.truncate(number as usize);
        return mutant;
    }
    let number = number - bytes;
    if number < 8 * bytes {
        mutant[(number / 8) as usize] ^= 1 << (number % 8);
        return mutant;
    }
    let number = number - 8 * bytes;
    if number < 2 * bytes {
        let at = (number / 2) as usize;
        match number % 2 {
            0 => drop(mutant.remove(at)),
            _ => mutant.insert(at, mutant[at]),
        }
        return mutant;
    }
    let number = number - 2 * bytes;
    let words = words(seed);
    if number < words.len() as u64 * WORDS.len() as u64 {
        let (start, end) = words[(number / WORDS.len() as u64) as usize];
        let by = WORDS[(number % WORDS.len() as u64) as usize];
        mutant.splice(start..end, by.iter().copied());
        return mutant;
    }
    let number = number - words.len() as u64 * WORDS.len() as u64;
    let mut lines = lines(seed);
    let at = ((number / LINE_SLIPS) as usize).min(lines.len().saturating_sub(1));
    match number % LINE_SLIPS {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        2 => {
            let next = (at + 1).min(lines.len() - 1);
            lines.swap(at, next);
        }
        _ => drop(lines.drain(..at)),
    }
    lines.concat()
}

/// A mutant with one to six slips, perhaps with a piece of another seed, drawn from a seed of
/// numbers.
pub fn random(seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut draw = Draw(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut mutant = seeds[draw.below(seeds.len() as u64) as usize].clone();
    for _ in 0..=draw.below(6) {
        match draw.below(5) {
            0 => {
                let other = &seeds[draw.below(seeds.len() as u64) as usize];
                let (from, to) = draw.range(other.len());
                let (start, end) = draw.range(mutant.len());
                mutant.splice(start..end, other[from..to].iter().copied());
            }
            1 => {
                let (start, end) = draw.range(mutant.len());
                mutant.drain(start..end);
            }
            2 if !mutant.is_empty() => {
                let at = draw.below(mutant.len() as u64) as usize;
                mutant[at] = draw.below(256) as u8;
            }
            _ => {
                let all = systematic(&mutant);
                if all > 0 {
                    // not the cuts, which leave little for other slips
                    let cuts = mutant.len() as u64;
                    mutant = self::mutant(&mutant, cuts + draw.below(all - cuts));
                }
            }
        }
        // a mutant that doubles and doubles says nothing new
        mutant.truncate(1 << 16);
    }
    mutant
}

/// Random numbers (splitmix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 of nothing.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// A short range within `length`.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let start = self.below(length as u64 + 1) as usize;
        let end = start + self.below(40) as usize;
        (start, end.min(length))
    }
}
