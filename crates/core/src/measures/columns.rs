//! Columns of a run's tables besides the scene's measures: some stand in every table, some for each
//! body, some only with an option. A measure must not take one of their names, or a table would
//! have two columns of one name.

/// The first column.
pub const TIME: &str = "time";

/// The columns after `time` and the scene's measures.
pub const STANDARD: [&str; 19] = [
    "kinetic",
    "spring",
    "contact",
    "gravity",
    "dissipated_spring",
    "dissipated_normal",
    "dissipated_friction_stick",
    "dissipated_friction_slip",
    "dissipated_drag",
    "work",
    "residual",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "contacts",
    "sticking",
    "sliding",
    "max_penetration",
    "max_hlambda",
];

/// [`STANDARD`] of a run, with or without elastic bodies.
pub fn standard(solids: bool) -> [&'static str; 19] {
    STANDARD.map(|name| channel(name, solids))
}

/// The name of a channel of energy: what springs store and dissipate is called `elastic` where elements are
/// counted there too.
pub fn channel(name: &'static str, solids: bool) -> &'static str {
    match name {
        "spring" if solids => "elastic",
        "dissipated_spring" if solids => "dissipated_elastic",
        _ => name,
    }
}

/// Beginnings of the columns of each body, which end in `_` and its name: the drift since the previous
/// frame \[m/s\], and the creep of law, integrator and lag in it. Not a number where a body touches
/// nothing, or for the parts where its law's creep is not known.
pub const OF_BODY: [&str; 6] =
    ["drift", "creep_law", "creep_stretch", "creep_sliding", "creep_lag", "creep_integrator"];

/// The columns of `run --observe-order`: the observed order, and the error of the velocities per second
/// of the run \[m/s²\].
pub const OF_ORDER: [&str; 2] = ["observed_order", "error_rate"];

/// The beginning of the columns of `run --verify`, which end in the name of another column.
pub const ERROR: &str = "error_";
