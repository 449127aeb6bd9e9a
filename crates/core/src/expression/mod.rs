//! Formulas in scenes: text to numbers and to exact derivatives.
//!
//! Own code and not a crate, because a formula stands in a scene file and may be anything: `-x^2`
//! must mean −(x²), a text of any shape must be refused without exhausting the stack, `abs` must
//! have a derivative, and all functions must come from [`crate::math`], so that a formula has the
//! same bits on every machine.

mod grammar;
mod graph;
pub mod time_curve;

use crate::math::PI;
use crate::registry::{Fallback, Key, Kind};
use graph::{Graph, GraphNode};
use std::collections::BTreeMap;

/// Longest text of a formula \[characters\].
pub const LONGEST: usize = 1000;

/// Functions: `log` is the natural logarithm, angles are in radians; `min` and `max` have two arguments.
pub(crate) const FUNCTIONS: &[&str] =
    &["sin", "cos", "tan", "exp", "log", "sqrt", "abs", "tanh", "min", "max"];

/// Constants that every formula knows.
pub(crate) const CONSTANTS: &[(&str, f64)] = &[("pi", PI)];

/// The key of named numbers beside a formula.
pub(crate) const CONSTANTS_KEY: Key = Key {
    name: "constants",
    kind: Kind::Constants,
    default: Fallback::Optional("none"),
    about: "named numbers that the formula may use",
};

/// A fault in the text of a formula.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaFault {
    /// The fault and its place.
    pub message: String,
    /// The remedy.
    pub help: String,
    /// Place in the text, in characters from 0, where there is one.
    pub position: Option<usize>,
}

impl FormulaFault {
    fn at(position: usize, message: impl std::fmt::Display, help: impl Into<String>) -> Self {
        let message = format!("{message}, at character {}", position + 1);
        FormulaFault { message, help: help.into(), position: Some(position) }
    }
}

/// A formula in named variables.
///
/// Written with `+ - * / ^`, parentheses, `FUNCTIONS`, `CONSTANTS` and numbers. `^` binds more
/// tightly than the sign before it and from the right: −x^2 = −(x²), 2^3^2 = 2⁹.
#[derive(Debug, Clone)]
pub struct Expression {
    graph: Graph,
    root: u32,
    variables: &'static [&'static str],
}

impl Expression {
    /// Reads a formula in `variables` and `constants`, or says what is wrong with it.
    pub fn parse(
        text: &str,
        variables: &'static [&'static str],
        constants: &BTreeMap<String, f64>,
    ) -> Result<Expression, FormulaFault> {
        check_constants(variables, constants)?;
        let mut graph = Graph::default();
        let root = grammar::read(text, variables, constants, &mut graph)?;
        Ok(Expression { graph, root, variables }.trimmed())
    }

    /// The value for given values of the variables, in the order in which these were declared.
    /// Allocates only for formulas with more than 256 operations.
    pub fn eval(&self, values: &[f64]) -> f64 {
        self.graph.with_values(values, |all| all[self.root as usize])
    }

    /// The derivative with respect to the variable `index`. That of `abs` is 0 at 0.
    pub fn partial(&self, index: usize) -> Expression {
        let mut graph = self.graph.clone();
        let root = graph.derivative(self.root, index);
        Expression { graph, root, variables: self.variables }.trimmed()
    }

    /// The formula and its derivatives with respect to the variables `indices`, evaluated together.
    pub fn with_partials<const K: usize>(&self, indices: [usize; K]) -> Bundle<K> {
        let mut graph = self.graph.clone();
        let partials = indices.map(|index| graph.derivative(self.root, index));
        let mut roots: Vec<u32> = partials.to_vec();
        roots.push(self.root);
        let (graph, roots) = graph.trimmed(&roots);
        Bundle { graph, value: roots[K], partials: std::array::from_fn(|k| roots[k]) }
    }

    /// Whether the value depends on the variable `index`.
    pub(crate) fn depends_on(&self, index: usize) -> bool {
        self.graph.nodes.contains(&GraphNode::Variable(index as u32))
    }

    fn trimmed(self) -> Self {
        let (graph, roots) = self.graph.trimmed(&[self.root]);
        Expression { graph, root: roots[0], variables: self.variables }
    }
}

/// A formula and some of its derivatives; common operations are computed once.
#[derive(Debug, Clone)]
pub struct Bundle<const K: usize> {
    graph: Graph,
    value: u32,
    partials: [u32; K],
}

impl<const K: usize> Bundle<K> {
    /// The value and the derivatives. Allocates only beyond 256 operations.
    pub fn eval(&self, values: &[f64]) -> (f64, [f64; K]) {
        self.graph.with_values(values, |all| {
            (all[self.value as usize], self.partials.map(|root| all[root as usize]))
        })
    }

    /// The value alone.
    pub fn value(&self, values: &[f64]) -> f64 {
        self.graph.with_values_up_to(self.value, values)
    }
}

/// Whether `name` can be the name of a constant: a letter or `_`, then letters, digits and `_`.
pub fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether every formula knows the name already, as a function or a constant.
pub fn is_taken(name: &str) -> bool {
    FUNCTIONS.contains(&name) || CONSTANTS.iter().any(|(known, _)| *known == name)
}

/// Checks that constants can stand beside variables: names of their own, finite values.
pub(crate) fn check_constants(
    variables: &[&str],
    constants: &BTreeMap<String, f64>,
) -> Result<(), FormulaFault> {
    for (name, value) in constants {
        let fault = |message: String, help: &str| {
            Err(FormulaFault { message, help: help.into(), position: None })
        };
        if !is_name(name) {
            let message =
                format!("the constant {} has a name that no formula can use", quoted(name));
            return fault(message, "use a letter or `_` first, then letters, digits and `_`");
        }
        if is_taken(name) || variables.contains(&name.as_str()) {
            let message = format!("the constant {} has the name of something else", quoted(name));
            return fault(message, "give it a name that is neither a variable nor a function");
        }
        if !value.is_finite() {
            return fault(format!("the constant {} is not finite", quoted(name)), "give a number");
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    format!("`{}`", text.escape_debug())
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// The known name nearest to a misspelt one, if one is near enough to be meant.
fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |name: &str| strsim::damerau_levenshtein(&wrong.to_lowercase(), name);
    known
        .map(|name| (distance(name), name))
        .filter(|(d, name)| *d <= (name.len() / 3).clamp(1, 3) && *d < name.len())
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// The fault of a name that is not known.
fn unknown(
    name: &str,
    position: usize,
    variables: &[&str],
    constants: &BTreeMap<String, f64>,
) -> FormulaFault {
    let mut values: Vec<&str> = variables.to_vec();
    let own: Vec<&str> = CONSTANTS
        .iter()
        .map(|(name, _)| *name)
        .chain(constants.keys().map(|k| k.as_str()))
        .collect();
    values.extend(&own);
    let near = nearest(name, values.iter().chain(FUNCTIONS).copied());
    let mean = near.map_or(String::new(), |near| format!("did you mean {}? ", quoted(near)));
    let help = format!(
        "{mean}variables: {}; constants: {}; functions: {}",
        listed(variables),
        listed(&own),
        listed(FUNCTIONS)
    );
    FormulaFault::at(position, format!("unknown name {} in the formula", quoted(name)), help)
}

#[cfg(test)]
mod tests;
