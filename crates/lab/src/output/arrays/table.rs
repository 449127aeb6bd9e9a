//! The arrays of a trajectory, one row of a table each: files, docs/results.md and other formats
//! follow from it.

use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::simulation::Simulation;

/// A frame of a run, as input of arrays.
pub struct FrameView<'a> {
    /// The run.
    pub simulation: &'a Simulation,
    /// The contacts, if arrays of contacts are wanted.
    pub contacts: Option<&'a ContactFields>,
}

/// Folders in which an array is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedWhen {
    /// In every results folder.
    Always,
    /// With `[output] contacts`.
    Contacts,
}

/// One array of float64 numbers, a row per particle.
pub struct ParticleArray {
    /// Its name: of the file `trajectory/NAME.npy`, and of the array in `.vtu` files.
    pub name: &'static str,
    /// Names of its components; none for a single number.
    pub components: &'static [&'static str],
    /// Unit.
    pub unit: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Folders in which it is stored.
    pub recorded: RecordedWhen,
    /// Adds its numbers, particle by particle.
    pub read: fn(&FrameView, &mut Vec<f64>),
}

impl ParticleArray {
    /// Number of values per particle.
    pub fn width(&self) -> usize {
        self.components.len().max(1)
    }

    /// The axes of a frame.
    pub fn inner(&self, particles: usize) -> Vec<usize> {
        let mut inner = vec![particles];
        inner.extend((!self.components.is_empty()).then_some(self.components.len()));
        inner
    }

    /// Its file.
    pub fn file(&self) -> String {
        format!("trajectory/{}.npy", self.name)
    }

    /// Its numbers at a frame.
    pub fn values(&self, view: &FrameView) -> Vec<f64> {
        let particles = view.simulation.model.particles();
        let mut values = Vec::with_capacity(particles * self.width());
        (self.read)(view, &mut values);
        // creep is unknown before the first frame
        values.resize(particles * self.width(), f64::NAN);
        values
    }
}

const XYZ: &[&str] = &["x", "y", "z"];

/// Adds vectors.
fn vectors<'a>(
    from: impl IntoIterator<Item = &'a stiction_core::math::Vector>,
    into: &mut Vec<f64>,
) {
    into.extend(from.into_iter().flat_map(|v| [v.x, v.y, v.z]));
}

/// The fields of contacts; called only if they exist.
fn contacts<'a>(view: &FrameView<'a>) -> &'a ContactFields {
    view.contacts.expect("contacts are found where their arrays are asked for")
}

/// Name of the array of positions.
pub const POSITION: &str = "position";

/// All arrays of particles, in the order in which they are written.
pub const PARTICLE_ARRAYS: &[ParticleArray] = &[
    ParticleArray {
        name: POSITION,
        components: XYZ,
        unit: "m",
        about: "position",
        recorded: RecordedWhen::Always,
        read: |view, into| vectors(&view.simulation.state.positions, into),
    },
    ParticleArray {
        name: "velocity",
        components: XYZ,
        unit: "m/s",
        about: "velocity at the frame's time",
        recorded: RecordedWhen::Always,
        read: |view, into| vectors(&view.simulation.state.velocities, into),
    },
    ParticleArray {
        name: "creep",
        components: &["law", "stretch", "sliding", "lag", "integrator"],
        unit: "m/s",
        about: "drift since the frame before in its parts: the law's creep, stretch, sliding, lag, integrator; NaN where the particle touches nothing or they are not known",
        recorded: RecordedWhen::Always,
        read: |view, into| into.extend(view.simulation.watches.stick.creep.iter().flatten()),
    },
    ParticleArray {
        name: "normal_force",
        components: XYZ,
        unit: "N",
        about: "force of its contacts along their normals, N less the pull of adhesion",
        recorded: RecordedWhen::Contacts,
        read: |view, into| vectors(&contacts(view).normal, into),
    },
    ParticleArray {
        name: "friction_force",
        components: XYZ,
        unit: "N",
        about: "friction force of its contacts",
        recorded: RecordedWhen::Contacts,
        read: |view, into| vectors(&contacts(view).friction, into),
    },
    ParticleArray {
        name: "slip_velocity",
        components: XYZ,
        unit: "m/s",
        about: "slip velocity, the mean over its contacts weighted by N; zero without contact",
        recorded: RecordedWhen::Contacts,
        read: |view, into| vectors(&contacts(view).slip, into),
    },
    ParticleArray {
        name: "tangential_displacement",
        components: XYZ,
        unit: "m",
        about: "tangential displacement that a law with memory keeps, the mean over its contacts weighted by N; zero of other laws",
        recorded: RecordedWhen::Contacts,
        read: |view, into| vectors(&contacts(view).displacement, into),
    },
    ParticleArray {
        name: "load_ratio",
        components: &[],
        unit: "1",
        about: "friction over the most that can hold, |F|/(μ_s N); NaN without contact",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&contacts(view).load_ratio),
    },
    ParticleArray {
        name: "sticking",
        components: &[],
        unit: "1",
        about: "1 where all its contacts stick, 0 where one slips, NaN without contact",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&contacts(view).sticking),
    },
    ParticleArray {
        name: "pressure",
        components: &[],
        unit: "Pa",
        about: "N over a third of the area of its surface triangles; NaN without such triangles",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&contacts(view).pressure),
    },
    ParticleArray {
        name: "shear",
        components: &[],
        unit: "Pa",
        about: "|F| of friction over the same area; NaN without such triangles",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&contacts(view).shear),
    },
    ParticleArray {
        name: "friction_power",
        components: &[],
        unit: "W",
        about: "power that friction dissipates now, half of it at each side of a contact between bodies",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&contacts(view).power),
    },
    ParticleArray {
        name: "dissipated",
        components: &[],
        unit: "J",
        about: "work that friction has dissipated there since t = 0, by the trapezoidal rule over steps",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&view.simulation.watches.friction_work.dissipated),
    },
    ParticleArray {
        name: "slid",
        components: &[],
        unit: "m",
        about: "distance slid since t = 0, ∫ |slip velocity| dt",
        recorded: RecordedWhen::Contacts,
        read: |view, into| into.extend(&view.simulation.watches.friction_work.slid),
    },
];

/// The arrays of a results folder.
pub fn recorded(contacts: bool) -> impl Iterator<Item = &'static ParticleArray> {
    PARTICLE_ARRAYS.iter().filter(move |array| contacts || array.recorded == RecordedWhen::Always)
}
