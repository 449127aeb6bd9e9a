//! Actions of a user during a run, and their replay with the same bits.
//!
//! A recording is a text file, one JSON document per line: the head (the scene and its changes at
//! the start), the events (each an action and the step before which it was done), and the end (the
//! number of steps and the hash of the last state). A step is a whole number, so nothing depends on
//! the clock.

use super::base::Base;
use super::sweep::job::fingerprint;
use crate::run::{Intervene, Timeline};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::{Grip, Hand, Shove};
use stiction_scene::record::Resolved;
use stiction_scene::regular;
use stiction_scene::{Loaded, Scene};

/// The version of the format.
const VERSION: u32 = 1;

/// Largest file of a recording \[bytes\].
const LARGEST: u64 = 64 << 20;

/// A recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Beginning of the run.
    pub head: Head,
    /// The actions, ascending by step.
    pub events: Vec<Event>,
    /// End of the run.
    pub end: End,
}

/// Beginning of a recorded run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    pub stiction_recording: u32,
    /// The scene, as named by the user.
    pub scene: String,
    /// SHA-256 of the scene's texts and meshes: see [`fingerprint`].
    pub sha256: String,
    /// Changes of the scene by `--set`.
    pub set: Vec<String>,
}

/// An action before a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Number of steps taken before it.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// The action.
    #[serde(flatten)]
    pub act: Act,
}

/// An action on a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Act {
    /// New state of the hand.
    Hand {
        /// Grip of the hand.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        grip: Option<WrittenGrip>,
        /// Push of the hand.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        push: Option<WrittenShove>,
    },
    /// The scene resumes with these changes in addition to those of the head.
    Set {
        /// `key=value` texts as of `--set`.
        set: Vec<String>,
    },
}

/// [`Grip`], with plain lists for vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrittenGrip {
    particles: Vec<usize>,
    offsets: Vec<[f64; 3]>,
    target: [f64; 3],
    stiffness: f64,
    damping: f64,
}

/// [`Shove`], with plain lists for vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrittenShove {
    particles: Vec<usize>,
    force: [f64; 3],
}

/// End of a recorded run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Number of steps taken.
    pub end: u64,
    /// Time \[s\].
    pub time: f64,
    /// Hash of the last state: see [`stiction_core::state::State::hash`].
    pub state_hash: String,
}

/// Reason why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// A line is not valid.
    #[error("line {line}: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The fault.
        message: String,
    },
    /// The last line is missing: the window did not close in order.
    #[error("it has no end: what was recorded is not complete")]
    NoEnd,
    /// The recording is of another scene.
    #[error("it was recorded with `{recorded}`, whose texts or meshes were not those of `{scene}`")]
    OtherScene {
        /// The recorded scene.
        recorded: String,
        /// The scene given for the replay.
        scene: String,
    },
    /// A particle that does not exist.
    #[error("at step {step}: the scene has no particle {particle}")]
    NoParticle {
        /// Step of the event.
        step: u64,
        /// The particle.
        particle: usize,
    },
    /// The scene refuses a change.
    #[error("at step {step}: {message}")]
    Refused {
        /// Step of the event.
        step: u64,
        /// The reason.
        message: String,
    },
}

impl From<&Hand> for Act {
    fn from(hand: &Hand) -> Act {
        let plain = |v: &Vector| [v.x, v.y, v.z];
        Act::Hand {
            grip: hand.grip.as_ref().map(|grip| WrittenGrip {
                particles: grip.particles.clone(),
                offsets: grip.offsets.iter().map(plain).collect(),
                target: plain(&grip.target),
                stiffness: grip.stiffness,
                damping: grip.damping,
            }),
            push: hand.push.as_ref().map(|push| WrittenShove {
                particles: push.particles.clone(),
                force: plain(&push.force),
            }),
        }
    }
}

/// The hand of a recorded event.
pub fn hand(grip: &Option<WrittenGrip>, push: &Option<WrittenShove>) -> Hand {
    Hand {
        grip: grip.as_ref().map(|grip| Grip {
            particles: grip.particles.clone(),
            offsets: grip.offsets.iter().map(|v| Vector::from(*v)).collect(),
            target: Vector::from(grip.target),
            stiffness: grip.stiffness,
            damping: grip.damping,
        }),
        push: push.as_ref().map(|push| Shove {
            particles: push.particles.clone(),
            force: Vector::from(push.force),
        }),
    }
}

/// Resumes with a scene changed by `set`, live or in a replay. Returns the verdict until then, and
/// the scene's keys.
///
/// # Errors
/// The reason why the scene refuses the change, in one line; the run is unchanged.
pub fn change(
    base: &Base,
    set: &[String],
    timeline: &mut Timeline,
) -> Result<(Verdict, Resolved), String> {
    let Loaded { scene, resolved, .. } = base.load(set).map_err(|errors| errors.brief())?;
    let built = base.build(&scene).map_err(|errors| errors.brief())?;
    if built.model.particles() != timeline.simulation.model.particles() {
        return Err("this would change the number of particles".into());
    }
    Ok((timeline.change(scene, built), resolved))
}

impl Recording {
    /// A recording of a loaded scene.
    pub fn new(
        name: &str,
        scene: &Scene,
        set: &[String],
        events: &[Event],
        end: &Simulation,
    ) -> Self {
        Recording {
            head: Head {
                stiction_recording: VERSION,
                scene: name.into(),
                sha256: fingerprint(scene, &[]),
                set: set.to_vec(),
            },
            events: events.to_vec(),
            end: End {
                end: end.state.step_count,
                time: end.state.time,
                state_hash: end.state.hash_text(),
            },
        }
    }

    /// The text of the recording.
    pub fn text(&self) -> String {
        let mut text = line(&self.head);
        self.events.iter().for_each(|event| text += &line(event));
        text + &line(&self.end)
    }

    /// Parses the text of a recording.
    pub fn parse(text: &str) -> Result<Recording, RecordingError> {
        let fault = |line: usize, message: String| RecordingError::Line { line: line + 1, message };
        let lines: Vec<&str> = text.lines().collect();
        let Some((first, rest)) = lines.split_first() else { return Err(RecordingError::NoEnd) };
        let head: Head = serde_json::from_str(first).map_err(|e| fault(0, e.to_string()))?;
        if head.stiction_recording != VERSION {
            let message = format!("format {} is not {VERSION}", head.stiction_recording);
            return Err(fault(0, message));
        }
        let Some((last, middle)) = rest.split_last() else { return Err(RecordingError::NoEnd) };
        let end: End = serde_json::from_str(last).map_err(|_| RecordingError::NoEnd)?;
        let mut events: Vec<Event> = Vec::with_capacity(middle.len());
        for (k, line) in middle.iter().enumerate() {
            let event: Event =
                serde_json::from_str(line).map_err(|e| fault(k + 1, e.to_string()))?;
            let before = events.last().map_or(0, |event| event.step);
            if event.step < before || event.step > end.end {
                let message = format!("step {} is out of order", event.step);
                return Err(fault(k + 1, message));
            }
            events.push(event);
        }
        Ok(Recording { head, events, end })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Recording, RecordingError> {
        let text = regular::text(path, LARGEST).map_err(std::io::Error::from)?;
        Recording::parse(&text)
    }
}

/// One line of JSON.
fn line(of: &impl Serialize) -> String {
    serde_json::to_string(of).expect("numbers, texts and lists") + "\n"
}

/// A recording being replayed.
pub struct Replay {
    base: Base,
    events: VecDeque<Event>,
    end: End,
}

impl Replay {
    /// Prepares a replay; `base` is the scene with the changes of the head. Every event is checked
    /// beforehand.
    pub fn new(base: Base, scene: &Scene, recording: Recording) -> Result<Replay, RecordingError> {
        let Recording { head, events, end } = recording;
        if fingerprint(scene, &[]) != head.sha256 {
            let scene = scene.sources.first().map_or_else(String::new, |s| s.name.clone());
            return Err(RecordingError::OtherScene { recorded: head.scene, scene });
        }
        let refused = |step: u64| move |message: String| RecordingError::Refused { step, message };
        let built = base.build(scene).map_err(|errors| refused(0)(errors.brief()))?;
        let count = built.model.particles();
        for event in &events {
            let step = event.step;
            match &event.act {
                Act::Set { set } => {
                    let changed = base.load(set).map_err(|errors| refused(step)(errors.brief()))?;
                    base.build(&changed.scene).map_err(|errors| refused(step)(errors.brief()))?;
                }
                Act::Hand { grip, push } => {
                    let held = grip.iter().flat_map(|grip| &grip.particles);
                    let pushed = push.iter().flat_map(|push| &push.particles);
                    if let Some(&particle) = held.chain(pushed).find(|i| **i >= count) {
                        return Err(RecordingError::NoParticle { step, particle });
                    }
                }
            }
        }
        Ok(Replay { base, events: events.into(), end })
    }

    /// End of the run.
    pub fn end(&self) -> &End {
        &self.end
    }

    /// Performs the actions due before the next step.
    fn act(&mut self, timeline: &mut Timeline) -> Result<(), RecordingError> {
        let step = timeline.simulation.state.step_count;
        while self.events.front().is_some_and(|event| event.step <= step) {
            let Some(event) = self.events.pop_front() else { break };
            match &event.act {
                Act::Hand { grip, push } => timeline.simulation.handle(hand(grip, push)),
                Act::Set { set } => {
                    let refused = |message| RecordingError::Refused { step: event.step, message };
                    change(&self.base, set, timeline).map_err(refused)?;
                }
            }
        }
        Ok(())
    }
}

impl Intervene for Replay {
    fn before_step(&mut self, timeline: &mut Timeline) -> Result<(), String> {
        self.act(timeline).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let shove = Shove { particles: vec![3], force: Vector::new(0.1, -2.0, 1e-30) };
        let grip = Grip {
            particles: vec![1, 2],
            offsets: vec![Vector::x() * 0.1, Vector::y() / 3.0],
            target: Vector::new(1.0, 2.0, 3.0),
            stiffness: 1e4 / 7.0,
            damping: 0.3,
        };
        let hand = Hand { grip: Some(grip), push: Some(shove) };
        let recording = Recording {
            head: Head {
                stiction_recording: VERSION,
                scene: "a.toml".into(),
                sha256: "0".into(),
                set: vec!["time.step=1e-4".into()],
            },
            events: vec![
                Event { step: 2, time: 2e-4, act: Act::from(&hand) },
                Event { step: 7, time: 7e-4, act: Act::Set { set: vec!["a.b=\"c d\"".into()] } },
                Event { step: 7, time: 7e-4, act: Act::from(&Hand::default()) },
            ],
            end: End { end: 9, time: 9e-4, state_hash: "0x1".into() },
        };
        let text = recording.text();
        assert_eq!(text.lines().count(), 5);
        assert_eq!(Recording::parse(&text).expect("sound"), recording);
        let Act::Hand { grip, push } = &recording.events[0].act else { panic!("a hand") };
        assert_eq!(super::hand(grip, push), hand);
        let cut = &text[..text.len() - 20];
        assert!(matches!(Recording::parse(cut), Err(RecordingError::NoEnd)));
        assert!(matches!(Recording::parse(""), Err(RecordingError::NoEnd)));
        let swapped = text.replace("\"step\":2", "\"step\":8");
        assert!(matches!(Recording::parse(&swapped), Err(RecordingError::Line { line: 3, .. })));
    }
}
