"""Places for slips in the sources: which there are, which are drawn, and how a switch is written into one."""
import dataclasses
import random
import re
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
CORE = "crates/core/src"
SOURCES = [CORE, "crates/scene/src", "crates/engines/src", "crates/lab/src", "crates/view/src", "src"]
# crates that are one room each; the rooms of the others are the files and folders below them
WHOLE = {"crates/scene/src": "scene", "crates/view/src": "view", "src": "cli"}

# what every switch asks; it stands in the lowest crate, which all others use
SWITCH = '''//! Switches of mutants, and which of them were reached.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

struct Switches {
    chosen: usize,
    reached: Option<File>,
}

static SWITCHES: OnceLock<Switches> = OnceLock::new();
static REACHED: [AtomicBool; PLACES] = [const { AtomicBool::new(false) }; PLACES];

fn read() -> Switches {
    let chosen = std::env::var("STICTION_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let file = std::env::var_os("STICTION_REACHED");
    let open = |path| OpenOptions::new().create(true).append(true).open(path).ok();
    Switches { chosen, reached: file.and_then(open) }
}

/// One line in the file, without an allocation: some tests count them.
#[cold]
fn note(mut file: &File, number: usize) {
    if !REACHED[number].swap(true, Ordering::Relaxed) {
        let mut line = [0_u8; 16];
        let mut rest = &mut line[..];
        let _ = writeln!(rest, "{number}");
        let length = 16 - rest.len();
        let _ = file.write_all(&line[..length]);
    }
}

/// Whether a mutant is switched on.
#[inline]
pub fn on(number: usize) -> bool {
    let switches = SWITCHES.get_or_init(read);
    if let Some(file) = &switches.reached
        && !REACHED[number].load(Ordering::Relaxed)
    {
        note(file, number);
    }
    switches.chosen == number
}

/// −1 where it is on.
#[inline]
pub fn sign(number: usize) -> f64 {
    if on(number) { -1.0 } else { 1.0 }
}

/// A constant, × 1.5 where it is on.
#[inline]
pub fn value(number: usize, x: f64) -> f64 {
    if on(number) { 1.5 * x } else { x }
}

/// What is added to an index: one where it is on.
#[inline]
pub fn next(number: usize) -> usize {
    usize::from(on(number))
}

/// The larger number, or the smaller where it is on.
#[inline]
pub fn larger(number: usize, a: f64, b: f64) -> f64 {
    if on(number) { crate::math::smaller(a, b) } else { crate::math::larger(a, b) }
}

/// The smaller number, or the larger where it is on.
#[inline]
pub fn smaller(number: usize, a: f64, b: f64) -> f64 {
    if on(number) { crate::math::larger(a, b) } else { crate::math::smaller(a, b) }
}

/// Numbers whose larger and smaller are mixed up.
pub trait Extreme {
    /// `max`, or `min` where it is on.
    fn max_or(self, number: usize, other: Self) -> Self;
    /// `min`, or `max` where it is on.
    fn min_or(self, number: usize, other: Self) -> Self;
}

/// Ends of ranges.
pub trait End {
    /// One less where it is on, but never below the least number.
    fn fewer(self, number: usize) -> Self;
}

macro_rules! numbers {
    ($($kind:ty)*) => {$(
        impl Extreme for $kind {
            #[inline]
            fn max_or(self, number: usize, other: Self) -> Self {
                if on(number) { self.min(other) } else { self.max(other) }
            }
            #[inline]
            fn min_or(self, number: usize, other: Self) -> Self {
                if on(number) { self.max(other) } else { self.min(other) }
            }
        }
    )*};
}
numbers!(f64 f32 usize u64 u32 u8 i64 i32 std::time::Duration);

macro_rules! ends {
    ($($kind:ty)*) => {$(
        impl End for $kind {
            #[inline]
            fn fewer(self, number: usize) -> Self {
                if on(number) { self.saturating_sub(1) } else { self }
            }
        }
    )*};
}
ends!(usize u64 u32 i64 i32);

/// The end of a range, one less where it is on.
#[inline]
pub fn fewer<T: End>(number: usize, end: T) -> T {
    end.fewer(number)
}
'''
IMPORT = "#[allow(unused_imports)]\nuse {path}::Extreme as _;\n"
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


@dataclasses.dataclass(frozen=True)
class Place:
    file: str
    line: int  # from 0
    kind: str
    start: int
    end: int
    slip: str  # in words, for people
    source: str  # the line, without its comment


def room(file):
    """The room of ARCHITECTURE.md that a file stands in."""
    home = next(home for home in SOURCES if file.startswith(home + "/"))
    return WHOLE.get(home) or file[len(home) + 1:].split("/")[0].removesuffix(".rs")


# a comment, a raw string, a string, a character
TOKEN = re.compile(r"""//[^\n]*|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^']+|[^'\\\n])'""")


def quoted_lines(text):
    """Numbers of the lines that begin within a string."""
    found = set()
    for token in TOKEN.finditer(text):
        first = text.count("\n", 0, token.start())
        found.update(range(first + 1, first + 1 + token.group().count("\n")))
    return found


def code_lines(text):
    """Numbers of the lines that hold code of functions, without tests, tables, texts and comments."""
    quoted = quoted_lines(text)
    inside, skipping, depth = False, False, 0
    for number, line in enumerate(text.split("\n")):
        bare = line.strip()
        code = re.sub(r"'.'|\"[^\"]*\"", "", line.split("//")[0])
        if bare == "#[cfg(test)]":
            inside, skipping, depth = False, True, 0
            continue
        if not inside and not skipping:
            inside = re.match(r"\s*(pub(\([a-z]+\))? )?(unsafe )?fn \w", line) is not None
            depth = 0
        if inside or skipping:
            depth += code.count("{") - code.count("}")
            if inside and number not in quoted and '"' not in line and not re.match(
                    r"(//|#|const|static|fn|pub|unreachable|(debug_)?assert|panic|type |use |where)", bare):
                yield number
            if depth <= 0 and (code.rstrip().endswith(";") or "}" in code):
                inside = skipping = False


def left(code, end):
    """Where the operand begins that ends before `end`; nothing where it is not whole."""
    depth, k = 0, end
    while k > 0:
        c = code[k - 1]
        if c in ")]}":
            depth += 1
        elif c in "([{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (c in ",;|" or code[:k].endswith(("&& ", "= ", "=> ", "if ", "while ", "return "))):
            break
        k -= 1
    while k < end and code[k] == " ":
        k += 1
    return None if depth or k == end or code[k] in ".+-*/&|=?" else k


def right(code, begin):
    """Where the operand ends that begins at `begin`; nothing where it is not whole."""
    depth = 0
    for k in range(begin, len(code)):
        if code[k] in "([{" and not (depth == 0 and code[k] == "{"):
            depth += 1
        elif depth == 0 and (code[k] in ")]},;{" or code[k:].startswith((" &&", " ||", " =>"))):
            return len(code[:k].rstrip())
        elif code[k] in ")]}":
            depth -= 1
    return None if depth else len(code.rstrip())


def places(file, text):
    """All places of a file."""
    lines = text.split("\n")
    for number in code_lines(text):
        code = lines[number].split("//")[0].rstrip()
        following = lines[number + 1].strip() if number + 1 < len(lines) else ""
        goes_on = following.startswith((".", "+", "-", "*", "/", "%", "as "))

        def place(kind, start, end, slip):
            return Place(file, number, kind, start, end, slip, code.strip())

        for match in re.finditer(r"(?:(?<=[\w)\]?]) |^\s+)([+-]) (?=[\w(])", code):
            term = re.match(r"[\w.]+|", code[match.end():]).group(0)
            sign = match.group(1)
            slip = f"{sign} {term} → {'-' if sign == '+' else '+'} {term}"
            yield place("sign", match.end(), match.end(), slip)
        for match in re.finditer(r"(?:(?<=[(=,] )|(?<=\())-(?=[a-z(])", code):
            term = re.match(r"[\w.]+|", code[match.end():]).group(0)
            yield place("sign", match.start(), match.start(), f"-{term} → {term}")
        for match in re.finditer(r"(?<![\w.\[])(\d+\.\d+(e-?\d+)?|\d+e-?\d+)(?![\w.])", code):
            if float(match.group(0)) != 0.0:
                slip = f"{match.group(0)} → {1.5 * float(match.group(0)):g}"
                yield place("constant", match.start(), match.end(), slip)
        for match in re.finditer(r"(?<![\w:.])(larger|smaller)\(", code):
            other = {"larger": "smaller", "smaller": "larger"}[match.group(1)]
            yield place("extreme", match.start(), match.end(), f"{match.group(1)} → {other}")
        for match in re.finditer(r"\.(max|min)\((?!\))", code):
            other = {"max": "min", "min": "max"}[match.group(1)]
            yield place("method", match.start(), match.end(), f"{match.group(1)} → {other}")
        match = re.match(r"(\s*(?:\} else )?if )(?!let\b)([^{]*[^{ ])( \{)$", code)
        if match and "let " not in code:
            yield place("condition", match.start(2), match.end(2), "condition negated")
        match = re.match(r"\s*[\w.\[\]*]+ ([+-]=) [^;]*;$", code)
        if match:
            slip = {"+=": "+= → -=", "-=": "-= → +="}[match.group(1)]
            yield place("increment", match.start(1), match.end(1), slip)
        if re.match(r"\s*(self|[a-z_]+)[\w.\[\]]*(\([^;]*\)\??| [+*/-]?= [^;]*);$", code):
            if not re.match(r"\s*(let|return|break|continue|drop)\b", code):
                yield place("statement", 0, len(code), "left out")
        for match in re.finditer(r"(?<= )(<=|<|>=|>)(?= )", code):
            begin, end = left(code, match.start() - 1), right(code, match.end() + 1)
            whole = end is not None and not (end == len(code) and goes_on)
            if begin is not None and whole and "'" not in code:
                one, other = code[begin:match.start()], code[match.end():end]
                slip = f"{one}{match.group(0)}{other} → {one}{OTHER[match.group(0)]}{other}"
                yield place("compare " + str(match.start() - begin), begin, end, slip)
        for match in re.finditer(r"(?<=[\w)\]])\[(\w+(?:\.\w+)*(?: [+-] \d+)?(?: as usize)?)\]", code):
            of = re.search(r"[\w.\[\]]*$", code[:match.start()]).group(0)
            slip = f"{of}[{match.group(1)}] → {of}[{match.group(1)} + 1]"
            yield place("index", match.start(1), match.end(1), slip)
        for match in re.finditer(r"\.(?:get|nth|skip)\((\w+(?:\.\w+)*)\)", code):
            slip = f"{match.group(1)} → {match.group(1)} + 1"
            yield place("index", match.start(1), match.end(1), slip)
        for match in re.finditer(r"(?<=[\w)\]])\.\.(?=[\w(])", code):
            end = right(code, match.end())
            if end is not None and not (end == len(code) and goes_on):
                slip = f"..{code[match.end():end]} → ..{code[match.end():end]} - 1"
                yield place("range", match.end(), end, slip)


def written(line, place, n, path):
    """The line with a switch; `path` leads to the switch."""
    before, here, rest = line[:place.start], line[place.start:place.end], line[place.end:]
    kind, _, offset = place.kind.partition(" ")
    if kind == "sign":
        return f"{before}{path}::sign({n}) * {rest}"
    if kind == "constant":
        return f"{before}{path}::value({n}, {here}){rest}"
    if kind == "extreme":
        return f"{before}{path}::{here}{n}, {rest}"
    if kind == "method":
        return f"{before}{here[:-1]}_or({n}, {rest}"
    if kind == "condition":
        return f"{before}{path}::on({n}) != ({here}){rest}"
    if kind == "increment":
        body = rest.split("//")[0].rstrip().rstrip(";").strip()
        return f"{before}{here} {path}::sign({n}) * ({body});"
    if kind == "compare":
        operator = here[int(offset):].split(" ")[0]
        slipped = here[:int(offset)] + OTHER[operator] + here[int(offset) + len(operator):]
        return f"{before}(if {path}::on({n}) {{ {slipped} }} else {{ {here} }}){rest}"
    if kind == "index":
        return f"{before}({here}) + {path}::next({n}){rest}"
    if kind == "range":
        return f"{before}{path}::fewer({n}, {here}){rest}"
    return f"if !{path}::on({n}) {{ {line.split('//')[0].strip()} }}"


def inject(file, text, numbered):
    """A file's text with its switches, as {number: place}."""
    path = "crate::mutant" if file.startswith(CORE + "/") else "stiction_core::mutant"
    lines = text.split("\n")
    for n, place in numbered.items():
        lines[place.line] = written(lines[place.line], place, n, path)
    if any(place.kind == "method" for place in numbered.values()):
        lines.append(IMPORT.format(path=path))
    return "\n".join(lines)


def holds_code(path):
    """Whether slips are drawn from a file; a stub `no_*.rs` stands where a feature is off."""
    named = path.name in ("tests.rs", "lib.rs", "main.rs") or path.name.startswith("no_")
    return not named and "tests" not in path.parts


def candidates(seed):
    """Per room its lines of code, and its places in random order, one per line."""
    rooms = {}
    for home in SOURCES:
        for path in sorted((HOME / home).rglob("*.rs")):
            file = str(path.relative_to(HOME))
            if not holds_code(path):
                continue
            text = path.read_text()
            length, found = rooms.setdefault(room(file), [0, []])
            rooms[room(file)][0] = length + sum(1 for _ in code_lines(text))
            found += places(file, text)
    for name, (_, found) in rooms.items():
        random.Random(f"{seed} {name}").shuffle(found)
        one_per_line = {}
        for place in found:
            one_per_line.setdefault((place.file, place.line), place)
        rooms[name][1] = list(one_per_line.values())
    return {name: (length, found) for name, (length, found) in rooms.items() if found}


def shares(lengths, count):
    """How many of `count` places each room gets: by its length, at least one."""
    whole = sum(lengths.values())
    exact = {name: max(1.0, count * length / whole) for name, length in lengths.items()}
    given = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: given[name] - exact[name])
    for name in by_rest[:max(0, count - sum(given.values()))]:
        given[name] += 1
    return given
