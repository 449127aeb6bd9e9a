//! Whatever bytes come, the reader says so and goes on.

use super::shown::rich;
use super::*;

#[test]
fn hostile_texts_neither_hang_nor_overflow_a_small_stack() {
    let texts = [
        format!("x = {}", "[".repeat(20_000)),
        format!("x = {}", "{ a = ".repeat(20_000)),
        format!("{} = 1", vec!["a"; 20_000].join(".")),
        format!("[{}]\n", vec!["a"; 20_000].join(".")),
        format!("title = \"{}\"\nfrmat = 1", "x".repeat(10_000_000)),
        format!("{} = 1", "k".repeat(10_000_000)),
        "a = 1\n".repeat(100_000),
        "= \n".repeat(100_000),
    ];
    for text in texts {
        let start: String = text.chars().take(20).collect();
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let run = move || {
            let started = cpu_time::ThreadTime::now();
            let printed = read(&text).unwrap_err().render(true).len();
            (printed, started.elapsed().as_secs_f64())
        };
        let (printed, cpu) = thread.spawn(run).expect("a thread").join().expect("no panic");
        assert!(printed < 40_000, "{start}: {printed} bytes printed");
        assert!(cpu < 30.0, "{start}: {cpu} s of CPU time");
    }
}

fn load_any(bytes: &[u8]) {
    if let Err(errors) = load_bytes("s", bytes, Path::new("."), &LoadOptions::default()) {
        assert!(errors.count() > 0 && !errors.render(true).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        load_any(&bytes);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[\\[\\]{}=.,\"'#a-c0-9e \n\\-é]{0,200}") {
        load_any(text.as_bytes());
    }

    #[test]
    fn mutated_scenes_never_panic(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..30, "[\\[\\]{}=.,\"a-z0-9 \n\\-é\u{202e}]{0,6}"), 1..6)
    ) {
        let mut text: Vec<char> = rich().chars().collect();
        for (index, cut, put) in edits {
            let at = index.index(text.len().max(1)).min(text.len());
            let end = (at + cut).min(text.len());
            text.splice(at..end, put.chars());
        }
        load_any(text.into_iter().collect::<String>().as_bytes());
    }

    #[test]
    fn moved_lines_never_panic(from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let text = rich();
        let mut lines: Vec<&str> = text.lines().collect();
        let line = lines.remove(from.index(lines.len()));
        lines.insert(to.index(lines.len()), line);
        load_any(lines.join("\n").as_bytes());
    }

    #[test]
    fn arbitrary_sets_never_panic(change in "[a-z.=\"'\\[\\]{}0-9 é]{0,40}") {
        let _ = set(&rich(), &[&change]).map_err(|errors| errors.render(false));
    }
}
