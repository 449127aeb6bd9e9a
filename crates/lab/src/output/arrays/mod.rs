//! Numbers of a run as arrays and tables, one file per format.

pub mod column;
pub(crate) mod contact_rows;
pub mod measures_csv;
pub mod npy;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
pub mod parquet;
pub mod table;
pub mod topology;
pub mod trajectory;
