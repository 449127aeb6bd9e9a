//! A law, method or shape of a world: a row of a table by name and parameters, or a value of any type
//! that implements the trait and `Clone`.

use super::shapes::BodyShape;
use crate::contact::collider;
use crate::contact::friction::FrictionLaw;
use crate::contact::normal::NormalLaw;
use crate::impulses::{ContactMethod, Impulse};
use crate::integrators::Integrator;
use crate::math::Vector;
use crate::registry::{Entry, Fallback, Key, Kind, Problem, Range, Table, Value, Values};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row of a table with its parameters: [`named`] makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedRow {
    name: String,
    values: BTreeMap<String, Value>,
}

/// A row by its name; [`NamedRow::with`] sets parameters, the others take their defaults.
///
/// ```
/// use stiction_core::world::{World, named};
///
/// let mut world = World::new();
/// world.normal(named("linear").with("stiffness", 2e5).with("damping", 50.0));
/// world.friction("cundall-strack");
/// ```
pub fn named(name: &str) -> NamedRow {
    NamedRow { name: name.into(), values: BTreeMap::new() }
}

impl NamedRow {
    /// Sets a parameter, in the unit given by `stiction explain NAME`.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.values.insert(key.into(), value.into());
        self
    }

    /// Sets parameters from checked values.
    #[must_use]
    pub fn with_all(mut self, values: &Values) -> Self {
        self.values.extend(values.0.iter().map(|(key, value)| (key.to_string(), value.clone())));
        self
    }

    /// The values of a row's keys with defaults filled in; if `idle`, absent required numbers are filled
    /// in too, since nothing uses them.
    fn values(&self, keys: &'static [Key], idle: bool) -> Result<Values, Problem> {
        let known = |key: &str| keys.iter().any(|k| k.name == key);
        if let Some(stranger) = self.values.keys().find(|key| !known(key)) {
            let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
            let help = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(Problem {
                key: None,
                message: format!("`{}` takes no `{stranger}`", self.name),
                help: format!("it takes: {help}"),
            });
        }
        let mut values = Values::default();
        for key in keys {
            let value = match self.values.get(key.name) {
                Some(value) => Some(conform(key, value)?),
                None if idle && matches!(key.default, Fallback::Required) => filler(key),
                None => key.default.value(),
            };
            match value {
                Some(value) => drop(values.0.insert(key.name, value)),
                None if matches!(key.default, Fallback::Required) => {
                    let message = format!("`{}` needs `{}`: {}", self.name, key.name, key.about);
                    return Err(Problem::of(key.name, message, "give it by `with`"));
                }
                None => {}
            }
        }
        Ok(values)
    }
}

/// Some number in the key's range.
fn filler(key: &Key) -> Option<Value> {
    match key.kind {
        Kind::Number { range: Range::Between(low, _), .. } => Some(Value::Number(low)),
        Kind::Number { .. } => Some(Value::Number(1.0)),
        _ => None,
    }
}

/// The value in the key's type, if it has that type and is in range.
fn conform(key: &Key, value: &Value) -> Result<Value, Problem> {
    let inside = match (key.kind, value) {
        (Kind::Number { range, .. }, Value::Integer(n)) => {
            let x = *n as f64;
            return conform(
                &Key { kind: Kind::Number { unit: "", range }, ..*key },
                &Value::Number(x),
            );
        }
        (Kind::Texts | Kind::Words(_), Value::Text(text)) => {
            return conform(key, &Value::Texts(vec![text.clone()]));
        }
        (Kind::Number { range, .. }, Value::Number(x)) => range.contains(*x),
        (Kind::Integer { min, max }, Value::Integer(n)) => (min..=max).contains(n),
        (Kind::Flag, Value::Flag(_)) | (Kind::Text, Value::Text(_)) => true,
        (Kind::Word(words), Value::Text(text)) => words.contains(&text.as_str()),
        (Kind::Words(words), Value::Texts(list)) => {
            list.iter().all(|t| words.contains(&t.as_str()))
        }
        (Kind::Texts, Value::Texts(list)) => (1..=2).contains(&list.len()),
        (Kind::Vector { nonzero, .. }, Value::Vector(v)) => {
            v.iter().all(|x| Range::Any.contains(*x)) && !(nonzero && *v == Vector::zeros())
        }
        (Kind::Numbers { range, .. }, Value::Numbers(list)) => {
            list.iter().all(|x| range.contains(*x))
        }
        (Kind::Vectors { .. }, Value::Vectors(list)) => {
            list.iter().flatten().all(|x| Range::Any.contains(*x))
        }
        (Kind::Counts, Value::Integers(list)) => list.len() == 3 && list.iter().all(|n| *n >= 1),
        (Kind::Integers, Value::Integers(list)) => list.iter().all(|n| *n >= 0),
        (Kind::Names, Value::Texts(list)) => !list.is_empty(),
        (Kind::Points, Value::Points(list)) => {
            list.iter().flatten().all(|x| Range::Any.contains(*x))
        }
        (Kind::Pairs, Value::Pairs(_)) | (Kind::Triples, Value::Triples(_)) => true,
        (Kind::Constants, Value::Constants(_)) => true,
        _ => false,
    };
    if inside {
        return Ok(value.clone());
    }
    let message = format!("`{}` cannot be {value:?}: {}", key.name, key.about);
    Err(Problem::of(key.name, message, format!("it takes {:?}", key.kind)))
}

/// The source of a `T`: a row by its name, a [`NamedRow`] with parameters, or a value of a type that
/// implements the trait and is `Clone`.
pub struct Chosen<T: ?Sized + 'static>(ChosenSource<T>);

enum ChosenSource<T: ?Sized + 'static> {
    Row(NamedRow),
    Own { name: &'static str, make: Arc<dyn Fn() -> Box<T> + Send + Sync> },
}

impl<T: ?Sized> Chosen<T> {
    /// A value made anew by `make` each time a world is built; `name` stands for it in messages.
    pub fn made(name: &'static str, make: impl Fn() -> Box<T> + Send + Sync + 'static) -> Self {
        Chosen(ChosenSource::Own { name, make: Arc::new(make) })
    }

    /// The name of the row, or of the type.
    pub fn name(&self) -> &str {
        match &self.0 {
            ChosenSource::Row(row) => &row.name,
            ChosenSource::Own { name, .. } => name,
        }
    }

    /// Makes the value; if `idle`, with any numbers for the missing required ones.
    pub(super) fn make(
        &self,
        what: &str,
        table: &Table<Entry<T>>,
        idle: bool,
    ) -> Result<Box<T>, Problem> {
        let named = match &self.0 {
            ChosenSource::Own { make, .. } => return Ok(make()),
            ChosenSource::Row(named) => named,
        };
        let Some(row) = table.find(&named.name) else {
            let known = table.names();
            return Err(Problem {
                key: None,
                message: format!("there is no {what} called `{}`", named.name),
                help: format!("known: {}", known.join(", ")),
            });
        };
        (row.make)(&named.values(row.keys, idle)?)
    }
}

impl<T: ?Sized> Clone for Chosen<T> {
    fn clone(&self) -> Self {
        Chosen(match &self.0 {
            ChosenSource::Row(named) => ChosenSource::Row(named.clone()),
            ChosenSource::Own { name, make } => ChosenSource::Own { name, make: Arc::clone(make) },
        })
    }
}

impl<T: ?Sized> std::fmt::Debug for Chosen<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            ChosenSource::Row(named) => named.fmt(f),
            ChosenSource::Own { name, .. } => f.write_str(name),
        }
    }
}

impl<T: ?Sized> From<&str> for Chosen<T> {
    fn from(name: &str) -> Self {
        named(name).into()
    }
}

impl<T: ?Sized> From<NamedRow> for Chosen<T> {
    fn from(named: NamedRow) -> Self {
        Chosen(ChosenSource::Row(named))
    }
}

/// The last part of a type's path, without parameters.
fn type_name<T>() -> &'static str {
    let whole = std::any::type_name::<T>();
    let path = whole.split('<').next().unwrap_or(whole);
    path.rsplit("::").next().unwrap_or(path)
}

/// A value of any type that implements the trait can be chosen.
macro_rules! own {
    ($($of:path => $chosen:ty, |$own:ident| $made:expr;)*) => {$(
        impl<L: $of + Clone + Send + Sync + 'static> From<L> for Chosen<$chosen> {
            fn from($own: L) -> Self {
                Chosen::<$chosen>::made(type_name::<L>(), move || Box::new($made))
            }
        }
    )*};
}

own! {
    FrictionLaw => dyn FrictionLaw, |law| law.clone();
    NormalLaw => dyn NormalLaw, |law| law.clone();
    Integrator => dyn Integrator, |method| method.clone();
    Impulse => ContactMethod, |method| ContactMethod::Impulse(Box::new(method.clone()));
    BodyShape => dyn BodyShape, |shape| shape.clone();
    collider::Shape => dyn collider::Shape, |shape| shape.clone();
}
