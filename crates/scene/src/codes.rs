//! Codes of all messages of the scene reader, with a paragraph on each for `explain CODE`.

/// One code.
#[derive(Debug, Clone, Copy)]
pub struct Code {
    /// For example `E201`; errors start with `E`, warnings with `W`.
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    /// Its meaning and the remedy.
    pub about: &'static str,
}

const fn code(code: &'static str, title: &'static str, about: &'static str) -> Code {
    Code { code, title, about }
}

/// All codes of the scene reader.
pub const CODES: &[Code] = &[
    code(
        "E101",
        "not valid TOML",
        "The text breaks the grammar of TOML 1.0 (https://toml.io): a missing `=`, a string or bracket that is not closed, a second value on a line, more than 80 levels of nesting. The marked place is where reading stopped making sense; the cause may stand a little before it.",
    ),
    code(
        "E102",
        "duplicate key",
        "A key or a table is written twice in one file. TOML allows each only once, because one of the two would silently be ignored. Remove one of them. Only tables with double brackets, such as [[body]], may be repeated.",
    ),
    code(
        "E103",
        "not UTF-8 text",
        "Scene files are UTF-8 text. The file holds bytes that are not, or is UTF-16, as some editors on Windows write it. Save it again as UTF-8.",
    ),
    code(
        "E104",
        "forbidden character",
        "The text holds a NUL byte, or a carriage return without a line feed. Neither belongs in a text file; often the file is binary or was damaged in transfer.",
    ),
    code(
        "E105",
        "cannot read the file",
        "The operating system refused to open or read the file, or the path is a directory, a pipe or a device. Scene files must be regular files; use `-` to read a scene from standard input.",
    ),
    code(
        "E106",
        "too much text",
        "A scene with all its includes may have at most 64 MiB of text and 256 files, and includes may be nested 16 deep. Larger data such as meshes belong in files of their own.",
    ),
    code(
        "E107",
        "include refused",
        "`include` takes a list of file names relative to the folder of the scene. They must lie inside this folder, also after following symbolic links, and must be regular files. Absolute paths, `..` and `~` are refused unless --allow-path is given.",
    ),
    code(
        "E108",
        "includes in a circle",
        "A file includes itself, directly or through others. The chain is printed; remove one link of it. Including the same file twice without a circle is fine: it is read once.",
    ),
    code(
        "E109",
        "bad --set",
        "`--set` takes KEY=VALUE, where KEY is a path of scene keys joined by dots, such as time.step or contact.friction.epsilon. An element of [[body]], [[collider]] and so on is addressed by its name or its number from 0: body.box.mass. VALUE is a TOML value; a bare word is taken as text.",
    ),
    code(
        "E201",
        "unknown key",
        "The key is not one that this table knows. Unknown keys are errors, because a misspelt key that is ignored leaves a default in force that nobody asked for. `stiction schema` and the scene reference list all keys.",
    ),
    code(
        "E202",
        "key in the wrong table",
        "The key exists, but in another table, or it belongs to another law, method or shape than the one chosen. Move it there, or choose the one it belongs to.",
    ),
    code(
        "E203",
        "missing key",
        "A key without a default is not there. The message names its table, type and unit.",
    ),
    code(
        "E204",
        "wrong type",
        "The value has another type than the key takes, for example text where a number is wanted. Numbers stand without quotation marks.",
    ),
    code(
        "E205",
        "not available in this version",
        "The key is part of the scene format, but this version of the program cannot do it yet. It is refused instead of being ignored, so that no result is mistaken for what the scene asks for.",
    ),
    code(
        "E206",
        "format version",
        "Every scene starts with `format = 1`, the version of the scene language it is written in. This program reads format 1 only.",
    ),
    code(
        "E301",
        "out of range",
        "The number lies outside the range of the key. Besides its own range every number must be at most 1e15 in magnitude.",
    ),
    code("E302", "not finite", "`nan` and `inf` are valid TOML but no physical values."),
    code(
        "E303",
        "number cannot be represented",
        "The number is too large for its type, or so small that it would silently become zero or lose digits (below 2.3e-308).",
    ),
    code(
        "E304",
        "wrong number of elements",
        "The list has another length than the key takes, for example two numbers for a vector.",
    ),
    code(
        "E305",
        "unusable name",
        "Names must not be empty and must be printable: no control characters, no invisible characters and none that change the direction of writing, so that two names that look equal are equal.",
    ),
    code(
        "E306",
        "name used twice",
        "Names of bodies, of colliders and of measures are unique, so that references to them and columns of the results are. A measure without a direction makes three columns, NAME_x, NAME_y and NAME_z; none may have the name of another measure's column or of one that every run has, such as `kinetic`, `sliding` or `drift_BODY`.",
    ),
    code(
        "E307",
        "unknown name",
        "The value refers to something that does not exist: a body or material the scene does not define, or a method, law, shape or measure this version does not have. The known ones are listed.",
    ),
    code(
        "E308",
        "empty scene",
        "The scene has no bodies, so there is nothing to simulate. Add a [[body]].",
    ),
    code(
        "E309",
        "times do not fit",
        "Time is the number of steps times the step. `end` and `output` must therefore be whole multiples of `step` (to one part in 1e9), `end` at least one step, `output` at most `end`, and there may be at most 2^53 steps. A time of [expect] must not lie beyond `end`, unless --set makes the run shorter.",
    ),
    code(
        "E310",
        "keys that contradict each other",
        "Two of the keys given cannot be combined, or exactly one of several was expected.",
    ),
    code(
        "E311",
        "values that do not fit together",
        "Each value is allowed, but the law, method or shape cannot be made from them together.",
    ),
    code(
        "E401",
        "mesh file cannot be used",
        "The mesh file that a body or a collider names is missing, truncated, of another format, or describes something that is not a sound set of tetrahedra or a closed surface. The message names the line of the file, or the byte in binary content, and the line of the scene that names it; nodes, vertices and elements have the numbers of the file. Nothing is repaired silently.",
    ),
    code(
        "E402",
        "too large for the memory",
        "The scene would need more memory than it may take: 80 % of the machine's, or what --max-memory allows; or the system does not give that much, as under `ulimit -v`. The estimate is made before anything but meshes and their fills is allocated; that of a direct linear solver counts the entries of its factors. A fill has a bounded number of grid points, springs, cuts and crossings, and the fills of a scene together one of springs, whatever the memory.",
    ),
    code(
        "W401",
        "unused material",
        "No body and no collider has this material. Perhaps a name is misspelt elsewhere.",
    ),
    code(
        "W402",
        "uneven last frame",
        "`end` is not a multiple of `output`, so the last frame, which is at `end`, follows the one before it after a shorter time.",
    ),
    code(
        "W403",
        "restitution without effect",
        "The normal law of the scene has a `damping` or `restitution` of its own, which holds for every contact, so the restitution of materials and pairs is read, checked and not used. Leave out the key of the normal law to have the materials decide.",
    ),
    code(
        "W404",
        "kinetic friction above static",
        "No known pair of materials slides with more friction than it sticks with. A contact at the threshold then jumps up instead of down, and stands at ε where it should stick or slide.",
    ),
    code(
        "W405",
        "law without effect",
        "Contact by `impulse` or `exact` jumps velocities: there is no depth for a normal law and no slip velocity for a friction law to act on. Coefficients of friction and restitution come from the materials; `contact.method = \"penalty\"` uses the laws.",
    ),
];

/// The row of a code, whatever its case.
pub fn explain(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|row| row.code.eq_ignore_ascii_case(code))
}
