"""Formulas of questions: names, numbers, + − * / **, comparisons and a few functions."""

import ast
import math
import operator

FUNCTIONS = {
    name: getattr(math, name)
    for name in ("sqrt", "sin", "cos", "tan", "atan", "atan2", "exp", "log", "radians", "degrees")
}
FUNCTIONS |= {"abs": abs, "min": min, "max": max}
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
}


class FormulaError(ValueError):
    """A formula that cannot be read or has no value."""


def value(text: str, names: dict[str, float]):
    """Value of a formula with names filled in."""
    try:
        return _value(ast.parse(text, mode="eval").body, {"pi": math.pi, **names})
    except (SyntaxError, ArithmeticError, ValueError) as error:
        raise FormulaError(f"{text!r}: {error}") from None


def _value(node, names):
    match node:
        case ast.Constant(value=int() | float()):
            return node.value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand, names)
        case ast.BinOp() if type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](_value(node.left, names), _value(node.right, names))
        case ast.Compare(ops=[op]) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(node.left, names), _value(node.comparators[0], names))
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(a, names) for a in node.args))
    raise ValueError(f"{ast.unparse(node)!r} is not known; names: {', '.join(sorted(names))}")
