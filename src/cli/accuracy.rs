//! `--accuracy`: the step that gives an asked accuracy, found by runs at smaller and smaller steps.

use super::failures::{build_failure, failure, output_failure};
use super::machine::StopSignal;
use super::request::Request;
use super::results;
use super::scene::SceneOptions;
use super::terminal::{Exit, Failure, StepBar, note, progress};
use cpu_time::ProcessTime;
use std::time::Duration;
use stiction_lab::experiment::accuracy::asked::{AskedAccuracy, limit, wanted};
use stiction_lab::experiment::accuracy::draft;
use stiction_lab::experiment::accuracy::ladder::methods;
use stiction_lab::experiment::accuracy::search::{AccuracySearch, Standing};
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::purse::Purse;
use stiction_lab::run::Run;
use stiction_lab::run::verify::goals::Goals;
use stiction_lab::session::{Ended, Session, answer};
use stiction_scene::Scene;
use stiction_scene::build::build;

/// The accuracy asked of a run, and the time to find it in.
#[derive(clap::Args, Clone)]
pub struct AccuracyOptions {
    /// Find the step that gives this accuracy, the tolerances of adaptive methods, and the method where the
    /// scene names none: 1e-3 for every
    /// measure to a share of its scale, or "distance=1e-3, slip=0.1 mm" for those named, as a size where a
    /// unit is given. Begins with a large step, or with --step; exits with 6 where the accuracy cannot
    /// be had, and with 9 where it takes more than --max-time
    #[arg(long, value_name = "A", allow_hyphen_values = true, conflicts_with = "verify")]
    pub accuracy: Option<String>,
    /// Most CPU time in which an accuracy is sought, for each scene and setting, as 90s, 10m or 2h; 1m unless
    /// the scene has another
    #[arg(long, value_name = "TIME", value_parser = results::duration)]
    pub max_time: Option<Duration>,
}

/// The accuracy of an option or, where `of_scene`, that of the scene, and the time to find it in, which an option may
/// give.
pub fn wanted_of(
    (accuracy, max_time): (&Option<String>, Option<Duration>),
    scene: &Scene,
    of_scene: bool,
) -> Result<Option<(String, Duration)>, Failure> {
    let of_option = accuracy.clone().map(|text| (text, limit(scene)));
    let of_scene = || wanted(scene).filter(|_| of_scene);
    match (of_option.or_else(of_scene), max_time) {
        (Some((text, limit)), max_time) => Ok(Some((text, max_time.unwrap_or(limit)))),
        (None, None) => Ok(None),
        (None, Some(_)) => {
            let message = "--max-time is the limit of a search for an accuracy, and none is made here: leave it out, or give --accuracy alone";
            Err(Failure::new(Exit::Usage, message))
        }
    }
}

impl AccuracyOptions {
    /// The accuracy of the options or, where `of_scene`, that of the scene ([`wanted_of`]).
    pub fn wanted(
        &self,
        scene: &Scene,
        of_scene: bool,
    ) -> Result<Option<(String, Duration)>, Failure> {
        wanted_of((&self.accuracy, self.max_time), scene, of_scene)
    }

    /// The accuracy asked of the runs of a base, for the measures of the one with further settings.
    pub fn asked(&self, base: &Base, set: &[String]) -> Result<Option<AskedAccuracy>, Failure> {
        if self.accuracy.is_none() && self.max_time.is_none() {
            return Ok(None);
        }
        let scene = base.load(set).map_err(failure)?.scene;
        let Some((text, limit)) = self.wanted(&scene, false)? else { return Ok(None) };
        let built = base.build(&scene).map_err(failure)?;
        let run = Run::of(&scene, built).map_err(|error| build_failure(&scene, error))?;
        AskedAccuracy::parse(&text, limit, &run).map(Some).map_err(refused)
    }
}

fn refused(why: String) -> Failure {
    Failure::new(Exit::Usage, format!("--accuracy: {why}"))
}

/// The end of a search.
pub struct Found {
    /// The last run that came to its end; the first one if none did.
    pub session: Session,
    /// Its end.
    pub ended: Ended,
    /// The settings of its scene beside those that were given, as `key=value`.
    pub settings: Vec<String>,
    /// One sentence: what was asked for and what was reached.
    pub about: String,
    /// The exit code of a search without an answer.
    pub exit: Exit,
}

/// Opens a session of a request, and its folder; for the first run it must not replace another's results.
pub type Open<'a> = &'a dyn Fn(&Request, bool) -> Result<Session, Failure>;

/// Finds the run of a request with the accuracy asked for; `start` is the session of the scene as it is. A step that is
/// given is that of the first run.
pub fn search(
    (text, limit): (&str, Duration),
    (request, start): (&Request, Session),
    signal: &StopSignal,
    open: Open,
) -> Result<Found, Failure> {
    let goals = Goals::parse(text, &start.run).map_err(refused)?;
    let given = request.has_step();
    let options = request.limits();
    let scene = start.run.scene();
    let methods =
        methods((scene, &start.run), given, goals.least_share(), &|scene| build(scene, &options));
    drop(start);
    let mut finding = AccuracySearch::new(goals, methods, limit.as_secs_f64());
    let mut has_folder = false;
    let (session, mut ended) = answer(
        &mut finding,
        |settings, number| {
            let session = open(&request.with(settings), number == 0)?;
            has_folder = session.has_folder();
            Ok(session)
        },
        |finding, session| {
            let ended = run(finding, session, signal)?;
            note(&finding.line());
            match ended.written {
                Err(error) => Err(output_failure(error)),
                Ok(()) => Ok(ended),
            }
        },
    )?;
    let mut about = finding.about();
    if !finding.is_last() && has_folder {
        // which has a later run, that did not come to its end
        match signal.heard() {
            None => {
                let mut again = open(&request.with(&finding.settings()), false)?;
                ended.written = again.write_again(&ended, &|| signal.heard().is_some());
            }
            Some(_) => about += "; the folder has the run that was stopped, not this one",
        }
    }
    if finding.end() == Standing::Limit {
        about += "; --max-time sets the limit";
    }
    let exit = match finding.end() {
        Standing::Delivered => Exit::Ok,
        Standing::Limit => Exit::Limit,
        Standing::Interrupted => signal.heard().unwrap_or(Exit::Limit),
        Standing::Unattainable | Standing::Open => Exit::Simulation,
    };
    Ok(Found { session, ended, settings: finding.settings(), about, exit })
}

/// The settings, as `key=value`, of the run with the accuracy asked for, found before it is shown; what was reached is
/// said.
pub fn settings(
    asked: (&str, Duration),
    scene: &SceneOptions,
    signal: &StopSignal,
) -> Result<Vec<String>, Failure> {
    let request = Request::new(scene);
    let open = |request: &Request, _| {
        let mut session = request.open_again()?;
        session.search();
        Ok(session)
    };
    let Found { settings, about, .. } =
        search(asked, (&request, request.open_again()?), signal, &open)?;
    match signal.heard() {
        Some(exit) => Err(Failure::new(exit, format!("stopped; {about}"))),
        None => {
            note(&about);
            Ok(settings)
        }
    }
}

/// The request of a draft, whose method and step are those that the forecasts allow.
pub fn draft(request: &Request, scene: &Scene) -> Result<Request, Failure> {
    let start = request.open_first(scene)?;
    let options = request.limits();
    let build = |scene: &Scene| build(scene, &options);
    let settings = draft::settings((scene, &start.run), request.has_step(), &build);
    let mut request = request.with(&settings);
    request.settings.draft = true;
    Ok(request)
}

/// Makes one run, and compares it with those before it.
fn run(
    finding: &mut AccuracySearch,
    session: &mut Session,
    signal: &StopSignal,
) -> Result<Ended, Failure> {
    let (started, left) = (ProcessTime::now(), finding.left());
    let mut bar = StepBar(progress(session.run.steps(), &format!("run {}", finding.runs() + 1)));
    let cost = || started.elapsed().as_secs_f64();
    let purse = Purse::of(left, Box::new(cost));
    let stop = || purse.is_empty(&|| signal.heard().is_some());
    let ended = session.finish_in(finding, &cost, &mut bar, &stop);
    bar.0.finish_and_clear();
    ended.map_err(|error| Failure::new(Exit::Output, error.to_string()))
}
