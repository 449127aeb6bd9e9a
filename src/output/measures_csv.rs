//! `measures.csv`: one line per frame, shortest round-trip decimals.

use crate::diagnosis::creep::Budget;
use crate::run::{Frame, Run, Verification};
use std::fs::File;
use std::io;
use std::path::Path;

/// The columns every run has, after `time` and the scene's measures.
pub const STANDARD_COLUMNS: [&str; 19] = [
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

/// The values of [`STANDARD_COLUMNS`] at a frame.
pub fn standard_values(frame: &Frame) -> [f64; 19] {
    [
        frame.energies.kinetic,
        frame.energies.spring,
        frame.energies.contact,
        frame.energies.gravity,
        frame.flows.spring,
        frame.flows.normal,
        frame.flows.friction_stick,
        frame.flows.friction_slip,
        frame.flows.drag,
        frame.flows.work,
        frame.residual,
        frame.momentum.x,
        frame.momentum.y,
        frame.momentum.z,
        frame.contacts as f64,
        frame.sticking as f64,
        (frame.contacts - frame.sticking) as f64,
        frame.max_penetration,
        frame.max_hlambda,
    ]
}

/// The columns of each body's creep since the previous frame \[m/s\]: the drift, and the parts of
/// it that are the law's, the integrator's, and the lag's. Not a number where a body touches
/// nothing or what its law creeps is not known.
pub const CREEP_COLUMNS: [&str; 4] = ["drift", "creep_law", "creep_integrator", "creep_lag"];

fn creep_values(budget: &Budget) -> [f64; 4] {
    let [law, integrator, lag] = budget.parts().unwrap_or([f64::NAN; 3]);
    [budget.measured().unwrap_or(f64::NAN), law, integrator, lag]
}

/// The file being written.
pub struct MeasuresCsv {
    writer: csv::Writer<File>,
}

impl MeasuresCsv {
    /// Creates the file with its header line.
    pub fn create(path: &Path, measures: &[String], bodies: &[&str]) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(File::create(path)?);
        let creep: Vec<String> = bodies
            .iter()
            .flat_map(|body| CREEP_COLUMNS.map(|column| format!("{column}_{body}")))
            .collect();
        let names = std::iter::once("time")
            .chain(measures.iter().map(String::as_str))
            .chain(STANDARD_COLUMNS)
            .chain(creep.iter().map(String::as_str));
        writer.write_record(names)?;
        Ok(MeasuresCsv { writer })
    }

    /// Writes the whole file anew with one more column per measure, `error_` and its name: its error
    /// bar.
    pub fn rewrite(
        path: &Path,
        run: &Run,
        verification: &Verification,
        bodies: &[&str],
    ) -> io::Result<()> {
        let errors = |column: &String| format!("error_{column}");
        let columns: Vec<String> =
            run.columns.iter().cloned().chain(run.columns.iter().map(errors)).collect();
        let half = path.with_extension("csv.tmp");
        let mut file = MeasuresCsv::create(&half, &columns, bodies)?;
        for (number, frame) in run.frames.iter().enumerate() {
            let error = |column: &String| verification.error(column, number).unwrap_or(f64::NAN);
            let mut frame = frame.clone();
            frame.measures.extend(run.columns.iter().map(error));
            file.push(&frame)?;
        }
        file.flush()?;
        std::fs::rename(&half, path)
    }

    /// Appends a frame.
    pub fn push(&mut self, frame: &Frame) -> io::Result<()> {
        let values = std::iter::once(frame.time)
            .chain(frame.measures.iter().copied())
            .chain(standard_values(frame))
            .chain(frame.creep.iter().flat_map(creep_values));
        self.writer.write_record(values.map(|x| x.to_string()))?;
        Ok(())
    }

    /// Writes out everything.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
