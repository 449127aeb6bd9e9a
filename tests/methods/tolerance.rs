//! The tolerance of contacts that are solved together, against a slide in closed form.

use crate::support::simulation;

/// A rigid box of nine contacts thrown along the floor: its distance travelled over v²/(2 μ g), and
/// the reasons.
fn slide(method: &str, tolerance: f64) -> (f64, Vec<&'static str>) {
    let (speed, mu, g) = (1.0, 0.5, 9.81);
    let mut run = simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, -{g}] }}
        time = {{ end = 0.4, step = 1e-3, output = 0.4 }}
        integrator = {{ method = \"symplectic-euler\" }}
        materials.wood = {{ static_friction = {mu} }}
        [contact]
        method = \"{method}\"
        tolerance = {tolerance:e}
        [[body]]
        name = \"box\"
        rigid = true
        mass = 2
        shape = {{ lattice = {{ counts = [3, 3, 3], spacing = 0.1 }} }}
        velocity = [{speed}, 0, 0]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        "
    ));
    run.advance_to(0.4).expect("steps");
    let count = run.state.positions.len() as f64;
    let moved = run.state.positions.iter().map(|x| x.x).sum::<f64>() / count;
    let names = run.verdict().reasons.iter().map(|reason| reason.name()).collect();
    (moved / (speed * speed / (2.0 * mu * g)), names)
}

/// A tolerance of about g h, or of ten times it, spoils the slide and is told; one that is small
/// beside g h is not.
#[test]
fn a_tolerance_above_what_contacts_do_is_told() {
    for method in ["exact", "impulse"] {
        for (tolerance, told) in
            [(0.1, true), (1e-2, true), (1e-5, false), (1e-7, false), (1e-9, false)]
        {
            let (share, reasons) = slide(method, tolerance);
            println!("{method}, {tolerance:e} m/s: {share:.4} of the way, {reasons:?}");
            let found = reasons.contains(&"tolerance-too-large");
            assert_eq!(found, told, "{method}, {tolerance:e}: {share}, {reasons:?}");
            assert_eq!((share - 1.0).abs() > 0.05, told, "{method}, {tolerance:e}: {share}");
        }
    }
}
