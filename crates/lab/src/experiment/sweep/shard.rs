//! A share of the jobs, for one of several processes that run a sweep together.

use std::fmt;

/// The jobs whose number modulo `of` is `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Index of the share, from 0.
    pub index: u64,
    /// Number of shares.
    pub of: u64,
}

impl Shard {
    /// Parses `i/n`, or `auto` and `auto/n`, which read the environment of a cluster's job: Slurm's
    /// array tasks, Kubernetes' indexed Jobs.
    pub fn parse(text: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let (index, of) = match text.split_once('/') {
            Some((index, of)) => (index, Some(of)),
            None => (text, None),
        };
        let number = |text: &str| {
            text.trim().parse::<u64>().map_err(|_| {
                format!("--shard takes i/n, auto or auto/n, for example 0/4; `{text}` is no whole number")
            })
        };
        let of = of.map(number).transpose()?;
        let shard = match (index, of) {
            ("auto", of) => automatic(of, environment)?,
            (index, Some(of)) => Shard { index: number(index)?, of },
            (_, None) => return Err(format!("--shard takes i/n, auto or auto/n, got `{text}`")),
        };
        if shard.index >= shard.of {
            return Err(format!(
                "there is no shard {shard}: {} shards are numbered from 0 to {}",
                shard.of,
                shard.of.saturating_sub(1)
            ));
        }
        Ok(shard)
    }

    /// Whether a job belongs to this share.
    pub fn has(&self, job: usize) -> bool {
        job as u64 % self.of == self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

fn automatic(
    of: Option<u64>,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Shard, String> {
    let number = |name: &str| -> Result<Option<u64>, String> {
        let Some(text) = environment(name) else { return Ok(None) };
        let number = text.trim().parse();
        number.map(Some).map_err(|_| format!("{name} is `{text}`, not a whole number"))
    };
    if let Some(task) = number("SLURM_ARRAY_TASK_ID")? {
        let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
        // --array=0-30:10 numbers its tasks in steps
        let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        let of = of.or(number("SLURM_ARRAY_TASK_COUNT")?).ok_or(
            "SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_COUNT is not; write --shard auto/n",
        )?;
        return Ok(Shard { index: task.saturating_sub(first) / step, of });
    }
    if let Some(index) = number("JOB_COMPLETION_INDEX")? {
        let of = of.or(number("JOB_COMPLETIONS")?).ok_or(
            "JOB_COMPLETION_INDEX is set, but not how many there are: write --shard auto/n with the completions of the Job, or set JOB_COMPLETIONS to them",
        )?;
        return Ok(Shard { index, of });
    }
    Err("--shard auto finds neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX in the environment; outside of Slurm's array jobs and Kubernetes' indexed Jobs write --shard i/n".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, environment: &[(&str, &str)]) -> Result<String, String> {
        let find = |name: &str| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_string())
        };
        Shard::parse(text, &find).map(|shard| shard.to_string())
    }

    #[test]
    fn shards_are_said_or_found() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_MIN", "3"),
            ("SLURM_ARRAY_TASK_COUNT", "5"),
        ];
        let stepped = [
            ("SLURM_ARRAY_TASK_ID", "30"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_STEP", "10"),
            ("SLURM_ARRAY_TASK_COUNT", "3"),
        ];
        let pod = [("JOB_COMPLETION_INDEX", "2"), ("JOB_COMPLETIONS", "9")];
        for (text, environment, wanted) in [
            ("1/3", &[][..], "1/3"),
            ("auto", &slurm, "4/5"),
            ("auto", &stepped, "2/3"),
            ("auto", &pod, "2/9"),
            ("auto/4", &pod[..1], "2/4"),
        ] {
            assert_eq!(parsed(text, environment).as_deref(), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn shards_that_are_none_say_why() {
        let pod = [("JOB_COMPLETION_INDEX", "2")];
        for (text, environment, why) in [
            ("3/3", &[][..], "from 0 to 2"),
            ("0/0", &[], "no shard"),
            ("x/3", &[], "whole number"),
            ("3", &[], "takes i/n"),
            ("auto", &[], "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX"),
            ("auto", &pod, "auto/n"),
            ("auto", &[("SLURM_ARRAY_TASK_ID", "1")], "SLURM_ARRAY_TASK_COUNT"),
        ] {
            let message = parsed(text, environment).expect_err(text);
            assert!(message.contains(why), "{text}: {message}");
        }
    }

    #[test]
    fn shards_share_all_jobs() {
        for job in 0..20 {
            let owners = (0..3).filter(|index| Shard { index: *index, of: 3 }.has(job));
            assert_eq!(owners.count(), 1);
        }
    }
}
