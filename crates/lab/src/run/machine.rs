//! The machine: memory limit and number of threads.

/// Largest share of the memory that is there for a scene.
const MEMORY_SHARE: f64 = 0.8;

/// Address space that the C library reserves for the allocations of a thread, and the thread's stack
/// \[bytes\].
const ARENA: u64 = 64 << 20;
const STACK: u64 = 4 << 20;

/// Memory limit of a scene that is run by so many threads \[bytes\]: 80 % of the memory of the machine, of
/// its control group, or of what the limits of the process leave (`ulimit -v`, `ulimit -d`); of 10 GiB
/// if none is known.
pub fn memory_limit(threads: usize) -> u64 {
    let total = kibibytes(&read("/proc/meminfo"), "MemTotal:");
    let group = read("/sys/fs/cgroup/memory.max").trim().parse::<u64>().ok();
    let limits = Left::now();
    let space = limits.space.map(|space| beside_arenas(space, threads));
    let limits = [total, group, space, limits.data];
    let least = limits.into_iter().flatten().min().unwrap_or(10 << 30);
    (least as f64 * MEMORY_SHARE) as u64
}

/// Number of threads for a scene unless the user names one: one for each core, or fewer where they would
/// reserve more than an eighth of the address space that is left. No result depends on it.
pub fn threads() -> usize {
    let fit = Left::now().space.map_or(u64::MAX, |space| space / 8 / (ARENA + STACK));
    cores().min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1)
}

/// How many of `most` runs may go side by side, at least one, where each takes `each` of the memory that they are
/// allowed together \[bytes\].
pub fn that_fit(most: usize, each: u128, allowed: u64) -> usize {
    let fit = u128::from(allowed).checked_div(each).unwrap_or(u128::MAX);
    usize::try_from(fit).unwrap_or(usize::MAX).min(most).max(1)
}

/// Rest of an address space beside the arenas of threads: one that waits for signals, and those
/// that compute, if there are several. An arena that does not fit is not made.
fn beside_arenas(space: u64, threads: usize) -> u64 {
    if space < ARENA {
        return space.saturating_sub(STACK);
    }
    let computing = if threads > 1 { threads as u64 } else { 0 };
    space.saturating_sub((1 + computing) * (ARENA + STACK))
}

/// Rest of the address space and of the data that the limits of the process allow \[bytes\]; none without
/// limits.
#[derive(Debug, PartialEq)]
struct Left {
    space: Option<u64>,
    data: Option<u64>,
}

impl Left {
    fn now() -> Left {
        Left::of(&read("/proc/self/limits"), &read("/proc/self/status"))
    }

    fn of(limits: &str, status: &str) -> Left {
        let left = |limit: &str, used: &str| {
            let rest = limits.lines().find_map(|line| line.strip_prefix(limit))?;
            // the first number is the limit in force; "unlimited" is none
            let most: u64 = rest.split_whitespace().next()?.parse().ok()?;
            Some(most.saturating_sub(kibibytes(status, used)?))
        };
        Left { space: left("Max address space", "VmSize:"), data: left("Max data size", "VmData:") }
    }
}

/// A file of the system; empty where it cannot be read.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The number of a line as `VmSize:  1234 kB` \[bytes\].
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(name))?;
    number.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Number of cores available to the program; one if unknown.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::{ARENA, Left, STACK, beside_arenas, that_fit};

    const LIMITS: &str = "Limit                     Soft Limit           Hard Limit           Units\n\
        Max data size             SPACE            unlimited            bytes\n\
        Max address space         204800000            unlimited            bytes\n";
    const STATUS: &str = "Name:\tstiction\nVmSize:\t  100000 kB\nVmData:\t   40000 kB\n";

    #[test]
    fn limits_of_the_process_leave_what_is_not_in_use() {
        let under = |data: &str| Left::of(&LIMITS.replace("SPACE", data), STATUS);
        let space = Some(204_800_000 - 102_400_000);
        assert_eq!(under("unlimited"), Left { space, data: None });
        assert_eq!(under("61440000"), Left { space, data: Some(61_440_000 - 40_960_000) });
        // more is in use than the limit allows, if it was set later
        assert_eq!(under("1024"), Left { space, data: Some(0) });
        assert_eq!(Left::of("", STATUS), Left { space: None, data: None });
    }

    #[test]
    fn runs_go_side_by_side_as_far_as_memory_suffices() {
        let fit = |each| that_fit(4, each, 1000);
        assert_eq!([0, 250, 251, 500, 501, 2000].map(fit), [4, 4, 3, 2, 1, 1]);
    }

    #[test]
    fn threads_take_address_space_where_it_is_there() {
        let each = ARENA + STACK;
        assert_eq!(beside_arenas(1 << 30, 1), (1 << 30) - each);
        assert_eq!(beside_arenas(1 << 30, 2), (1 << 30) - 3 * each);
        assert_eq!(beside_arenas(ARENA - 1, 8), ARENA - 1 - STACK);
        assert_eq!(beside_arenas(ARENA, 8), 0);
    }
}
