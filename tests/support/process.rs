//! A process that runs beside the test, as Linux shows it in /proc.

use super::wait::until;
use std::process::{Child, ExitStatus};

/// Ticks of the CPU time in /proc per second; they are the same on every Linux.
const TICKS: f64 = 100.0;

/// Words of /proc/PID/stat from the state on: before it stands the name, which may have spaces.
fn stat(process: u32) -> Vec<String> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, words) = text.rsplit_once(") ").unwrap();
    words.split(' ').map(String::from).collect()
}

/// CPU time of a process so far, also of one that has ended and was not waited for \[s\].
pub fn cpu_seconds(process: u32) -> f64 {
    let words = stat(process);
    let ticks = |place: usize| words[place].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / TICKS
}

/// Waits for the end of a process; its status, and its CPU time in all \[s\].
pub fn ended(mut child: Child) -> (ExitStatus, f64) {
    until("the process ends", || stat(child.id())[0] == "Z");
    let cpu = cpu_seconds(child.id());
    (child.wait().unwrap(), cpu)
}

/// Thread by thread how often it has waited and was interrupted; `None` where one is running.
fn rests(process: u32) -> Option<Vec<String>> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut counts = Vec::new();
    for thread in threads {
        let text = std::fs::read_to_string(thread.ok()?.path().join("status")).ok()?;
        let of = |key: &str| text.lines().find(|line| line.starts_with(key));
        if !of("State:")?.contains("(sleeping)") {
            return None;
        }
        counts.extend([of("Pid:")?.into(), of("voluntary")?.into(), of("nonvoluntary")?.into()]);
    }
    counts.sort();
    Some(counts)
}

/// Whether all threads of a process wait, and none has run between two looks, so that none wakes
/// another.
pub fn waits(process: u32) -> bool {
    let before = rests(process);
    before.is_some() && rests(process) == before
}
