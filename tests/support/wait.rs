//! Waiting for events instead of for time.

use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than anything that is waited for takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Time between looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Looks until there is something, and gives it; fails with the words for what never came.
pub fn until_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited {PATIENCE:?} in vain: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Looks until a condition holds; fails as [`until_some`].
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    until_some(what, || holds().then_some(()));
}

/// Waits until a file is longer than so many bytes.
pub fn until_longer(path: &Path, bytes: u64) {
    let what = format!("{} has more than {bytes} bytes", path.display());
    until(&what, || std::fs::metadata(path).is_ok_and(|file| file.len() > bytes));
}
