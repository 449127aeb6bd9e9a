//! A formula as a list of operations: each of them once, and operands before the operations on
//! them.

use crate::math::{cos, exp, larger, log, pow, sin, smaller, sqrt, tan, tanh};
use std::collections::BTreeMap;

/// Operations whose values fit into the small buffer on the stack.
const SMALL: usize = 48;
/// Operations whose values fit into the large buffer on the stack; more are allocated.
const LARGE: usize = 256;

/// A function of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Function {
    Negative,
    Sin,
    Cos,
    Tan,
    Exp,
    Log,
    Sqrt,
    Abs,
    Tanh,
    /// −1, 0 or 1: the derivative of `abs`.
    Sign,
}

/// An operation on two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Least,
    Most,
}

/// One entry of the list; operands are places in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GraphNode {
    /// The bits of a number, so that nodes can be compared.
    Number(u64),
    Variable(u32),
    Apply(Function, u32),
    Combine(Operator, u32, u32),
}

impl Function {
    /// The function with this name in formulas.
    pub(super) fn named(name: &str) -> Option<Function> {
        Some(match name {
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "tan" => Function::Tan,
            "exp" => Function::Exp,
            "log" => Function::Log,
            "sqrt" => Function::Sqrt,
            "abs" => Function::Abs,
            "tanh" => Function::Tanh,
            _ => return None,
        })
    }

    fn of(self, x: f64) -> f64 {
        match self {
            Function::Negative => -x,
            Function::Sin => sin(x),
            Function::Cos => cos(x),
            Function::Tan => tan(x),
            Function::Exp => exp(x),
            Function::Log => log(x),
            Function::Sqrt => sqrt(x),
            Function::Abs => x.abs(),
            Function::Tanh => tanh(x),
            // also of NaN, which shows in the value of `abs` itself
            Function::Sign if x > 0.0 => 1.0,
            Function::Sign if x < 0.0 => -1.0,
            Function::Sign => 0.0,
        }
    }
}

impl Operator {
    /// The function of two arguments with this name in formulas.
    pub(super) fn named(name: &str) -> Option<Operator> {
        match name {
            "min" => Some(Operator::Least),
            "max" => Some(Operator::Most),
            _ => None,
        }
    }

    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Operator::Add => a + b,
            Operator::Subtract => a - b,
            Operator::Multiply => a * b,
            Operator::Divide => a / b,
            Operator::Power if b == 2.0 => a * a,
            Operator::Power => pow(a, b),
            // also of NaN, which `smaller` would hide
            Operator::Least | Operator::Most if a.is_nan() || b.is_nan() => f64::NAN,
            Operator::Least => smaller(a, b),
            Operator::Most => larger(a, b),
        }
    }
}

/// The list, and where each operation stands in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<GraphNode>,
    places: BTreeMap<GraphNode, u32>,
}

impl Graph {
    fn place(&mut self, node: GraphNode) -> u32 {
        if let Some(place) = self.places.get(&node) {
            return *place;
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(node);
        self.places.insert(node, place);
        place
    }

    fn constant(&self, place: u32) -> Option<f64> {
        match self.nodes[place as usize] {
            GraphNode::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    pub(super) fn number(&mut self, x: f64) -> u32 {
        self.place(GraphNode::Number(x.to_bits()))
    }

    pub(super) fn variable(&mut self, index: usize) -> u32 {
        self.place(GraphNode::Variable(index as u32))
    }

    pub(super) fn apply(&mut self, function: Function, a: u32) -> u32 {
        match (self.constant(a), function, self.nodes[a as usize]) {
            (Some(x), ..) => self.number(function.of(x)),
            (_, Function::Negative, GraphNode::Apply(Function::Negative, inner)) => inner,
            _ => self.place(GraphNode::Apply(function, a)),
        }
    }

    /// Combines two operands; what needs no computing is left out.
    pub(super) fn combine(&mut self, operator: Operator, a: u32, b: u32) -> u32 {
        use Operator::{Add, Divide, Multiply, Power, Subtract};
        match (operator, self.constant(a), self.constant(b)) {
            (_, Some(x), Some(y)) => self.number(operator.of(x, y)),
            (Add, Some(0.0), _) => b,
            (Add | Subtract, _, Some(0.0)) => a,
            (Subtract, Some(0.0), _) => self.apply(Function::Negative, b),
            (Multiply, Some(1.0), _) => b,
            (Multiply | Divide | Power, _, Some(1.0)) => a,
            (Multiply, Some(0.0), _) | (Multiply, _, Some(0.0)) => self.number(0.0),
            (Divide, Some(0.0), _) => self.number(0.0),
            (Power, _, Some(0.0)) => self.number(1.0),
            _ => self.place(GraphNode::Combine(operator, a, b)),
        }
    }

    /// The derivative of the operation at `root` with respect to a variable: at most a few more
    /// operations for every one there is.
    pub(super) fn derivative(&mut self, root: u32, variable: usize) -> u32 {
        let zero = self.number(0.0);
        let mut slopes: Vec<u32> = Vec::with_capacity(root as usize + 1);
        for place in 0..=root {
            let slope = match self.nodes[place as usize] {
                GraphNode::Number(_) => zero,
                GraphNode::Variable(index) => self.number(f64::from(index == variable as u32)),
                GraphNode::Apply(function, a) => self.chain(function, a, place, slopes[a as usize]),
                GraphNode::Combine(operator, a, b) => {
                    let slopes = (slopes[a as usize], slopes[b as usize]);
                    self.product(operator, (a, b), place, slopes)
                }
            };
            slopes.push(slope);
        }
        slopes[root as usize]
    }

    /// f'(a) · slope, where `value` is f(a).
    fn chain(&mut self, function: Function, a: u32, value: u32, slope: u32) -> u32 {
        use Operator::{Add, Divide, Multiply, Subtract};
        let one = self.number(1.0);
        let outer = match function {
            Function::Negative => return self.apply(Function::Negative, slope),
            Function::Sin => self.apply(Function::Cos, a),
            Function::Cos => {
                let sine = self.apply(Function::Sin, a);
                self.apply(Function::Negative, sine)
            }
            Function::Tan => {
                let square = self.combine(Multiply, value, value);
                self.combine(Add, one, square)
            }
            Function::Exp => value,
            Function::Log => return self.combine(Divide, slope, a),
            Function::Sqrt => {
                let twice = self.combine(Add, value, value);
                return self.combine(Divide, slope, twice);
            }
            Function::Abs => self.apply(Function::Sign, a),
            Function::Tanh => {
                let square = self.combine(Multiply, value, value);
                self.combine(Subtract, one, square)
            }
            Function::Sign => self.number(0.0),
        };
        self.combine(Multiply, outer, slope)
    }

    /// The derivative of a combination, where `value` is the combination itself.
    fn product(
        &mut self,
        operator: Operator,
        (a, b): (u32, u32),
        value: u32,
        (da, db): (u32, u32),
    ) -> u32 {
        use Operator::{Add, Divide, Multiply, Power, Subtract};
        match operator {
            Add | Subtract => self.combine(operator, da, db),
            // (a' + b' ∓ sign(a − b) (a' − b'))/2: the mean where both are equal
            Operator::Least | Operator::Most => {
                let gap = self.combine(Subtract, a, b);
                let side = self.apply(Function::Sign, gap);
                let (sum, apart) = (self.combine(Add, da, db), self.combine(Subtract, da, db));
                let chosen = self.combine(Multiply, side, apart);
                let least = operator == Operator::Least;
                let twice = self.combine(if least { Subtract } else { Add }, sum, chosen);
                let half = self.number(0.5);
                self.combine(Multiply, half, twice)
            }
            Multiply => {
                let (left, right) = (self.combine(Multiply, da, b), self.combine(Multiply, a, db));
                self.combine(Add, left, right)
            }
            // (a' − (a/b) b')/b
            Divide => {
                let carried = self.combine(Multiply, value, db);
                let upper = self.combine(Subtract, da, carried);
                self.combine(Divide, upper, b)
            }
            // b a^(b−1) a' + a^b log(a) b'
            Power => {
                let one = self.number(1.0);
                let less = self.combine(Subtract, b, one);
                let lower = self.combine(Power, a, less);
                let steep = self.combine(Multiply, b, lower);
                let left = self.combine(Multiply, steep, da);
                if self.constant(db) == Some(0.0) {
                    return left;
                }
                let logarithm = self.apply(Function::Log, a);
                let grown = self.combine(Multiply, value, logarithm);
                let right = self.combine(Multiply, grown, db);
                self.combine(Add, left, right)
            }
        }
    }

    /// The operations that the roots need, in the old order, and the roots' places among them.
    pub(super) fn trimmed(&self, roots: &[u32]) -> (Graph, Vec<u32>) {
        let mut needed = vec![false; self.nodes.len()];
        for root in roots {
            needed[*root as usize] = true;
        }
        for place in (0..self.nodes.len()).rev() {
            match self.nodes[place] {
                GraphNode::Apply(_, a) if needed[place] => needed[a as usize] = true,
                GraphNode::Combine(_, a, b) if needed[place] => {
                    needed[a as usize] = true;
                    needed[b as usize] = true;
                }
                _ => {}
            }
        }
        let mut graph = Graph::default();
        let mut places = vec![0; self.nodes.len()];
        for place in (0..self.nodes.len()).filter(|place| needed[*place]) {
            places[place] = graph.place(match self.nodes[place] {
                GraphNode::Apply(function, a) => GraphNode::Apply(function, places[a as usize]),
                GraphNode::Combine(operator, a, b) => {
                    GraphNode::Combine(operator, places[a as usize], places[b as usize])
                }
                leaf => leaf,
            });
        }
        let roots = roots.iter().map(|root| places[*root as usize]).collect();
        (graph, roots)
    }

    /// Evaluates all operations and passes their values to `read`.
    pub(super) fn with_values<R>(&self, variables: &[f64], read: impl FnOnce(&[f64]) -> R) -> R {
        let length = self.nodes.len();
        if length <= SMALL {
            let mut values = [0.0; SMALL];
            self.fill(variables, &mut values[..length]);
            read(&values)
        } else if length <= LARGE {
            let mut values = [0.0; LARGE];
            self.fill(variables, &mut values[..length]);
            read(&values)
        } else {
            let mut values = vec![0.0; length];
            self.fill(variables, &mut values);
            read(&values)
        }
    }

    /// The value of `root`; if few operations precede it, those after it are not evaluated.
    pub(super) fn with_values_up_to(&self, root: u32, variables: &[f64]) -> f64 {
        let length = root as usize + 1;
        if length <= SMALL {
            let mut values = [0.0; SMALL];
            self.fill(variables, &mut values[..length]);
            values[root as usize]
        } else {
            self.with_values(variables, |values| values[root as usize])
        }
    }

    fn fill(&self, variables: &[f64], values: &mut [f64]) {
        for place in 0..values.len() {
            values[place] = match self.nodes[place] {
                GraphNode::Number(bits) => f64::from_bits(bits),
                GraphNode::Variable(index) => variables[index as usize],
                GraphNode::Apply(function, a) => function.of(values[a as usize]),
                GraphNode::Combine(operator, a, b) => {
                    operator.of(values[a as usize], values[b as usize])
                }
            };
        }
    }
}
