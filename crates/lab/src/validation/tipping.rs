//! P4: tip or slide, Lander's box: a soft box pushed, thrown and tilted, against rigid statics.

use super::rig::label;
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::diagnosis::audit::Energies;
use stiction_core::diagnosis::friction_work::FrictionWork;
use stiction_core::math::{Vector, acos, cos, degrees, radians, sin};
use stiction_core::measures::Scope;
use stiction_core::measures::rotation::rotation_since_start;

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P4",
        name: "pushed",
        about: "7 × 17 particles, w = .6: pushed at h with 1.05 × the lesser of μ m g and m g w/(2 h) it tips iff μ > w/(2 h)",
        trials: pushed,
    },
    Case {
        group: "P4",
        name: "pushed in space",
        about: "the same of a box of 7 × 7 × 17 particles",
        trials: pushed_in_space,
    },
    Case {
        group: "P4",
        name: "thrown",
        about: "at 3 m/s: slides v0²/(2 μ g) with its centre of pressure μ h_cm ahead, h_cm = .8; trips iff μ > w/H",
        trials: thrown,
    },
    Case {
        group: "P4",
        name: "tilted",
        about: "an incline, μ .9: tips iff tan a > w/H, which is 20.6°",
        trials: tilted,
    },
];

/// Outcome for the box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TippingFate {
    /// Neither tips nor slides.
    Stand = 0,
    /// Its base moved by more than .1 m.
    Slide = 1,
    /// It tilts by more than 10°.
    Tip = 2,
}

const FATE: &str = "fate (0 stands, 1 slides, 2 tips)";

fn verdict(name: &str, expected: TippingFate, found: TippingFate) -> CaseFigure {
    CaseFigure::absolute(
        format!("{name}{FATE}"),
        "",
        f64::from(expected as u8),
        f64::from(found as u8),
        0.0,
    )
}

/// 7 × 17 particles at distances of 0.1 m, or `layers` such slices side by side.
pub struct TippingLattice {
    layers: u32,
    friction: f64,
    /// Slope of the floor against the box \[degrees\].
    angle: f64,
    speed: f64,
    /// Damping of springs and of the normal law \[N·s/m\].
    damping: [f64; 2],
    /// Height \[m\] and force \[N\] of the push per slice. Drag acts until .5 s; then the push
    /// rises until 1.5 s and stays.
    push: Option<(f64, f64)>,
}

const WIDTH: f64 = 0.6;
const MASS: f64 = 10.0;
const G: f64 = 9.81;

impl TippingLattice {
    /// A box pushed at `height` \[m\], per slice with 5 % more than it bears.
    pub fn pushed(layers: u32, friction: f64, height: f64) -> TippingLattice {
        let weight = MASS * G;
        let least = (friction * weight).min(weight * WIDTH / (2.0 * height));
        let push = Some((height, 1.05 * least));
        TippingLattice { layers, friction, angle: 0.0, speed: 0.0, damping: [30.0, 50.0], push }
    }

    fn thrown(friction: f64) -> TippingLattice {
        TippingLattice {
            layers: 1,
            friction,
            angle: 0.0,
            speed: 3.0,
            damping: [60.0, 200.0],
            push: None,
        }
    }

    fn tilted(angle: f64) -> TippingLattice {
        let push = Some((0.8, 0.0));
        TippingLattice { layers: 1, friction: 0.9, angle, speed: 0.0, damping: [30.0, 50.0], push }
    }

    /// Its simulation under a method at the step `h` \[s\].
    pub fn under<'a>(
        &self,
        setting: &RigSetting<'a>,
        method: &str,
        h: f64,
    ) -> Result<Rig<'a>, Trouble> {
        let a = radians(self.angle);
        let g = Vector::new(-sin(a), 0.0, -cos(a)) * G;
        let (layers, mu, [c, c_n]) = (self.layers, self.friction, self.damping);
        let planar = if layers == 1 { ", planar = \"xz\"" } else { "" };
        let mut rest = format!(
            "world = {{ gravity = [{:e}, 0, {:e}]{planar} }}
            materials.rubber = {{ static_friction = {mu} }}
            [contact]
            normal = {{ stiffness = 2e5, damping = {c_n} }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            [[body]]
            name = \"box\"
            mass = {}
            shape = {{ lattice = {{ counts = [7, {layers}, 17], spacing = 0.1 }} }}
            springs.edge = {{ stiffness = 2e5, damping = {c} }}
            springs.face_diagonal = {{ stiffness = 2e5, damping = {c} }}
            velocity = [{:e}, 0, 0]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}
            ",
            g.x,
            g.z,
            MASS * f64::from(layers),
            self.speed
        );
        if let Some((height, force)) = self.push {
            let depth = 0.1 * f64::from(layers);
            rest += &format!(
                "[[drag]]
                rate = 5.0
                until = 0.5
                [[push]]
                body = \"box\"
                where.box = {{ min = [-0.31, -{depth}, {}], max = [-0.29, {depth}, {}] }}
                force = [{:e}, 0, 0]
                from = 0.5
                ramp = 1.0
                ",
                height - 0.01,
                height + 0.01,
                force * f64::from(layers)
            );
        }
        setting.stand_under(method, h, &rest)
    }
}

/// Tilt of the whole body \[degrees\].
fn tilt(rig: &Rig) -> f64 {
    let particles: Vec<usize> = (0..rig.model.particles()).collect();
    let scope = Scope {
        model: &rig.model,
        state: &rig.state,
        energies: &Energies::default(),
        friction_work: &FrictionWork::default(),
        particles: &particles,
        other: None,
        previous: None,
    };
    degrees(acos((rotation_since_start(&scope) * Vector::z()).z.clamp(-1.0, 1.0)))
}

/// Mean displacement of the first `count` particles along x \[m\]; the bottom layer comes first.
fn moved(rig: &Rig, count: usize) -> f64 {
    let (now, start) = (&rig.state.positions, &rig.model.reference);
    (0..count).map(|i| now[i].x - start[i].x).sum::<f64>() / count as f64
}

/// Advances until the box has tipped or slid, or until `end`; looks every millisecond, or every
/// step if that is longer.
pub fn fate(rig: &mut Rig, bottom: usize, end: f64) -> Result<TippingFate, Trouble> {
    let every = (1e-3 / rig.time_step()).ceil() as u64;
    while rig.state.time < end - 1e-9 {
        rig.steps(every)?;
        if tilt(rig) > 10.0 {
            return Ok(TippingFate::Tip);
        }
        if moved(rig, bottom).abs() > 0.1 {
            return Ok(TippingFate::Slide);
        }
    }
    Ok(TippingFate::Stand)
}

/// A method and its steps \[s\] for boxes pushed, thrown and tilted. On a slope the lower corner
/// carries more while the box settles, which asks for a smaller step.
const METHODS: [(&str, [f64; 3]); 5] = [
    ("\"explicit-euler\"", [3e-5, 2e-5, 1e-5]),
    ("\"symplectic-euler\"", [3e-5, 2e-5, 1e-5]),
    ("\"rk4\"", [4e-5, 4e-5, 2e-5]),
    ("\"dopri5\"", [1e-3, 1e-3, 1e-3]),
    ("\"implicit-euler\"", [1e-3, 5e-4, 1e-3]),
];

/// μ, height of the push, and the result of statics: tips iff μ > w/(2 height).
pub const PUSHES: [(f64, f64, TippingFate); 8] = [
    (0.3, 0.8, TippingFate::Slide),
    (0.3, 0.9, TippingFate::Slide),
    (0.3, 1.1, TippingFate::Tip),
    (0.3, 1.2, TippingFate::Tip),
    (0.5, 0.4, TippingFate::Slide),
    (0.5, 0.5, TippingFate::Slide),
    (0.5, 0.7, TippingFate::Tip),
    (0.5, 0.8, TippingFate::Tip),
];

/// A trial of one push of a box of `layers` slices.
fn push(
    layers: u32,
    (mu, height, expected): (f64, f64, TippingFate),
    method: &'static str,
    h: f64,
) -> CaseTrial {
    let name = label(method.split(',').next().unwrap_or(method));
    CaseTrial::new(format!("μ {mu}, push at {height} m, {name}"), move |setting| {
        let mut rig = TippingLattice::pushed(layers, mu, height).under(setting, method, h)?;
        let found = fate(&mut rig, 7 * layers as usize, 5.5)?;
        rig.trusted()?;
        Ok(vec![verdict("", expected, found)])
    })
}

fn pushed() -> Vec<CaseTrial> {
    let under = |(method, [h, ..]): (&'static str, [f64; 3])| PUSHES.map(|p| push(1, p, method, h));
    METHODS.into_iter().flat_map(under).collect()
}

fn pushed_in_space() -> Vec<CaseTrial> {
    let method = "\"implicit-euler\", newton_tolerance = 1e-6";
    PUSHES.map(|p| push(7, p, method, 2e-3)).into()
}

/// μ, distance \[m\], lead of the centre of pressure \[m\].
const THROWS: [(f64, f64, f64); 2] = [(0.2, 2.2936, 0.160), (0.3, 1.5291, 0.240)];

fn thrown() -> Vec<CaseTrial> {
    let slides = |(method, [_, h, _]): (&'static str, [f64; 3])| {
        THROWS.map(|throw| {
            CaseTrial::new(format!("μ {}, {}", throw.0, label(method)), move |setting| {
                slide_out(setting, method, h, throw)
            })
        })
    };
    let trips = |(method, [_, h, _]): (&'static str, [f64; 3])| {
        CaseTrial::new(format!("μ 0.45, {}", label(method)), move |setting| {
            let mut rig = TippingLattice::thrown(0.45).under(setting, method, h)?;
            while rig.state.time < 1.5 && tilt(&rig) < 10.0 {
                rig.steps((1e-3 / h).ceil() as u64)?;
            }
            let found = if tilt(&rig) < 10.0 { TippingFate::Slide } else { TippingFate::Tip };
            Ok(vec![verdict("", TippingFate::Tip, found)])
        })
    };
    METHODS.into_iter().flat_map(slides).chain(METHODS.into_iter().map(trips)).collect()
}

/// Distance that a thrown box slides, and mean lead of its centre of pressure from 30 % to 90 % of
/// the time that it slides.
fn slide_out(
    setting: &RigSetting,
    method: &str,
    h: f64,
    (mu, distance, lead): (f64, f64, f64),
) -> Result<Vec<CaseFigure>, Trouble> {
    let mut rig = TippingLattice::thrown(mu).under(setting, method, h)?;
    let stop = 3.0 / (mu * G);
    let (mut weighted, mut weight) = (0.0, 0.0);
    while rig.state.time < stop + 0.3 {
        rig.advance()?;
        let (time, state) = (rig.state.time, &rig.state);
        if time > 0.3 * stop && time < 0.9 * stop {
            let center = state.positions.iter().map(|x| x.x).sum::<f64>() / 119.0;
            for contact in &state.memory.contacts {
                let x = state.positions[contact.particle()].x - center;
                weighted += contact.normal_force * x;
                weight += contact.normal_force;
            }
        }
    }
    rig.trusted()?;
    Ok(vec![
        CaseFigure::relative("distance", "m", distance, moved(&rig, 119), 0.005),
        CaseFigure::relative("lead of the centre of pressure", "m", lead, weighted / weight, 0.05),
    ])
}

fn tilted() -> Vec<CaseTrial> {
    let trial = |(method, [.., h]): (&'static str, [f64; 3])| {
        CaseTrial::new(label(method), move |setting| {
            let at = |angle: f64, expected: TippingFate| {
                let mut rig = TippingLattice::tilted(angle).under(setting, method, h)?;
                let found = fate(&mut rig, 7, 3.0)?;
                rig.trusted()?;
                Ok(verdict(&format!("{angle}°: "), expected, found))
            };
            Ok(vec![at(18.0, TippingFate::Stand)?, at(22.0, TippingFate::Tip)?])
        })
    };
    METHODS.into_iter().map(trial).collect()
}
