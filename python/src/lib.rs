//! The native half of the Python package `stiction`, which computes. The other half,
//! `package/stiction`, has the objects that users see, their documentation and their types.

mod attended;
mod contacts;
mod engines;
mod experiments;
mod failures;
mod forces;
mod judging;
mod laws;
mod measures;
mod running;
mod scene;
mod simulation;
mod slots;
mod sweeping;
mod values;

use pyo3::prelude::*;

/// Native functions: scenes, simulations, experiments.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<simulation::Checkpoint>()?;
    module.add_class::<laws::Slip>()?;
    module.add_class::<laws::Pair>()?;
    module.add_class::<measures::Scope>()?;
    module.add_function(wrap_pyfunction!(laws::register_friction_law, module)?)?;
    module.add_function(wrap_pyfunction!(measures::register_measure, module)?)?;
    module.add_function(wrap_pyfunction!(running::run, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::compare, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::tune, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::stiffness, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::validate, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::names, module)?)?;
    module.add_function(wrap_pyfunction!(sweeping::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(engines::creep, module)?)?;
    module.add_function(wrap_pyfunction!(engines::creep_engines, module)?)?;
    module.add_function(wrap_pyfunction!(judging::judge, module)?)?;
    module.add_function(wrap_pyfunction!(judging::judge_file, module)?)?;
    Ok(())
}
