//! Files for other programs: ParaView, MuJoCo, LAMMPS, surfaces.

pub mod frames;
pub mod lammps;
pub mod mjcf;
pub mod surfaces;
pub mod vtu;
pub mod vtu_frame;
