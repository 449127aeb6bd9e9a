//! The page.
use crate::judge::Survey;

pub fn text(surveys: &[Survey<'_>]) -> String {
    let mut t = String::new();
    for s in surveys {
        let missed = s.count(|r| r.wrong() && !r.told());
        let cried = s.count(|r| r.right() && r.told());
        t += &format!("{} runs {} wrong {} failed {} missed {} right {} cried {} cpu {:.1}\n", s.study.name, s.runs.len(), s.count(|r| r.wrong()), s.count(|r| r.failed), missed, s.count(|r| r.right()), cried, s.runs.iter().map(|r| r.cpu_seconds).sum::<f64>());
        for r in &s.runs { t += &format!("  {} {:e} {} {} drift {:.3e} speed {:.3e} law {:.3e} off {:.2e} {:.2e} cpu {:.3} {:?} {} {}\n", r.law, r.epsilon, r.method, r.step, r.drift, r.speed, r.creep_of_law, r.off_drift, r.off_speed, r.cpu_seconds, r.reasons, if r.failed {"FAILED"} else {""},
          if r.wrong() && !r.told() {"MISSED"} else if r.right() && r.told() {"CRIED"} else {""}); }
    }
    t
}
