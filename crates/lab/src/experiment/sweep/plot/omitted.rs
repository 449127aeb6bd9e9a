//! Points of a sweep that a figure does not show, with the reasons.

/// Number of points that are not shown, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Omitted {
    /// All points.
    pub points: usize,
    /// The run failed.
    pub failed: usize,
    /// The job has no result yet.
    pub missing: usize,
    /// The run has no such value.
    pub without: usize,
    /// The run is not trusted, and reference lines leave it out.
    pub apart: usize,
}

impl Omitted {
    /// The note: `2 of 12 points failed, 1 has no value`; empty if all are shown. Points that a
    /// logarithmic axis cannot hold are counted by the figure itself.
    pub fn sentence(&self) -> String {
        let verb = |count: usize, one: &str, many: &str| {
            (count > 0).then(|| (count, if count == 1 { one } else { many }.to_string()))
        };
        let reasons = [
            verb(self.failed, "failed", "failed"),
            verb(self.missing, "has no result yet", "have no result yet"),
            verb(self.without, "has no value", "have no value"),
        ];
        let part = |(k, (count, words)): (usize, (usize, String))| match k {
            0 => format!("{count} of {} points {words}", self.points),
            _ => format!("{count} {words}"),
        };
        let shown =
            reasons.into_iter().flatten().enumerate().map(part).collect::<Vec<_>>().join(", ");
        let apart = (self.apart > 0).then(|| {
            let (points, verb) = if self.apart == 1 { ("point", "is") } else { ("points", "are") };
            format!(
                "{} {points} that {verb} not trusted {verb} left out of reference lines",
                self.apart
            )
        });
        [Some(shown).filter(|words| !words.is_empty()), apart]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; ")
    }
}
