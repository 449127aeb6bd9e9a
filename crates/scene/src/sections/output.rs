//! `[output]`.

use super::table::*;

table! {
    /// `[output]`: optional files of a results folder.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Output: OUTPUT {
        keys {
            contacts: bool = Kind::Flag, Flag(false), "whether contacts are kept at every frame: forces, slip, load ratio and dissipated work of every particle, and one row per contact in `trajectory/contacts.npy`";
            vtu: bool = Kind::Flag, Flag(false), "whether frames are written for ParaView, as `frames/*.vtu` and `run.pvd`";
            compressed: bool = Kind::Flag, Flag(false), "whether the arrays in `.vtu` files are compressed by zlib";
            surface: Option<Surface> [surface] = Kind::Word(&["obj", "ply"]), Optional("none"), "format of a sequence of the surfaces of all bodies, `surfaces/*.obj` or `surfaces/*.ply`";
            every: i64 = Kind::Integer { min: 1, max: 1_000_000_000 }, Fallback::Integer(1), "of how many frames one is written as `.vtu`, `.obj` or `.ply`; the first is always";
        }
    }
}

impl Default for Output {
    fn default() -> Self {
        Output { contacts: false, vtu: false, compressed: false, surface: None, every: 1 }
    }
}

/// Format of a sequence of surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Wavefront.
    Obj,
    /// Stanford, binary.
    Ply,
}

fn surface(record: &Record, key: &str, _: &mut Names) -> Option<Surface> {
    match record.text(key) {
        Some("obj") => Some(Surface::Obj),
        Some("ply") => Some(Surface::Ply),
        _ => None,
    }
}
