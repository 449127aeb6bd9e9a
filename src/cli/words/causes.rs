//! Words of errors by cause, and of elastic bodies.

use super::{Word, word};

pub(super) const WORDS: &[Word] = &[
    word(
        &["by cause", "cause", "causes", "ε", "depth", "solver", "sum", "p, f"],
        "Shares of an error bar by cause at the end (--verify=model, mesh, all), each with observed order p and factor of safety F, as of a grid convergence index. *time*: the step, and tolerances of adaptive methods. *ε*: the friction law against Coulomb's, from runs at other ε, or another stiffness of laws with a stretch. *depth*: the penalty against a rigid surface, from runs at another stiffness at the same restitution. *solver*: iterations that end before their equations are solved. *mesh*: the elements of elastic bodies, see `mesh`. *sum*: all of them; ε + depth is the difference to ideal Coulomb friction, no fault. *F –*: the runs do not converge. *not known*: no run determines it; the note says why. See docs/verdict.md.",
    ),
    word(
        &["mesh", "--verify=mesh", "refined mesh"],
        "Share of an error bar by the mesh of elastic bodies (--verify=mesh, --verify=all): the scene runs again with every edge of an element halved, by explicit methods at half the step, where sheets or ropes bend at a quarter. A particle between two selected ones is selected too; forces and masses have the same sum; stiffness and damping of contact per particle are multiplied by the number of particles that touch at the end over that of the finer mesh there, so that their sum stays. The error is 4/3 of the difference, by the order 2 that is assumed, times 3. *edge*: the mean length of the edges [m]. *Not known* where the two runs differ by more than a quarter of a measure's scale during the run, of bodies of springs, whose k and c belong to their mesh, where bodies without elements touch by a stiffness per particle, of meshes from files above ν = .45, where masses are given particle by particle and where friction is a formula. Above 3 % the run is not trusted: `mesh-too-coarse`. See docs/verdict.md. Mesh files: `stiction explain file`.",
    ),
    word(
        &["locking", "lock", "volumetric locking", "shear locking"],
        "Tetrahedra of linear shape are too stiff. In bending they shear where a plate does not (shear locking): a plate of one cell over its thickness is 3 to 4 times too stiff, of two 1.5 to 1.7, of four 1.13 to 1.18, of eight 1.03 to 1.05. Where ν is near ½ each would keep its volume, which leaves a confined mesh too few ways to deform (volumetric locking): a remark says by how much a pressed strip of so many cells is too stiff. Use four cells or more over the least height. See docs/solids.md.",
    ),
    word(
        &["hydrostatic", "von_mises", "von mises"],
        "Maps and cell arrays of elastic bodies, of the Cauchy stress σ without damping. *hydrostatic*, in .vtu `pressure`: p = −tr σ/3 [Pa], positive where it is compressed. *von-mises*, in .vtu `von_mises`: √(3/2 s:s), s = σ + p 1 [Pa]. *J*: volume by that at rest. A map has at each particle the mean over its elements by their volumes at rest. See docs/solids.md.",
    ),
];
