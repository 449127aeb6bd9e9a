//! The machine: memory limit and number of cores.

/// Largest share of the machine's memory for a scene.
const MEMORY_SHARE: f64 = 0.8;

/// Memory limit of a scene \[bytes\]: 80 % of the memory of the machine or of its control group; 8
/// GiB if neither is known.
pub fn memory_limit() -> u64 {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let total = read("/proc/meminfo")
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok())
        .map(|kib: u64| kib << 10);
    let group = read("/sys/fs/cgroup/memory.max").trim().parse::<u64>().ok();
    let limit = match (total, group) {
        (Some(a), Some(b)) => a.min(b),
        (Some(a), None) | (None, Some(a)) => a,
        (None, None) => return 8 << 30,
    };
    (limit as f64 * MEMORY_SHARE) as u64
}

/// Number of cores available to the program; one if unknown.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
