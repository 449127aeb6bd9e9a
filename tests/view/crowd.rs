//! Pictures of so many springs that hidden ones are left out: golden hashes.

use crate::pictures::written;
use crate::scenes;
use stiction_view::camera::{Camera, scope};
use stiction_view::canvas::Canvas;
use stiction_view::painter::{Look, PaintedPlace, PaintedSubject, Painter};
use stiction_view::snapshot::Snapshot;

/// The crowd as seen from a distance, or from among its springs.
fn drawn(painter: &mut Painter, snapshot: &Snapshot, look: &Look, closer: f64) -> Canvas {
    let mut canvas = Canvas::new(640, 360);
    let mut camera = Camera::framing(&scope(&snapshot.state.positions), 640.0 / 360.0, None);
    camera.orbit(0.3, 0.1);
    camera.zoom(closer);
    let place = PaintedPlace::whole(&canvas);
    painter.paint(&mut canvas, &place, &PaintedSubject::of(snapshot), &camera, look);
    canvas
}

#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "letters may differ in the last bit")]
fn golden_crowds() {
    let (snapshot, mut painter) = (Snapshot::of(&scenes::crowd()), Painter::new());
    assert!(snapshot.model.springs.len() > 40_000);
    let bare = Look { surfaces: false, ..Look::default() };
    let hashes = [
        ("crowd", bare, 1.0),
        ("crowd-close", bare, 0.2),
        ("crowd-map", Look { heat: true, ..bare }, 1.0),
        ("crowd-surfaces", Look::default(), 1.0),
    ]
    .map(|(name, look, closer)| {
        format!("{:#018x}", written(name, &drawn(&mut painter, &snapshot, &look, closer)))
    });
    assert_eq!(hashes, GOLDEN, "look at the pictures (STICTION_PICTURES=folder) before updating");
}

const GOLDEN: [&str; 4] =
    ["0xef49825c2101e3ea", "0x77298790f254245e", "0x801a24122fac644a", "0x4e30692365b4fe59"];
