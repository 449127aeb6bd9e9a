//! Friction laws written in Python.

use crate::failures::failure;
use crate::slots::{Objects, SLOTS, fault, forever, is_faulty, take_fault};
use crate::values::vector;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stiction_core::contact::friction::{central_differences, steady_slip, stick_speed};
use stiction_core::nalgebra::Matrix3;
use stiction_core::{
    Coefficients, Entry, FRICTION_LAWS, Fallback, FrictionLaw, Key, Kind, Page, Problem, Range,
    SlipJacobian, Value, Values, Vector,
};

/// The slip of one contact, as a friction law sees it.
#[pyclass(frozen, get_all, module = "stiction")]
pub struct Slip {
    displacement: (f64, f64, f64),
    velocity: (f64, f64, f64),
    speed: f64,
    normal_force: f64,
    stretch: (f64, f64, f64),
    sliding: bool,
}

/// The coefficients of friction of a pair of materials.
#[pyclass(frozen, get_all, module = "stiction")]
pub struct Pair {
    static_friction: f64,
    kinetic_friction: f64,
}

fn triple(v: &Vector) -> (f64, f64, f64) {
    (v.x, v.y, v.z)
}

#[pymethods]
impl Slip {
    #[new]
    #[pyo3(signature = (velocity, normal_force, displacement=(0.0, 0.0, 0.0), stretch=(0.0, 0.0, 0.0), sliding=false))]
    fn new(
        velocity: (f64, f64, f64),
        normal_force: f64,
        displacement: (f64, f64, f64),
        stretch: (f64, f64, f64),
        sliding: bool,
    ) -> Self {
        let speed = Vector::from(<[f64; 3]>::from(velocity)).norm();
        Slip { displacement, velocity, speed, normal_force, stretch, sliding }
    }

    fn __repr__(&self) -> String {
        format!(
            "Slip(velocity={:?}, normal_force={:?}, displacement={:?}, stretch={:?}, sliding={})",
            self.velocity,
            self.normal_force,
            self.displacement,
            self.stretch,
            if self.sliding { "True" } else { "False" }
        )
    }
}

#[pymethods]
impl Pair {
    #[new]
    fn new(static_friction: f64, kinetic_friction: f64) -> Self {
        Pair { static_friction, kinetic_friction }
    }

    fn __repr__(&self) -> String {
        format!(
            "Pair(static_friction={:?}, kinetic_friction={:?})",
            self.static_friction, self.kinetic_friction
        )
    }
}

fn slip_of(slip: &stiction_core::Slip) -> Slip {
    Slip {
        displacement: triple(&slip.displacement),
        velocity: triple(&slip.velocity),
        speed: slip.velocity.norm(),
        normal_force: slip.normal_force,
        stretch: triple(&slip.stretch),
        sliding: slip.sliding,
    }
}

fn pair_of(pair: &Coefficients) -> Pair {
    Pair { static_friction: pair.static_friction, kinetic_friction: pair.kinetic_friction }
}

/// A law whose formulas are methods of a Python object.
struct PythonLaw {
    force: Py<PyAny>,
    sticks: Py<PyAny>,
    damping: Py<PyAny>,
    creep: Option<Py<PyAny>>,
    derivative: Option<Py<PyAny>>,
    relax: Option<Py<PyAny>>,
    rate: Option<Py<PyAny>>,
    threshold: f64,
    stiffness: f64,
    is_kinked: bool,
    /// asked once: the search over forces takes many calls
    can_rest: bool,
}

impl PythonLaw {
    /// The methods of an object; an error if a required one is missing.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<PythonLaw> {
        let method = |name: &str| -> PyResult<Option<Py<PyAny>>> {
            Ok(object.getattr_opt(name)?.map(Bound::unbind))
        };
        let needed = |name: &str| -> PyResult<Py<PyAny>> {
            method(name)?.ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "a friction law has a method `{name}(slip, pair)`, and {} has none",
                    object.get_type()
                ))
            })
        };
        let number = |name: &str| -> PyResult<f64> {
            object.getattr_opt(name)?.map_or(Ok(0.0), |value| value.extract())
        };
        let kinked = object.getattr_opt("is_kinked")?;
        let mut law = PythonLaw {
            force: needed("force")?,
            sticks: needed("sticks")?,
            damping: needed("damping")?,
            creep: method("creep")?,
            derivative: method("derivative")?,
            relax: method("relax")?,
            rate: method("rate")?,
            threshold: number("threshold")?,
            stiffness: number("stiffness")?,
            is_kinked: kinked.map_or(Ok(true), |value| value.extract())?,
            can_rest: false,
        };
        let faulty = is_faulty();
        if object.getattr_opt("threshold")?.is_none() {
            law.threshold = stick_speed(&law);
        }
        law.can_rest =
            law.threshold > 0.0 || law.has_memory() || law.creep(0.5, 1.0, &TRIED).is_some();
        // an exception is raised where the law is used
        if !faulty {
            drop(take_fault());
        }
        Ok(law)
    }

    /// Calls a method with a slip; an exception is stored, and `instead` returned.
    fn ask<T>(
        &self,
        method: &Py<PyAny>,
        slip: &stiction_core::Slip,
        pair: &Coefficients,
        instead: T,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> T {
        Python::attach(|py| {
            let told = method.bind(py).call1((slip_of(slip), pair_of(pair)));
            told.and_then(|told| read(&told)).unwrap_or_else(|error| {
                fault(error);
                instead
            })
        })
    }
}

/// Coefficients with which a law is asked whether it can rest.
const TRIED: Coefficients = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };

/// A force of NaN: it ends a run at the next check of its state.
const LOST: Vector = Vector::new(f64::NAN, f64::NAN, f64::NAN);

impl FrictionLaw for PythonLaw {
    fn force(&self, slip: &stiction_core::Slip, pair: &Coefficients) -> Vector {
        self.ask(&self.force, slip, pair, LOST, vector)
    }

    fn derivative(&self, slip: &stiction_core::Slip, pair: &Coefficients) -> SlipJacobian {
        let Some(derivative) = &self.derivative else {
            return central_differences(self, slip, pair);
        };
        self.ask(derivative, slip, pair, SlipJacobian::default(), |told| {
            let (x, v, n) = told.extract::<(Bound<PyAny>, Bound<PyAny>, Bound<PyAny>)>()?;
            Ok(SlipJacobian {
                by_displacement: matrix(&x)?,
                by_velocity: matrix(&v)?,
                by_normal_force: vector(&n)?,
            })
        })
    }

    fn relax(&self, slip: &stiction_core::Slip, pair: &Coefficients) -> Vector {
        let zero = Vector::zeros();
        self.relax.as_ref().map_or(zero, |relax| self.ask(relax, slip, pair, zero, vector))
    }

    fn rate(&self, slip: &stiction_core::Slip, pair: &Coefficients) -> Vector {
        let zero = Vector::zeros();
        self.rate.as_ref().map_or(zero, |rate| self.ask(rate, slip, pair, zero, vector))
    }

    fn sticks(&self, slip: &stiction_core::Slip, pair: &Coefficients) -> bool {
        self.ask(&self.sticks, slip, pair, false, |told| told.is_truthy())
    }

    fn damping(&self, slip: &stiction_core::Slip, pair: &Coefficients) -> f64 {
        self.ask(&self.damping, slip, pair, f64::NAN, |told| told.extract())
    }

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        let Some(creep) = &self.creep else {
            return steady_slip(self, load_ratio, normal_force, pair);
        };
        Python::attach(|py| {
            let told = creep.bind(py).call1((load_ratio, normal_force, pair_of(pair)));
            told.and_then(|told| told.extract()).unwrap_or_else(|error| {
                fault(error);
                None
            })
        })
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }

    fn can_rest(&self) -> bool {
        self.can_rest
    }

    fn is_kinked(&self) -> bool {
        self.is_kinked
    }

    fn has_memory(&self) -> bool {
        self.relax.is_some()
    }
}

/// Three rows of three numbers.
fn matrix(from: &Bound<'_, PyAny>) -> PyResult<Matrix3<f64>> {
    let rows: Vec<Vector> = from.try_iter()?.map(|row| vector(&row?)).collect::<PyResult<_>>()?;
    match &rows[..] {
        [a, b, c] => Ok(Matrix3::from_columns(&[*a, *b, *c]).transpose()),
        other => Err(PyTypeError::new_err(format!("three rows are needed, not {}", other.len()))),
    }
}

/// Classes of laws, by the indices of their rows.
static LAWS: Objects = Objects::new();

/// Makes a law from checked values.
type Maker = fn(&Values) -> Result<Box<dyn FrictionLaw>, Problem>;

static MAKERS: [Maker; SLOTS] = crate::numbered!(make);

/// Makes the law with an index from the values of its keys.
fn make<const N: usize>(values: &Values) -> Result<Box<dyn FrictionLaw>, Problem> {
    let made = Python::attach(|py| -> PyResult<PythonLaw> {
        let class = LAWS.get(py, N).ok_or_else(|| PyValueError::new_err("no law has this row"))?;
        let keywords = PyDict::new(py);
        for (key, value) in &values.0 {
            match value {
                Value::Number(x) => keywords.set_item(key, x)?,
                Value::Integer(n) => keywords.set_item(key, n)?,
                Value::Flag(flag) => keywords.set_item(key, flag)?,
                Value::Text(text) => keywords.set_item(key, text)?,
                other => return Err(PyTypeError::new_err(format!("`{key}` is {other:?}"))),
            }
        }
        PythonLaw::of(&class.bind(py).call((), Some(&keywords))?)
    });
    match made {
        Ok(law) => Ok(Box::new(law)),
        Err(error) => {
            let message = format!("the law cannot be made: {error}");
            let help = "a law has the methods force, sticks and damping".to_string();
            Err(Problem { key: None, message, help })
        }
    }
}

/// A key of a law: its name, default, unit, range and meaning.
type KeyFields = (String, Option<Py<PyAny>>, String, String, String);

/// Registers a class of laws under a name, for scenes, runs and experiments.
#[pyfunction]
pub fn register_friction_law(
    py: Python<'_>,
    name: &str,
    class: Py<PyAny>,
    keys: Vec<KeyFields>,
    about: String,
    formula: String,
    replace: bool,
) -> PyResult<()> {
    if let Some(number) = LAWS.number(name) {
        if replace {
            LAWS.replace(number, class);
            return Ok(());
        }
        let message = format!(
            "there is a friction law `{name}` already; replace=True puts this class in its place, with the keys it has"
        );
        return Err(PyValueError::new_err(message));
    }
    let number = LAWS.count();
    if number == SLOTS {
        let message =
            format!("there are {SLOTS} laws from Python already, as many as there may be");
        return Err(failure(py, "StictionError", &message));
    }
    let keys: Vec<Key> = keys.into_iter().map(|fields| key(py, fields)).collect::<PyResult<_>>()?;
    let row = Entry::<dyn FrictionLaw>::new(forever(name.into()), forever(about), MAKERS[number])
        .with_keys(keys.leak())
        .with_page(Page { formula: forever(formula), ..Page::NONE });
    let row = FRICTION_LAWS.register(row).map_err(|e| PyValueError::new_err(e.to_string()))?;
    LAWS.add(row.name, class);
    Ok(())
}

fn key(py: Python<'_>, (name, default, unit, range, about): KeyFields) -> PyResult<Key> {
    let range = match range.as_str() {
        "any" => Range::Any,
        "positive" => Range::Positive,
        "non-negative" => Range::NonNegative,
        other => {
            let message = format!("the range `{other}` is none of any, positive, non-negative");
            return Err(PyValueError::new_err(message));
        }
    };
    let number = Kind::Number { unit: forever(unit), range };
    let (kind, default) = match default {
        None => (number, Fallback::Required),
        Some(value) => {
            let value = value.bind(py);
            if let Ok(flag) = value.cast::<pyo3::types::PyBool>() {
                (Kind::Flag, Fallback::Flag(flag.is_true()))
            } else if let Ok(text) = value.extract::<String>() {
                (Kind::Text, Fallback::Text(forever(text)))
            } else {
                (number, Fallback::Number(value.extract()?))
            }
        }
    };
    Ok(Key { name: forever(name), kind, default, about: forever(about) })
}
