//! An integrator, a collider and a measure of one's own, by name in a scene.

use stiction::contact::collider::{Bounds, COLLIDERS, Gap, Shape, sphere::Sphere};
use stiction::experiment::base::Base;
use stiction::integrators::{Capabilities, INTEGRATORS, Integrator};
use stiction::math::Vector;
use stiction::measures::{MEASURES, MeasureKind};
use stiction::model::Model;
use stiction::registry::{Entry, RegistrationError};
use stiction::run::{Run, Unobserved};
use stiction::scene::build::BuildOptions;
use stiction::scene::{LoadOptions, load_text};
