//! Room for results: on the disk, and in memory where frames are kept; and files that are replaced.

use super::terminal::{Exit, Failure, say};
use std::path::Path;
use stiction_lab::output::plots::figure;
use stiction_lab::output::space::{self, Space};
use stiction_lab::session::Session;

/// "1.3 MB".
pub fn size_of(bytes: u128) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} bytes");
    }
    let power = (bytes.ilog10() / 3).min(UNITS.len() as u32);
    let number = (0..power).fold(bytes as f64, |number, _| number / 1000.0);
    format!("{number:.1} {}", UNITS[power as usize - 1])
}

/// "about 1.3 MB", or "about 1.3 to 8.2 MB" where contacts count.
pub fn describe(space: &Space) -> String {
    let Space { least, most, .. } = *space;
    if least == most {
        return format!("about {}", size_of(least));
    }
    format!("about {} to {}", size_of(least), size_of(most))
}

/// Refuses results that do not fit on the disk of a folder, and warns of results that may not fit; those of
/// a run that is `resumed` there are what it still takes.
pub fn check_disk(space: &Space, folder: &Path, resumed: bool) -> Result<(), Failure> {
    let Some(free) = space::free(folder) else { return Ok(()) };
    let (more, remedy) = match resumed {
        true => (" more", "end the run earlier (time.end)"),
        false => ("", "keep fewer frames by a longer time.output, or choose another folder"),
    };
    let here = format!("{} are free on the disk of `{}`", size_of(free), folder.display());
    if space.least > free {
        let message = format!(
            "the results of {}{more} frames take {} (an estimate), and {here}; {remedy}",
            space.frames,
            describe(space)
        );
        return Err(Failure::new(Exit::Limit, message));
    }
    if space.most > free {
        say(&format!(
            "warning: the results may take {} if all particles of surfaces touch something, and {here}",
            size_of(space.most)
        ));
    }
    Ok(())
}

/// Refuses a run that needs more than `limit` bytes of memory with the frames that it keeps, for a plot
/// or error bars, and with what it writes.
pub fn check_memory(session: &Session, written: u128, limit: u64) -> Result<(), Failure> {
    let needed = session.memory() + written;
    if needed <= u128::from(limit) {
        return Ok(());
    }
    let frames = match session.run.memory_of_frames() {
        0 => String::new(),
        _ => format!(
            "; {} frames stay in memory, for a plot or error bars: a longer time.output keeps fewer",
            session.run.scene().time.frames()
        ),
    };
    let message = format!(
        "the run needs about {} of memory, and {} are allowed (--max-memory){frames}",
        in_powers(needed),
        in_powers(u128::from(limit))
    );
    Err(Failure::new(Exit::Limit, message))
}

/// "1.3 MiB".
fn in_powers(bytes: u128) -> String {
    let gib = bytes as f64 / f64::from(1u32 << 30);
    if gib >= 1.0 { format!("{gib:.1} GiB") } else { format!("{:.1} MiB", 1024.0 * gib) }
}

/// Whether a plot replaces an earlier one. Another file there is refused, unless `force`.
pub fn replaces_plot(path: &Path, force: bool) -> Result<bool, Failure> {
    if !path.exists() || force || figure::is_own(path) {
        return Ok(path.exists());
    }
    let message = format!(
        "`{}` is there already, and this program has not drawn it: choose another name, or --force",
        path.display()
    );
    Err(Failure::new(Exit::Refused, message))
}

/// Says where a plot is.
pub fn say_plot(path: &Path, replaced: bool) {
    let earlier = if replaced { "; an earlier file was replaced" } else { "" };
    say(&format!("the plot is in {}{earlier}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::size_of;

    #[test]
    fn sizes_have_the_unit_that_fits() {
        let sizes = [(999, "999 bytes"), (1_000, "1.0 kB"), (1_300_000, "1.3 MB")];
        for (bytes, text) in sizes {
            assert_eq!(size_of(bytes), text);
        }
        assert_eq!(size_of(2_270_000_000_000), "2.3 TB");
        assert_eq!(size_of(5_000_000_000_000_000_000), "5000.0 PB");
    }
}
