//! Contents of a scene: shapes, files of meshes, mistakes.

mod body_shapes;
mod built;
mod corpus;
mod filled;
mod limits;
mod mesh_details;
mod mesh_files;
mod round_shapes;
mod scene_errors;
mod solids;
mod surface_files;
mod worlds;
