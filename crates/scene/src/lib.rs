//! From a scene file to a [`Scene`], and from a scene to a model and its initial state.
//!
//! Text goes through five stages, each in its own file: [`files`] reads it and its includes,
//! [`tree`] parses it, [`overrides`] applies `--set`, [`reader`] checks it against the tables of
//! [`keys`], and [`decode`] looks up names and makes the [`Scene`]. [`load()`] runs them.

pub mod build;
pub mod codes;
mod columns;
pub mod decode;
pub mod description;
pub mod diagnostic;
pub mod diagnostics;
pub mod excerpt;
pub mod files;
mod fill;
pub mod folder;
pub mod homes;
pub mod keys;
pub mod load;
pub mod mesh;
pub mod mesh_body;
pub mod mjcf;
pub mod numbers;
pub mod overrides;
mod paths;
pub mod place;
pub mod reader;
pub mod record;
pub mod reference;
pub mod regular;
pub mod schema;
pub mod sections;
mod shape_error;
pub mod show;
mod surfaces;
pub mod tree;
pub mod values;

pub use description::*;
pub use load::{LoadOptions, Loaded, load, load_text};
pub use reference::reference;
pub use schema::schema;
pub use show::show;
