//! What a run leaves on disk: one file per format.

pub mod atomic;
pub mod directory;
pub mod measures_csv;
pub mod mjcf;
pub mod npy;
pub mod numbers;
pub mod parquet;
pub mod plot;
pub mod run_json;
pub mod run_plot;
