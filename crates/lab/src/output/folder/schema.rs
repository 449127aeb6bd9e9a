//! Layouts of stored data: postcard writes values without names, so bytes can be read only by a
//! program with the same layout of types.

use super::sha256::sha256;

use serde::de::DeserializeOwned;
use serde_reflection::{Samples, Tracer, TracerConfig};
use stiction_core::diagnosis::jumped_ramps::Slide;
use stiction_core::diagnosis::watch::Subject;
use stiction_core::state::memory::{Anchor, ContactKind, Turning};
use stiction_scene::Moment;

/// A number that changes with the layout of a type: the first four bytes of the SHA-256 of the
/// names, fields and types, in the order in which a value of it is read.
///
/// # Panics
/// If an enum within it is not traced here, or two types in it have the same name; a test checks
/// this.
pub fn layout<T: DeserializeOwned>() -> u32 {
    let (mut tracer, samples) = (Tracer::new(TracerConfig::default()), Samples::new());
    // all variants of an enum are seen only if it is traced separately
    enumerate::<Anchor>(&mut tracer);
    enumerate::<ContactKind>(&mut tracer);
    enumerate::<Moment>(&mut tracer);
    enumerate::<Slide>(&mut tracer);
    enumerate::<Subject>(&mut tracer);
    enumerate::<Turning>(&mut tracer);
    let traced = tracer.trace_type::<T>(&samples).map(|(format, _)| format);
    let format = traced.expect("plain data");
    let registry = tracer.registry().expect("every enum is traced");
    let digest = sha256(format!("{format:?} {registry:?}").as_bytes());
    u32::from_str_radix(&digest[..8], 16).expect("hexadecimal digits")
}

/// Traces all variants of an enum.
fn enumerate<T: DeserializeOwned>(tracer: &mut Tracer) {
    tracer.trace_simple_type::<T>().expect("plain data");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::folder::checkpoint;
    use crate::output::folder::journal;
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "its layout alone is looked at")]
    struct Pair {
        left: f64,
        right: f64,
    }

    mod renamed {
        #[derive(serde::Deserialize)]
        #[expect(dead_code, reason = "its layout alone is looked at")]
        pub struct Pair {
            pub right: f64,
            pub left: f64,
        }
    }

    #[test]
    fn fields_in_another_order_are_another_layout() {
        assert_eq!(layout::<Pair>(), layout::<Pair>());
        assert_ne!(layout::<Pair>(), layout::<renamed::Pair>());
        assert_ne!(layout::<checkpoint::Stored>(), layout::<journal::Entry>());
    }
}
