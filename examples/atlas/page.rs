//! The page: lessons, figures, and the tables behind them.

use super::figures::LOOKED_AT;
use super::judge::{RIGHT, Run, Survey, WRONG};
use super::plan::{Study, holds};
use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::larger;

/// Budgets of creep \[m/s\].
const BUDGETS: [f64; 6] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9];

/// The whole page.
pub fn text(surveys: &[Survey<'_>]) -> String {
    let seconds: f64 = runs(surveys).map(|run| run.cpu_seconds).sum();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut page = String::from(
        "# The atlas: friction law × integrator × step × stiffness\n\n\
         What a law, a method and a step cost together, and where they go wrong without a sign. \
         `cargo run --release --example atlas -- --out DIR` makes this page and its figures; what is in DIR already is not run again.\n\n",
    );
    page += &format!(
        "{} runs, {seconds:.0} s of CPU time on a machine with {cores} cores, {}.\n\n## Results\n\n",
        runs(surveys).count(),
        today()
    );
    let lessons = [
        holding(surveys),
        methods(surveys),
        silence(surveys),
        spurious(surveys),
        implicit(surveys),
    ];
    for (number, lesson) in lessons.iter().enumerate() {
        page += &format!("{}. {lesson}\n", number + 1);
    }
    page += &how(surveys);
    page += &verdicts(surveys);
    page += &figures(surveys);
    page += &budgets(surveys);
    page += &onsets(surveys);
    page + &shapes(&surveys[0])
}

fn runs<'s>(surveys: &'s [Survey<'_>]) -> impl Iterator<Item = &'s Run> {
    surveys.iter().flat_map(|survey| &survey.runs)
}

/// The cheapest sound run within a budget of creep.
fn within<'s>(survey: &'s Survey<'_>, budget: f64, of: &dyn Fn(&Run) -> bool) -> Option<&'s Run> {
    let fit = |run: &&Run| run.sound() && run.drift.abs() <= budget && of(run);
    survey.runs.iter().filter(fit).min_by(|a, b| a.cost.total_cmp(&b.cost))
}

fn holding(surveys: &[Survey<'_>]) -> String {
    let survey = &surveys[0];
    let price = |budget: f64, kind: bool| {
        let run = within(survey, budget, &|run| holds(run.law) == kind)?;
        let Run { law, method, step, cost, .. } = run;
        // one short timing cannot order laws whose costs are closer together than this
        let near = |other: &&&str| {
            let best = within(survey, budget, &|run| run.law == **other && holds(run.law) == kind);
            **other != *law && best.is_some_and(|best| best.cost <= 1.25 * cost)
        };
        let level = survey.study.laws.iter().filter(near).count();
        Some(format!(
            "{law} under {method} at h = {step} s ({cost:.1e} CPU seconds per second, {level} other such laws within a quarter of it)"
        ))
    };
    let told = |budget: f64| {
        let creeping = price(budget, false)?;
        Some(format!("within {budget:e} m/s it is {creeping}"))
    };
    let creeping: Vec<String> = [1e-2, 1e-4].into_iter().filter_map(told).collect();
    let held = price(BUDGETS[BUDGETS.len() - 1], true).unwrap_or("none of the grid".into());
    format!(
        "**What holds cheapest.** Of the laws that creep, on the incline {}; within 1e-9 m/s, and so within any budget, a law with stretch costs {held}.",
        creeping.join("; ")
    )
}

fn methods(surveys: &[Survey<'_>]) -> String {
    let particles = &surveys[..surveys.len().min(2)];
    let all = runs(particles).count();
    let right: Vec<&Run> = runs(particles).filter(|run| run.right()).collect();
    let wrong: Vec<f64> = runs(particles).filter(|run| run.silent()).map(Run::off).collect();
    format!(
        "**What a method adds** is nothing or a lot: of {all} runs of one particle {} have the law's creep within {} %, half of them within {:.0e} of it, {} lie between {} and {} %, and half of the {} that are worse and come to their end are off by more than {:.0} times the creep.",
        right.len(),
        100.0 * RIGHT,
        median(right.iter().map(|run| run.off())),
        runs(particles).filter(|run| !run.right() && !run.wrong()).count(),
        100.0 * RIGHT,
        100.0 * WRONG,
        wrong.len(),
        median(wrong.iter().copied()),
    )
}

fn silence(surveys: &[Survey<'_>]) -> String {
    let first = |method: &&str| match onset(&surveys[0], method) {
        (Some(right), Some(wrong)) => Some(format!("{method} {right:.2} and {wrong:.2}")),
        _ => None,
    };
    let count = |of: &dyn Fn(&Run) -> bool| runs(surveys).filter(|run| of(run)).count();
    let names = ["explicit-euler", "symplectic-euler", "heun", "rk3", "rk4"];
    let names: Vec<String> = names.iter().filter_map(first).collect();
    format!(
        "**Silence** begins at the friction limit: on the incline under the threshold law the last h λ of the grid that is right and the first that is wrong are {}. Of {} wrong runs of all scenes {} fail and {} end with finite numbers; the verdict misses {} of them, and does not trust {} of the {} that are right (reasons below).",
        names.join(", "),
        count(&Run::wrong),
        count(&|run| run.failed),
        count(&Run::silent),
        count(&|run| run.wrong() && !run.told()),
        count(&|run| run.right() && run.told()),
        count(&Run::right),
    )
}

/// The largest h λ below which a method is right under the threshold law, and the first at which
/// it is not.
fn onset(survey: &Survey<'_>, method: &str) -> (Option<f64>, Option<f64>) {
    let of = |run: &&Run| run.law == "threshold" && run.method == method;
    let mut all: Vec<(f64, bool)> = survey
        .runs
        .iter()
        .filter(of)
        .map(|run| (run.h * survey.study.rate(run.epsilon), run.wrong()))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wrong = all.iter().position(|(_, wrong)| *wrong);
    let right = all[..wrong.unwrap_or(all.len())].last().map(|run| run.0);
    (right, wrong.map(|k| all[k].0))
}

fn spurious(surveys: &[Survey<'_>]) -> String {
    let survey = &surveys[0];
    let of = |run: &&Run| run.law == "threshold" && run.method == "rk4" && run.silent();
    let mut found: Vec<&Run> = survey.runs.iter().filter(of).collect();
    let hlambda = |run: &Run| run.h * survey.study.rate(run.epsilon);
    found.sort_by(|a, b| hlambda(a).total_cmp(&hlambda(b)));
    // runs with different ε can have the same h λ
    found.dedup_by(|a, b| (hlambda(a) / hlambda(b) - 1.0).abs() < 1e-3);
    let list = found.iter().take(3).map(|run| {
        let share = |speed: f64| speed.abs() / run.creep_of_law;
        format!(
            "at h λ = {:.1} it says {:.2} and moves at {:.2}",
            hlambda(run),
            share(run.speed),
            share(run.drift)
        )
    });
    let list: Vec<String> = list.collect();
    let soft = surveys.iter().filter(|survey| !survey.study.closed);
    let soft = soft.filter_map(|survey| {
        let silent = survey.runs.iter().filter(|run| run.silent() && !holds(run.law));
        let worst = silent.max_by(|a, b| a.off().total_cmp(&b.off()))?;
        Some(format!(
            "; on the {} {} under {} at h = {} s ends, finite, at {:.2e} m/s where the law creeps at {:.1e}",
            survey.study.name, worst.law, worst.method, worst.step, worst.drift, worst.creep_of_law
        ))
    });
    format!(
        "**A spurious steady state** is finite and smooth: above its limit rk4 under the threshold law settles on a multiple of the law's creep: {}{}.",
        list.join(", "),
        soft.collect::<String>()
    )
}

fn implicit(surveys: &[Survey<'_>]) -> String {
    let survey = &surveys[0];
    let of = |run: &Run, method: &str| run.law == "threshold" && run.method == method;
    let per_step = |method: &str| {
        let same = |run: &&Run| of(run, method) && run.step == "1e-4" && !run.failed;
        median(survey.runs.iter().filter(same).map(|run| run.cost * run.h)) * 1e6
    };
    let cheapest = |epsilon: f64, implicit: bool| {
        let of =
            |run: &Run| (run.method == "implicit-euler") == implicit && explicit_or(run, implicit);
        survey.best("threshold", epsilon, &of).map_or(f64::NAN, |run| run.cost)
    };
    let ratio = |epsilon: f64| cheapest(epsilon, false) / cheapest(epsilon, true);
    let (soft, stiff) = (largest(survey.study), smallest(survey.study));
    format!(
        "**Implicit steps** cost, on one particle, {:.1} µs under implicit-euler where symplectic-euler takes {:.1} µs and rk4 {:.1} µs, and their size is free: the cheapest sound explicit run costs {:.1} times the cheapest of implicit-euler at ε = {soft:e} m/s and {:.0} times at {stiff:e} m/s.",
        per_step("implicit-euler"),
        per_step("symplectic-euler"),
        per_step("rk4"),
        ratio(soft),
        ratio(stiff)
    )
}

/// Whether the run's method is explicit with a fixed step, or `implicit` is set.
fn explicit_or(run: &Run, implicit: bool) -> bool {
    let able = INTEGRATORS.find(&run.method).and_then(|row| row.from_defaults().ok());
    let able = able.expect("a method of the table").capabilities();
    implicit || !able.adaptive && able.decay_limit.is_some()
}

fn largest(study: &Study) -> f64 {
    study.epsilons.iter().copied().fold(0.0, larger)
}

fn smallest(study: &Study) -> f64 {
    study.epsilons.iter().copied().fold(f64::INFINITY, f64::min)
}

fn how(surveys: &[Survey<'_>]) -> String {
    let mut text = format!(
        "\n## Reading the figures\n\n\
         Laws are compared at equal stiffness at rest: each has the damping μN/ε [N·s/m] that the threshold law has at ε, 1e-4 to 1e-1 m/s, so cubic has an ε three times as large, quadratic twice; quintic, flat at rest, has its steepest slope equal. \
         cundall-strack, dahl and lugre have that damping and the stiffness that is critical with it. formula is μ/(1 + s). `none` and `kinetic` hold nothing and are left out. \
         The friction rate is λ = μN/(mε). μ_s = μ_k throughout.\n\n\
         Every run is measured by its drift over the last quarter, from displacement of the centre of mass, and by the velocity it reports at its end; it is off by the larger error of the two, as a share of the law's creep in closed form (of a law that holds, of the creep of a damper as stiff; on soft bodies, against rk4 at the smallest step under the same law, which is therefore right by itself). \
         Right is within {} %, wrong is above {} %. Sound is right and trusted. Cost is CPU time of the run's thread for one simulated second timed once on a shared machine; the shortest runs take less than a tenth of a millisecond in all, so that the cheapest of many is partly luck and differences below a quarter say nothing.\n\n",
        100.0 * RIGHT,
        100.0 * WRONG
    );
    for survey in surveys {
        text += &format!("- **{}**: {}\n", survey.study.name, survey.study.about);
    }
    text
}

fn verdicts(surveys: &[Survey<'_>]) -> String {
    let mut text = String::from(
        "\n## Verdicts\n\n| scene | runs | wrong | of them failed | not told | right | of them not trusted | neither |\n|---|---|---|---|---|---|---|---|\n",
    );
    for survey in surveys {
        let count = |of: &dyn Fn(&Run) -> bool| survey.count(of);
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |\n",
            survey.study.name,
            survey.runs.len(),
            count(&Run::wrong),
            count(&|run| run.failed),
            count(&|run| run.wrong() && !run.told()),
            count(&Run::right),
            count(&|run| run.right() && run.told()),
            count(&|run| !run.right() && !run.wrong()),
        );
    }
    let doubtful = |survey: &Survey<'_>, run: &Run| {
        (run.method.as_str(), run.step.as_str()) == survey.study.reference && run.told()
    };
    text += &listed("Wrong and not told", surveys, &|_, run| run.wrong() && !run.told());
    text += &listed("References that are themselves not trusted", surveys, &doubtful);
    text += "\nWhy runs with the right creep were not trusted (a run may have several reasons; some are about energy or impacts, not about creep):\n\n";
    let mut reasons: BTreeMap<(&str, &str), (usize, BTreeSet<&str>)> = BTreeMap::new();
    for survey in surveys {
        for run in survey.runs.iter().filter(|run| run.right() && run.told()) {
            for reason in &run.reasons {
                let entry = reasons.entry((survey.study.name, reason)).or_default();
                entry.0 += 1;
                entry.1.insert(&run.method);
            }
        }
    }
    text += "| scene | reason | runs | methods |\n|---|---|---|---|\n";
    for ((scene, reason), (count, methods)) in reasons {
        let methods: Vec<&str> = methods.into_iter().collect();
        text += &format!("| {scene} | {reason} | {count} | {} |\n", methods.join(" "));
    }
    text
}

/// Runs listed one by one, at most as many as a page bears.
fn listed(title: &str, surveys: &[Survey<'_>], of: &dyn Fn(&Survey<'_>, &Run) -> bool) -> String {
    const MOST: usize = 20;
    let mut lines = Vec::new();
    for survey in surveys {
        for run in survey.runs.iter().filter(|run| of(survey, run)) {
            lines.push(format!(
                "| {} | {} | {:e} | {} | {} | {:.2e} | {:.2e} |\n",
                survey.study.name,
                run.law,
                run.epsilon,
                run.method,
                run.step,
                run.off_drift,
                run.off_speed
            ));
        }
    }
    if lines.is_empty() {
        return format!("\n{title}: none.\n");
    }
    let head = "| scene | law | ε [m/s] | method | step [s] | drift off by | speed off by |\n|---|---|---|---|---|---|---|\n";
    let shown = lines.len().min(MOST);
    format!("\n{title}, {shown} of {}:\n\n{head}{}", lines.len(), lines[..shown].concat())
}

fn figures(surveys: &[Survey<'_>]) -> String {
    let mut text = String::from("\n## Figures\n");
    let captions = [
        (
            "fronts",
            "Creep against cost, one point per stiffness at rest; a law is better the further left and down it is, and a creeping law's line is flat where implicit steps have taken over. Laws with stretch creep less by decades: cundall-strack at one of its stiffnesses for less than the stiffest creeping laws cost on the blocks and the box, on the cloth for up to three times as much; what they still move is the end of a sway.",
        ),
        (
            "prices",
            "Cost against stiffness, method by method. Explicit and adaptive methods pay in proportion to stiffness, implicit-euler does not notice it.",
        ),
        (
            "methods",
            "Error of the creep over the step in units of 1/λ. Dark and plain is right and trusted, light and hatched is wrong and told, light and plain would be a lie; explicit methods turn from one to the other within a factor of three in the step, adaptive and implicit ones do not.",
        ),
        (
            "laws",
            "The same for rk4 under every law. Equally stiff at rest they go wrong at about the same step, whatever their shape; dark and hatched is a step above the limit that did no harm here.",
        ),
        (
            "spurious",
            "What explicit methods move at and what they report, over h λ. Past their limit both are finite, both are wrong, and they differ from each other: neither smoothness nor the reported velocity shows it.",
        ),
        (
            "soft",
            "Error over the step for the pushed box and the hanging cloth, against rk4 at the smallest step. The limit is that of the particle that bears most; on the cloth an explicit step above it lets go of the clamp.",
        ),
    ];
    for (name, caption) in captions {
        if name == "soft" && surveys.len() < 3 {
            continue;
        }
        let title = caption.split(['.', ',']).next().unwrap_or_default();
        text += &format!("\n![{title}](figures/atlas_{name}.svg)\n\n*{caption}*\n");
    }
    text
}

fn budgets(surveys: &[Survey<'_>]) -> String {
    let mut text = String::from(
        "\n## The cheapest sound run within a budget of creep\n\n| scene | creep at most [m/s] | kind | law | ε [m/s] | method | step [s] | creep [m/s] | CPU s per s | evaluations per s |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for survey in surveys {
        for (budget, kind) in BUDGETS.iter().flat_map(|b| [(*b, false), (*b, true)]) {
            let Some(run) = within(survey, budget, &|run| holds(run.law) == kind) else { continue };
            text += &format!(
                "| {} | {budget:e} | {} | {} | {:e} | {} | {} | {:.2e} | {:.2e} | {:.0} |\n",
                survey.study.name,
                if kind { "holds" } else { "creeps" },
                run.law,
                run.epsilon,
                run.method,
                run.step,
                run.drift.abs(),
                run.cost,
                run.evaluations
            );
        }
    }
    text
}

fn onsets(surveys: &[Survey<'_>]) -> String {
    let survey = &surveys[0];
    let mut text = String::from(
        "\n## Where silence begins\n\nOne particle on the incline, threshold law, all ε and steps; all twelve laws in the last three columns.\n\n| method | right up to h λ | wrong from h λ | wrong runs, all laws | of them failed | off by, median |\n|---|---|---|---|---|---|\n",
    );
    for method in survey.study.parts.iter().flat_map(|part| &part.methods) {
        let (right, wrong) = onset(survey, method);
        let shown = |x: Option<f64>| x.map_or("–".into(), |x| format!("{x:.3}"));
        let of: Vec<&Run> =
            survey.runs.iter().filter(|run| run.method == *method && run.wrong()).collect();
        let off = median(of.iter().filter(|run| run.silent()).map(|run| run.off()));
        text += &format!(
            "| {method} | {} | {} | {} | {} | {} |\n",
            shown(right),
            shown(wrong),
            of.len(),
            of.iter().filter(|run| run.failed).count(),
            if off.is_finite() { format!("{off:.2}") } else { "–".into() }
        );
    }
    text
}

fn shapes(survey: &Survey<'_>) -> String {
    let mut text = format!(
        "\n## Creep at equal stiffness at rest\n\nOn the incline, ρ = {:.2}, at ε = {LOOKED_AT:e} m/s of the threshold law.\n\n| law | in the scene | its creep [m/s] | cheapest sound run | CPU s per s |\n|---|---|---|---|---|\n",
        survey.study.load_ratio
    );
    for law in &survey.study.laws {
        let Some(run) = survey.best(law, LOOKED_AT, &|_| true) else { continue };
        text += &format!(
            "| {law} | `{}` | {:.3e} | {} at {} s | {:.2e} |\n",
            survey.study.law(law, LOOKED_AT),
            run.creep_of_law,
            run.method,
            run.step,
            run.cost
        );
    }
    text
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Today's date.
fn today() -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let (mut day, mut year) = (now.map_or(0, |since| since.as_secs() / 86_400), 1970);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}
