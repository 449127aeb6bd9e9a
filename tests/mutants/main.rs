//! Damaged input: scenes, formulas and mesh files with every cut, every flipped bit, and slips of
//! words and lines. Each mutant must either be read or end in an error with its place: no panic,
//! within 5 s of processor time, within 1 GiB.
//!
//! Without arguments each target is given [`SLICE`] mutants and some random ones, which is what the
//! tests do. A campaign:
//!
//! ```text
//! cargo test --release --test mutants -- campaign [--target NAME] [--random N] [--seed S] [--share I/N] [--write]
//! ```
//!
//! `--write` puts the table into docs/maintainers/mutants.md.
//!
//! A new target is one row of [`targets::TARGETS`].

mod checkpoints;
mod mutate;
mod targets;

use cpu_time::ThreadTime;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Longest time of a mutant \[s of one processor\].
const LONGEST: Duration = Duration::from_secs(5);
/// Most memory of a mutant \[bytes\].
const LARGEST: u64 = 1 << 30;
/// After so long a mutant is given up, and with it the campaign: it would never end.
const HUNG: Duration = Duration::from_secs(300);
/// Mutants with one slip that a target is given where nothing else is asked for, from all its seeds alike.
const SLICE: u64 = 10_000;

/// The page with the last table, and what it stands between.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/maintainers/mutants.md");
const MARKS: [&str; 2] = ["<!-- damaged: begin -->\n", "<!-- damaged: end -->"];

const HEAD: &str = "| target | seeds | mutants | accepted | panics and other faults | slowest | most memory | time |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// The mutant that is being read, and since when.
static CURRENT: Mutex<Option<(&'static str, Instant, Vec<u8>)>> = Mutex::new(None);

/// Ends a campaign whose mutant does not end, and keeps the mutant.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let Ok(current) = CURRENT.lock() else { return };
        if let Some((target, since, mutant)) = &*current
            && since.elapsed() > HUNG
        {
            let path = keep(target, mutant, "hung");
            println!("{target}: a mutant has not ended after {} s{path}", HUNG.as_secs());
            std::process::exit(1);
        }
    }
}

/// The last panic with its place.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn set_current(current: Option<(&'static str, Instant, Vec<u8>)>) {
    if let Ok(mut slot) = CURRENT.lock() {
        *slot = current;
    }
}

/// The wishes of the command line.
struct Campaign {
    full: bool,
    target: Option<String>,
    random: u64,
    seed: u64,
    /// This one of so many parts.
    share: (u64, u64),
    /// Whether the table is written into the page.
    write: bool,
}

/// Outcome of a target's mutants.
#[derive(Default)]
struct Tally {
    mutants: u64,
    accepted: u64,
    faults: Vec<String>,
    slowest: Duration,
    /// Name of the slowest mutant.
    slow: String,
    largest: u64,
}

fn main() -> ExitCode {
    let campaign = match campaign() {
        Ok(campaign) => campaign,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    // each panic is counted and shown with its mutant
    std::panic::set_hook(Box::new(|panic| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) =
            panic.to_string().replace('\n', " ");
    }));
    std::thread::spawn(watch);
    print!("{HEAD}");
    let (mut table, mut all, mut faults, start) = (HEAD.to_string(), 0, 0, Instant::now());
    for target in TARGETS {
        if campaign.target.as_deref().is_some_and(|name| name != target.name) {
            continue;
        }
        let began = Instant::now();
        let seeds = (target.seeds)();
        let tally = tried(target, &seeds, &campaign);
        let row = tally.row(target.name, seeds.len(), began.elapsed());
        print!("{row}");
        table += &row;
        if campaign.full {
            println!("  slowest: {}", tally.slow);
        }
        for fault in tally.faults.iter().take(20) {
            println!("  {fault}");
        }
        all += tally.mutants;
        faults += tally.faults.len();
    }
    let seconds = start.elapsed().as_secs_f64();
    let sum = format!("{all} mutants, {faults} faults, {seconds:.0} s");
    println!("{sum}: {:.0} s for a million", 1e6 * seconds / all as f64);
    if campaign.write {
        let of =
            format!("{}, seed {}, {} random ones each", today(), campaign.seed, campaign.random);
        write(&format!("{of}: {sum}.\n\n{table}"));
    }
    ExitCode::from(u8::from(faults > 0))
}

impl Tally {
    /// Its line in the table.
    fn row(&self, name: &str, seeds: usize, took: Duration) -> String {
        format!(
            "| {name} | {seeds} | {} | {} | {} | {:.3} s | {:.1} MB | {:.0} s |\n",
            self.mutants,
            self.accepted,
            self.faults.len(),
            self.slowest.as_secs_f64(),
            self.largest as f64 / 1e6,
            took.as_secs_f64()
        )
    }
}

fn today() -> String {
    let date = Command::new("date").args(["-u", "+%-d %B %Y"]).output().expect("date");
    String::from_utf8_lossy(&date.stdout).trim().to_string()
}

/// Puts a text between the marks of the page.
fn write(text: &str) {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let (before, rest) = page.split_once(MARKS[0]).expect("the first mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("the second mark");
    let page = [before, MARKS[0], text, MARKS[1], after].concat();
    std::fs::write(PAGE, page).expect("the page is written");
}

fn campaign() -> Result<Campaign, String> {
    let mut campaign =
        Campaign { full: false, target: None, random: 0, seed: 1, share: (0, 1), write: false };
    let mut words = std::env::args().skip(1);
    // arguments that a test runner gives to all its binaries are not for this one
    if words.next().as_deref() != Some("campaign") {
        return Ok(campaign);
    }
    campaign.full = true;
    while let Some(word) = words.next() {
        if word == "--write" {
            campaign.write = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} takes a value"))?;
        let number = |text: &str| text.parse().map_err(|_| format!("{word}: no number {text}"));
        match word.as_str() {
            "--target" => campaign.target = Some(value),
            "--random" => campaign.random = number(&value)?,
            "--seed" => campaign.seed = number(&value)?,
            "--share" => {
                let parts = value.split_once('/').ok_or("--share takes I/N")?;
                campaign.share = (number(parts.0)?, number(parts.1)?);
            }
            _ => return Err(format!("there is no {word}")),
        }
    }
    if campaign.write && (campaign.target.is_some() || campaign.share.1 > 1) {
        return Err("--write takes a campaign of all targets".into());
    }
    let known = campaign.target.iter().all(|name| TARGETS.iter().any(|t| t.name == name));
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    if known { Ok(campaign) } else { Err(format!("targets: {}", names.join(", "))) }
}

/// All mutants of a target that are asked for.
fn tried(target: &'static Target, seeds: &[Vec<u8>], campaign: &Campaign) -> Tally {
    let mut tally = Tally::default();
    let (share, of) = campaign.share;
    for (number, seed) in seeds.iter().enumerate() {
        try_one(target, seed, &|| format!("seed {number} itself"), &mut tally);
        let systematic = mutate::systematic(seed);
        // a slice takes mutants from everywhere in the seed
        let each = SLICE.div_ceil(seeds.len() as u64);
        let stride = if campaign.full { 1 } else { systematic.div_ceil(each).max(1) | 1 };
        let mut k = share % of.max(1);
        while k < systematic {
            let mutant = mutate::mutant(seed, k);
            try_one(target, &mutant, &|| format!("seed {number}, mutant {k}"), &mut tally);
            k += stride * of.max(1);
        }
    }
    let random = if campaign.full { campaign.random } else { 300 };
    for k in (share..random).step_by(of.max(1) as usize) {
        let mutant = mutate::random(seeds, campaign.seed, k);
        let words = || format!("random {k} of seed {}", campaign.seed);
        try_one(target, &mutant, &words, &mut tally);
    }
    tally
}

/// One mutant, with what is wrong with its end.
fn try_one(target: &'static Target, mutant: &[u8], words: &dyn Fn() -> String, tally: &mut Tally) {
    set_current(Some((target.name, Instant::now(), mutant.to_vec())));
    let began = ThreadTime::now();
    let mut ended = None;
    let allocated = allocation_counter::measure(|| {
        ended = Some(catch_unwind(AssertUnwindSafe(|| (target.read)(mutant))));
    });
    let took = began.elapsed();
    set_current(None);
    tally.mutants += 1;
    if took > tally.slowest {
        (tally.slowest, tally.slow) = (took, words());
    }
    tally.largest = tally.largest.max(allocated.bytes_max);
    let fault = match ended {
        Some(Ok(Ok(()))) => {
            tally.accepted += 1;
            None
        }
        Some(Ok(Err(error))) => error.fault(),
        Some(Err(_)) => Some(PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        None => Some("it did not end".to_string()),
    };
    let fault = fault
        .or_else(|| (took > LONGEST).then(|| format!("it took {:.1} s", took.as_secs_f64())))
        .or_else(|| {
            let bytes = allocated.bytes_max;
            (bytes > LARGEST).then(|| format!("it took {bytes} bytes"))
        });
    if let Some(fault) = fault {
        let number = tally.faults.len();
        let place = match number {
            0..20 => keep(target.name, mutant, &number.to_string()),
            _ => String::new(),
        };
        tally.faults.push(format!("{}: {fault}{place}", words()));
    }
}

/// Writes a mutant that ended badly, so that it can be made smaller and added to the corpus.
fn keep(target: &str, mutant: &[u8], name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    let path = folder.join(format!("{target}_{name}"));
    if std::fs::create_dir_all(&folder).is_err() {
        return String::new();
    }
    match std::fs::write(&path, mutant) {
        Ok(()) => format!(" ({})", path.display()),
        Err(_) => String::new(),
    }
}
