//! The machine a run is on: the memory it may take, and the cores there are.

/// Share of the machine's memory that a scene may ask for.
const MEMORY_SHARE: f64 = 0.8;

/// Memory a scene may take \[bytes\]: 80 % of what the machine, or the control group it runs in,
/// has; 8 GiB where neither tells.
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

/// Cores the program may use; one where the system does not tell.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
