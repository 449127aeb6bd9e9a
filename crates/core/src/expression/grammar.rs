//! The grammar of formulas, read by recursive descent with a bound on the depth.
//!
//! ```text
//! sum     = product { (+|−) product }
//! product = signed { (*|/) signed }
//! signed  = { +|− } power
//! power   = atom [ ^ signed ]
//! atom    = number | name | function ( sum [ , sum ] ) | ( sum )
//! ```

use super::graph::{Function, Graph, Operator};
use super::{CONSTANTS, FormulaFault, LONGEST, quoted, unknown};
use std::collections::BTreeMap;

/// Deepest nesting of parentheses, signs and powers.
const DEEPEST: usize = 100;

/// Adds the formula to the graph; returns the place of its value.
pub(super) fn read(
    text: &str,
    variables: &[&str],
    constants: &BTreeMap<String, f64>,
    graph: &mut Graph,
) -> Result<u32, FormulaFault> {
    let letters: Vec<char> = text.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        let message = format!("the formula is longer than {LONGEST} characters");
        let help = "shorten it, with `constants` for what repeats".into();
        return Err(FormulaFault { message, help, position: None });
    }
    let mut reader =
        FormulaReader { letters: &letters, at: 0, depth: 0, variables, constants, graph };
    reader.skip();
    if reader.peek().is_none() {
        let message = "the formula is empty".into();
        let help = "write a number or a formula such as \"0.3 + 0.2*exp(-s/0.1)\"".into();
        return Err(FormulaFault { message, help, position: None });
    }
    let root = reader.sum()?;
    match reader.peek() {
        None => Ok(root),
        Some(_) => Err(reader.stray()),
    }
}

struct FormulaReader<'a> {
    letters: &'a [char],
    at: usize,
    depth: usize,
    variables: &'a [&'a str],
    constants: &'a BTreeMap<String, f64>,
    graph: &'a mut Graph,
}

impl FormulaReader<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn skip(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// If the character `wanted` is next, takes it and the space after it.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += 1;
            self.skip();
        }
        found
    }

    fn sum(&mut self) -> Result<u32, FormulaFault> {
        let mut left = self.product()?;
        loop {
            let operator = if self.take('+') {
                Operator::Add
            } else if self.take('-') {
                Operator::Subtract
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.graph.combine(operator, left, right);
        }
    }

    fn product(&mut self) -> Result<u32, FormulaFault> {
        let mut left = self.signed()?;
        loop {
            let operator = if self.take('*') {
                Operator::Multiply
            } else if self.take('/') {
                Operator::Divide
            } else {
                return Ok(left);
            };
            let right = self.signed()?;
            left = self.graph.combine(operator, left, right);
        }
    }

    /// All recursion passes here, so here the depth is counted.
    fn signed(&mut self) -> Result<u32, FormulaFault> {
        if self.depth == DEEPEST {
            let message = format!("the formula is nested more than {DEEPEST} deep");
            return Err(FormulaFault::at(self.at, message, "write it with fewer parentheses"));
        }
        self.depth += 1;
        let value = if self.take('-') {
            let value = self.signed()?;
            self.graph.apply(Function::Negative, value)
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<u32, FormulaFault> {
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        let exponent = self.signed()?;
        Ok(self.graph.combine(Operator::Power, base, exponent))
    }

    fn atom(&mut self) -> Result<u32, FormulaFault> {
        let start = self.at;
        match self.peek() {
            Some('(') => self.parenthesis(start),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.name(),
            Some(_) => Err(self.stray()),
            None => {
                let help = "write a number, a name or a parenthesis there";
                Err(FormulaFault::at(start, "the formula ends where a value should follow", help))
            }
        }
    }

    /// A sum in parentheses, the first of which is next.
    fn parenthesis(&mut self, start: usize) -> Result<u32, FormulaFault> {
        self.take('(');
        let value = self.sum()?;
        if self.take(')') {
            return Ok(value);
        }
        match self.peek() {
            None => {
                Err(FormulaFault::at(start, "a parenthesis is not closed", "close it with `)`"))
            }
            Some(_) => Err(self.stray()),
        }
    }

    /// Two sums in parentheses, the first of which is next.
    fn pair(&mut self, operator: Operator, name: &str) -> Result<u32, FormulaFault> {
        let start = self.at;
        self.take('(');
        let left = self.sum()?;
        if !self.take(',') {
            let message = format!("{} needs two arguments", quoted(name));
            return Err(FormulaFault::at(self.at, message, format!("write {name}(..., ...)")));
        }
        let right = self.sum()?;
        match (self.take(')'), self.peek()) {
            (true, _) => Ok(self.graph.combine(operator, left, right)),
            (false, None) => {
                Err(FormulaFault::at(start, "a parenthesis is not closed", "close it with `)`"))
            }
            (false, Some(_)) => Err(self.stray()),
        }
    }

    fn number(&mut self) -> Result<u32, FormulaFault> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            while reader.peek().is_some_and(|c| c.is_ascii_digit()) {
                reader.at += 1;
            }
        };
        digits(self);
        if self.peek() == Some('.') {
            self.at += 1;
            digits(self);
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            let signed = matches!(self.letters.get(self.at + 1), Some('+' | '-'));
            let first = self.at + 1 + usize::from(signed);
            if self.letters.get(first).is_some_and(char::is_ascii_digit) {
                self.at = first;
                digits(self);
            }
        }
        let text: String = self.letters[start..self.at].iter().collect();
        let value = text.parse::<f64>().ok().filter(|x| x.is_finite());
        let Some(value) = value else {
            let message = format!("{} is no number", quoted(&text));
            return Err(FormulaFault::at(start, message, "write numbers like 0.25 or 2e-3"));
        };
        self.skip();
        Ok(self.graph.number(value))
    }

    fn name(&mut self) -> Result<u32, FormulaFault> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.at += 1;
        }
        let name: String = self.letters[start..self.at].iter().collect();
        self.skip();
        let called = self.peek() == Some('(');
        if let Some(function) = Function::named(&name) {
            if !called {
                let message = format!("{} is a function and needs an argument", quoted(&name));
                return Err(FormulaFault::at(start, message, format!("write {name}(...)")));
            }
            let argument = self.parenthesis(self.at)?;
            return Ok(self.graph.apply(function, argument));
        }
        if let Some(operator) = Operator::named(&name) {
            if !called {
                let message = format!("{} is a function and needs two arguments", quoted(&name));
                return Err(FormulaFault::at(start, message, format!("write {name}(..., ...)")));
            }
            return self.pair(operator, &name);
        }
        let known = CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let value = if let Some(index) = self.variables.iter().position(|v| *v == name) {
            self.graph.variable(index)
        } else if let Some(value) = self.constants.get(&name).copied().or(known) {
            self.graph.number(value)
        } else {
            return Err(unknown(&name, start, self.variables, self.constants));
        };
        if called {
            let message = format!("{} is no function", quoted(&name));
            return Err(FormulaFault::at(
                start,
                message,
                format!("write {name}*(...) to multiply"),
            ));
        }
        Ok(value)
    }

    /// The fault that the character at the present place cannot stand there.
    fn stray(&self) -> FormulaFault {
        let c = self.peek().unwrap_or(' ');
        let shown = quoted(&c.to_string());
        let help = match c {
            '*' => "a power is written with `^`: x^2".into(),
            '−' | '–' => "write the minus sign of the keyboard, `-`".into(),
            '·' | '×' => "write `*` to multiply".into(),
            '²' | '³' => "a power is written with `^`: x^2".into(),
            ',' => "a decimal point is written `.`, and only min and max have two arguments".into(),
            ')' => "nothing is open here: remove it, or open it before".into(),
            c if c.is_alphanumeric() || c == '(' || c == '_' || c == '.' => {
                "put an operator between two values: 2*x, not 2x".into()
            }
            _ => format!("a formula has numbers, names, + - * / ^ and parentheses, not {shown}"),
        };
        FormulaFault::at(self.at, format!("{shown} cannot stand here in the formula"), help)
    }
}
