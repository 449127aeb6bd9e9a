//! The results folder of a run: crash-safe writing, resuming, checking, repairing.

pub mod atomic;
pub mod catalogue;
mod causes_json;
pub mod checkpoint;
pub mod digest;
pub mod directory;
pub mod ended;
pub mod files;
pub mod growing;
pub mod inspect;
pub mod journal;
pub mod lock;
pub mod manifest;
pub(crate) mod names;
pub(crate) mod path;
pub mod repair;
pub mod run_json;
pub mod schema;
pub(crate) mod sealed;
pub mod sha256;
