//! Files that a run leaves on disk: one per format.

pub mod arrays;
pub mod atomic;
pub mod catalogue;
pub mod checkpoint;
pub mod column;
pub mod contact_rows;
pub mod directory;
pub mod files;
pub mod font;
pub mod frames;
pub mod growing;
pub mod inspect;
pub mod journal;
pub mod lammps;
pub mod lock;
pub mod manifest;
pub mod measures_csv;
pub mod mjcf;
pub mod npy;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
pub mod parquet;
#[cfg(feature = "plot")]
pub mod plot;
pub mod repair;
pub mod run_json;
#[cfg(feature = "plot")]
pub mod run_plot;
pub mod schema;
pub mod sha256;
pub mod surfaces;
pub mod topology;
pub mod trajectory;
pub mod vtu;
pub mod vtu_frame;

/// Why a scene cannot be another program's file: one sentence for each thing that cannot be
/// expressed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Inexpressible(pub Vec<String>);
