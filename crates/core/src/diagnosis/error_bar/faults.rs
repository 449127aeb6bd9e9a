//! Faults that a comparison of runs finds.

use super::TRUSTED;
use crate::diagnosis::watch::{Cure, Fault, FaultKind};
use crate::math::{distinct, number, smaller, with_unit};
use crate::model::Model;

/// A measure has an error above the trusted share.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorTooLarge {
    /// The column of the measure.
    pub measure: String,
    /// Its value at the end.
    pub value: f64,
    /// Its error there.
    pub error: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The error as a share of the measure's scale.
    pub share: f64,
    /// The step at which the error would be 0.5 % \[s\].
    pub step: f64,
}

/// See [`ErrorTooLarge`].
pub(crate) static ERROR_TOO_LARGE: FaultKind = FaultKind::symptom(
    "error-too-large",
    "The same run at other steps gives other numbers: by their differences, and the order at which they shrink where smaller steps show one, a measure of this run is wrong by more than 3 % of its scale: the largest value of a measure, for positions the largest distance from their mean, for places that go by jumps or swings half the largest one. Use the step that is named.",
);

impl Fault for ErrorTooLarge {
    fn kind(&self) -> &'static FaultKind {
        &ERROR_TOO_LARGE
    }

    fn describe(&self, _model: &Model) -> String {
        let ErrorTooLarge { measure, value, error, unit, share, step } = self;
        let error = with_unit(&number(*error), unit);
        format!(
            "`{measure}` is {value} ± {error} at the end and wrong by up to {:.0} % of its scale during the run (at most {:.0} %). A step of about {step} s would do",
            100.0 * share,
            100.0 * TRUSTED,
            value = number(*value),
            step = number(*step)
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::Step(self.step)
    }
}

/// Refined runs do not converge.
#[derive(Debug, Clone, PartialEq)]
pub struct NotDetermined {
    /// The column of the measure.
    pub measure: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its values where the runs differ most, one per run.
    pub values: Vec<f64>,
    /// The time of these values \[s\].
    pub at: f64,
    /// The order by which the runs come closer over their whole course; negative where they do not.
    pub order: f64,
    /// The steps of the runs \[s\].
    pub steps: Vec<f64>,
    /// Time at which the runs diverge \[s\], if known.
    pub time: Option<f64>,
}

/// See [`NotDetermined`].
pub(crate) static NOT_DETERMINED: FaultKind = FaultKind::symptom(
    "not-determined",
    "Halving the step, once and twice, does not bring the runs closer to each other, or by less than half an order: either the steps are far too long to show an order at all, or the scene is so sensitive, a corner that just catches a step for one, that no step determines it. Much smaller steps tell which; else only what all runs share can be said.",
);

impl Fault for NotDetermined {
    fn kind(&self) -> &'static FaultKind {
        &NOT_DETERMINED
    }

    fn describe(&self, _model: &Model) -> String {
        let steps: Vec<String> = self.steps.iter().map(|step| number(*step)).collect();
        let closer = match self.order > 0.0 {
            true => "bring the runs closer too slowly to say to what",
            false => "do not bring the runs closer to each other",
        };
        let parts = self.time.map_or(String::new(), |t| format!("; the runs part at t = {t:.4} s"));
        format!(
            "the outcome is not determined at this precision: at t = {} s `{}` is {} with steps of {} s, and smaller ones {closer}{parts}. Use much smaller steps; where these do not agree either, the scene hangs on too little",
            number(self.at),
            self.measure,
            with_unit(&distinct(&self.values), self.unit),
            steps.join(", "),
        )
    }

    /// Half of the smallest step tried.
    fn cure(&self, _: f64) -> Cure {
        let smallest = self.steps.iter().copied().reduce(smaller);
        smallest.map_or(Cure::SmallerStep, |step| Cure::Step(0.5 * step))
    }
}

/// A finer mesh of elastic bodies gives another number.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshTooCoarse {
    /// The column of the measure.
    pub measure: String,
    /// Its values where the runs differ most: of this run, and of that on the finer mesh.
    pub values: Vec<f64>,
    /// The time of these values \[s\].
    pub at: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The error by the mesh as a share of the measure's scale; `None` if it is not known.
    pub share: Option<f64>,
    /// The largest error by the step, as such a share.
    pub steps: f64,
}

/// See [`MeshTooCoarse`].
pub(crate) static MESH_TOO_COARSE: FaultKind = FaultKind::shared(
    "mesh-too-coarse",
    "The same run on elements half as large gives other numbers: by the difference, and the order 2 that is assumed of it, with a factor of safety of 3, a measure of this run is wrong by more than 3 % of its scale by its mesh, or by its mesh and its step together. Where the finer mesh moves a measure by more than a quarter of its scale, the error may be as large as the measure, and nothing is known of it. Use a finer mesh; `edge` in the table by cause halves with the spacing, and where deformations are smooth the error by the mesh is then a quarter. It is no quarter where a value grows with every finer mesh, as the largest stress at a clamped edge or under a force at one particle: measure it elsewhere. An explicit method runs the finer mesh at a smaller step, so that a part of the error may be of the step.",
);

impl Fault for MeshTooCoarse {
    fn kind(&self) -> &'static FaultKind {
        &MESH_TOO_COARSE
    }

    fn describe(&self, _model: &Model) -> String {
        let MeshTooCoarse { measure, values, at, unit, share, steps } = self;
        let share = match share {
            Some(share) if *share > TRUSTED => format!(
                "by its mesh the run is wrong by up to {:.1} % of its scale (at most {:.0} %)",
                100.0 * share,
                100.0 * TRUSTED
            ),
            Some(share) => format!(
                "by its mesh the run is wrong by up to {:.1} % of its scale, and by its step by up to {:.1} % (at most {:.0} % together)",
                100.0 * share,
                100.0 * steps,
                100.0 * TRUSTED
            ),
            None => "the two are too far apart to say how wrong the run is by its mesh".into(),
        };
        format!(
            "`{measure}` at t = {} s is {}, here and on elements half as large: {share}. Use a finer mesh",
            number(*at),
            with_unit(&distinct(values), unit)
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::NoStep
    }
}

/// A refined run is not trusted itself.
#[derive(Debug, Clone, PartialEq)]
pub struct RefinedRunAtFault {
    /// The run: "the run at half the step".
    pub run: String,
    /// Its reasons, or the cause of its failure.
    pub marks: String,
}

/// See [`RefinedRunAtFault`].
pub(crate) static REFINED_RUN_AT_FAULT: FaultKind = FaultKind::shared(
    "refined-run-at-fault",
    "The run that was to verify this one failed, or is not trusted itself, so that it proves nothing. Run the scene at that step and see what is wrong there.",
);

impl Fault for RefinedRunAtFault {
    fn kind(&self) -> &'static FaultKind {
        &REFINED_RUN_AT_FAULT
    }

    fn describe(&self, _model: &Model) -> String {
        format!("{} is at fault itself: {}", self.run, self.marks)
    }
}

/// A run that ends far from its reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FarFromReference {
    /// RMS distance of the particles from the reference at the end \[m\].
    pub distance: f64,
    /// Uncertainty of the reference \[m\].
    pub uncertainty: f64,
    /// The distance travelled by the reference \[m\].
    pub travelled: f64,
}

/// See [`FarFromReference`].
pub(crate) static FAR_FROM_REFERENCE: FaultKind = FaultKind::symptom(
    "far-from-reference",
    "The run ends further from the reference of its comparison than 3 % of the way, and further than the reference itself is in doubt.",
);

impl Fault for FarFromReference {
    fn kind(&self) -> &'static FaultKind {
        &FAR_FROM_REFERENCE
    }

    fn describe(&self, _model: &Model) -> String {
        let FarFromReference { distance, uncertainty, travelled } = self;
        format!(
            "the particles end {distance} m from the reference, which is off by at most {uncertainty} m, on a way of {travelled} m ({:.0} %, at most {:.0} %)",
            100.0 * distance / travelled,
            100.0 * TRUSTED,
            distance = number(*distance),
            uncertainty = number(*uncertainty),
            travelled = number(*travelled)
        )
    }
}
