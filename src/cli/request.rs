//! Request for a run: a scene with its options, and the settings that determine the bits of its
//! results.

use super::failures::{build_failure, output_failure};
use super::recorded::recording;
use super::scene::{NO_SCENE, SceneOptions};
use super::terminal::{Exit, Failure, say};
use std::path::Path;
use std::sync::Arc;
use stiction_lab::experiment::base::is_step;
use stiction_lab::experiment::recording::Replay;
use stiction_lab::output::folder::directory::RunDirectory;
use stiction_lab::output::folder::files::Disk;
use stiction_lab::output::folder::manifest::{Settings, is_end};
use stiction_lab::output::shell;
use stiction_lab::session::Session;
use stiction_scene::Scene;
use stiction_scene::build::{BuildOptions, build};

/// A run that is asked for.
pub struct Request {
    scene: SceneOptions,
    /// Its settings; a resumed run keeps those it was begun with, except its end.
    pub settings: Settings,
}

impl Request {
    /// A new run.
    pub fn new(scene: &SceneOptions) -> Self {
        let (set, allow_path) = (scene.sets(), scene.allow_path);
        let settings = Settings { set, allow_path, ..Settings::default() };
        Request { scene: scene.clone(), settings }
    }

    /// The same run with further settings, which come last.
    pub fn with(&self, sets: &[String]) -> Self {
        let mut scene = self.scene.clone();
        scene.set = scene.sets();
        (scene.integrator, scene.step) = (None, None);
        scene.set.extend_from_slice(sets);
        let settings = Settings { set: scene.set.clone(), ..self.settings.clone() };
        Request { scene, settings }
    }

    /// The scene with its settings, and its warnings, which are said.
    pub fn load(&self) -> Result<(Scene, Vec<String>), Failure> {
        self.scene.load()
    }

    /// Limits of its runs.
    pub fn limits(&self) -> BuildOptions {
        self.scene.build_options()
    }

    /// Whether a step is given beside the scene.
    pub fn has_step(&self) -> bool {
        self.scene.sets().iter().any(|set| is_step(set))
    }

    /// Keeps contacts, and frames for ParaView, as the scene's `[output]` does.
    pub fn keep(&mut self, contacts: bool, vtu: bool) {
        let wanted = [("contacts", contacts), ("vtu", vtu)];
        for (key, _) in wanted.iter().filter(|(_, wanted)| *wanted) {
            self.scene.set.push(format!("output.{key}=true"));
        }
        self.settings.set = self.scene.sets();
    }

    /// The run to be resumed in `folder`: that of the scene it was begun with, unless `given` names
    /// another file. Only its end may be changed.
    pub fn resumed(given: &SceneOptions, folder: &Path) -> Result<Self, Failure> {
        let manifest = RunDirectory::manifest_of(&Disk, folder).map_err(output_failure)?;
        let (at, usage) = (folder.display(), |message| Failure::new(Exit::Usage, message));
        let resume = format!("--resume {}", shell::path(folder));
        if let Some(other) = given.set.iter().find(|text| !is_end(text)) {
            return Err(usage(format!(
                "--set {other}: a resumed run keeps the scene it was begun with; only time.end may be changed"
            )));
        }
        if manifest.settings.replays {
            let message = format!(
                "the run in {at} replays a recording, of which no checkpoint is made: begin it anew with --replay, --out and --force"
            );
            return Err(Failure::new(Exit::Unusable, message));
        }
        let mut scene = given.clone();
        if scene.scene.as_os_str() == NO_SCENE {
            scene.scene = manifest.scene();
            if manifest.scene == "-" {
                return Err(usage(format!(
                    "the run in {at} was begun with a scene from standard input: give it again, as in `stiction run - {resume} < scene.toml`"
                )));
            }
            let found = std::fs::symlink_metadata(&scene.scene);
            if found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
                return Err(usage(format!(
                    "the scene of the run in {at}, `{}`, is not there: where it was moved, `stiction run NEW.toml {resume}` resumes the run",
                    scene.scene.display()
                )));
            }
        }
        let mut settings = manifest.settings;
        if let Some(end) = given.set.last() {
            let at = settings.set.iter().position(|text| is_end(text));
            settings.set.retain(|text| !is_end(text));
            // in its earlier place, as in a run that had this end from its beginning
            settings.set.insert(at.unwrap_or(settings.set.len()), end.clone());
        }
        scene.set.clone_from(&settings.set);
        scene.allow_path = settings.allow_path;
        Ok(Request { scene, settings })
    }

    /// The scene's file.
    pub fn path(&self) -> &Path {
        &self.scene.scene
    }

    /// Builds the loaded scene; remarks and forecasts are said.
    pub fn open(&self, scene: &Scene) -> Result<Session, Failure> {
        if self.settings.observe_order && scene.contact.jumps() {
            let message = format!(
                "--observe-order compares steps of a smooth motion, and contact by `{}` jumps velocities",
                scene.contact.method.name
            );
            return Err(Failure::new(Exit::Usage, message));
        }
        let session = self.session(scene)?;
        self.scene.say_notes(scene, &session.run);
        Ok(session)
    }

    /// The first of several runs, at t = 0; what is remarked whatever the step is said.
    pub fn open_first(&self, scene: &Scene) -> Result<Session, Failure> {
        let session = self.session(scene)?;
        self.scene.say_start(&session.run);
        Ok(session)
    }

    /// A further run of a scene whose warnings are said.
    pub fn open_again(&self) -> Result<Session, Failure> {
        let loaded = self.scene.load_with(&[])?;
        let mut session = self.session(&loaded.scene)?;
        session.warn(loaded.warnings.into_iter().map(|warning| warning.message).collect());
        Ok(session)
    }

    fn session(&self, scene: &Scene) -> Result<Session, Failure> {
        let limits = self.scene.build_options();
        // a run and those that verify it share the threads
        let settings = self.settings.clone();
        let session =
            Session::open_beside(scene, settings, &limits, Arc::new(build), limits.threads);
        session.map_err(|error| build_failure(scene, error))
    }

    /// A run that replays the recording in `path`, and the hash of the state it has to end with.
    pub fn replay(&self, path: &Path) -> Result<(Session, Option<String>), Failure> {
        let (base, scene, recording) = recording(&self.scene, path)?;
        let mut session = self.open(&scene)?;
        let (end, events) = (recording.end.clone(), recording.events.len());
        let replay = Replay::new(base, &scene, recording)
            .map_err(|error| Failure::new(Exit::Usage, format!("{}: {error}", path.display())))?;
        say(&format!(
            "the recording is replayed: {events} events in {} steps; the scene's own method and step are those it began with",
            end.end
        ));
        session.run.intervene(Box::new(replay), end.end);
        Ok((session, Some(end.state_hash)))
    }
}
