//! The law of Cundall and Strack: a load inside the cone is held by an elastic stretch without
//! drift.

use super::block::BlockScene;
use super::rig::label;
use super::{Case, CaseFigure, CaseTrial};
use stiction_core::math::{PI, larger, radians, sin};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "units",
        name: "Cundall–Strack, undamped",
        about: "m 1, k_t 1e4, μ .5, a load of T = 2 N from rest: swings about T/k_t = 2e-4 up to 4e-4 with the period 2π √(m/k_t), for ever",
        trials: undamped,
    },
    Case {
        group: "units",
        name: "Cundall–Strack, damped",
        about: "20°, μ .6, k_t 1e4: rests at m g sin(a)/k_t, and from 1 s to 20 s it does not move",
        trials: damped,
    },
];

fn undamped() -> Vec<CaseTrial> {
    let (stiffness, load, h) = (1e4, 2.0, 1e-5);
    let trial = |method: &'static str| {
        CaseTrial::new(label(method), move |setting| {
            let law = format!("{{ law = \"cundall-strack\", stiffness = {stiffness:e} }}");
            let block =
                BlockScene { law, push: load, ..BlockScene::threshold(0.0, [0.5; 2], 1e-3) };
            let mut slide = block.slide(setting, method, h)?;
            let offset = load / stiffness;
            let (mut sum, mut most, mut crossings) = (0.0, 0.0f64, Vec::new());
            let steps = (10.0 * 2.0 * PI / 100.0 / h).round() as u64;
            for _ in 0..steps {
                let before = slide.travel() - offset;
                slide.rig.advance()?;
                let after = slide.travel() - offset;
                sum += slide.travel();
                most = larger(most, slide.travel());
                if before < 0.0 && after >= 0.0 {
                    crossings.push(slide.time() - h * after / (after - before));
                }
            }
            let periods = crossings.len().saturating_sub(1) as f64;
            let span = crossings.last().zip(crossings.first()).map_or(f64::NAN, |(b, a)| b - a);
            let name = "drift after ten periods";
            Ok(vec![
                CaseFigure::relative("mean stretch", "m", 2e-4, sum / steps as f64, 1e-3),
                CaseFigure::relative("largest stretch", "m", 4e-4, most, 1e-3),
                CaseFigure::relative("period", "s", 0.062832, span / periods, 1e-4),
                CaseFigure::absolute(name, "m", 0.0, slide.travel(), 1e-8),
            ])
        })
    };
    ["\"symplectic-euler\"", "\"rk4\"", "\"dopri5\""].into_iter().map(trial).collect()
}

fn damped() -> Vec<CaseTrial> {
    let (angle, mu, stiffness) = (20.0, 0.6, 1e4);
    let methods = [
        "\"explicit-euler\"",
        "\"symplectic-euler\"",
        "\"rk4\"",
        "\"dopri5\"",
        "\"implicit-euler\"",
    ];
    let trial = |method: &'static str| {
        CaseTrial::new(label(method), move |setting| {
            let law =
                format!("{{ law = \"cundall-strack\", stiffness = {stiffness:e}, damping = 150 }}");
            let block = BlockScene { law, ..BlockScene::threshold(angle, [mu; 2], 1e-3) };
            let mut slide = block.slide(setting, method, 1e-4)?;
            slide.rig.until(1.0)?;
            let settled = slide.travel();
            slide.rig.until(20.0)?;
            slide.rig.trusted()?;
            let offset = -9.81 * sin(radians(angle)) / stiffness;
            let drift = slide.travel() - settled;
            Ok(vec![
                CaseFigure::absolute("offset", "m", offset, slide.travel(), 1e-12),
                CaseFigure::absolute("drift in 19 s", "m", 0.0, drift, 1e-12),
            ])
        })
    };
    methods.into_iter().map(trial).collect()
}
