//! Words of errors by cause, and of the mesh that is one of these.

use super::{Word, word};

pub(super) const WORDS: &[Word] = &[
    word(
        &["by cause", "cause", "causes", "ε", "depth", "solver", "sum", "p, f"],
        "Shares of an error bar by cause at the end (--verify=model, mesh, all), each with observed order p and factor of safety F, as of a grid convergence index. *time*: the step, and tolerances of adaptive methods. *ε*: the friction law against Coulomb's, from runs at other ε, or another stiffness of laws with a stretch. *depth*: the penalty against a rigid surface, from runs at another stiffness at the same restitution. *solver*: iterations that end before their equations are solved. *mesh*: the elements of elastic bodies, see `mesh`. *sum*: all of them; ε + depth is the difference to ideal Coulomb friction, no fault. *F –*: the runs do not converge. *not known*: no run determines it; the note says why. See docs/verdict.md.",
    ),
    word(
        &["mesh", "--verify=mesh", "refined mesh"],
        "Share of an error bar by the mesh of elastic bodies (--verify=mesh, --verify=all): the scene runs again with every edge of an element halved, by explicit methods at half the step, where sheets or ropes bend at a quarter. A particle between two selected ones is selected too; forces and masses have the same sum; stiffness and damping of contact per particle are multiplied by 1/4, those of lines by 1/2, so that they stay per area. The error is 4/3 of the difference, by the order 2 that is assumed, times 3. *edge*: the mean length of the edges [m]. *Not known* where the two runs differ by more than half of a measure's scale, of bodies of springs, whose k and c belong to their mesh, where bodies without elements touch by a stiffness per particle, above ν = .45, where masses are given particle by particle and where friction is a formula. Above 3 % the run is not trusted: `mesh-too-coarse`. See docs/verdict.md. Mesh files: `stiction explain file`.",
    ),
    word(
        &["locking", "lock", "volumetric locking", "shear locking"],
        "Tetrahedra of linear shape are too stiff: where ν is near ½ each would keep its volume, which leaves a mesh too few ways to bend (volumetric locking), and in bending they shear where a beam does not (shear locking), so that a bar of one cell over its height is several times too stiff. Finer cells help, with the square of their size at ν ≤ .45; `--verify=mesh` says how much is left, and above ν = .45 it is not known. See docs/solids.md.",
    ),
    word(
        &["hydrostatic", "von_mises", "von mises"],
        "Maps and cell arrays of elastic bodies, of the Cauchy stress σ without damping. *hydrostatic*, in .vtu `pressure`: p = −tr σ/3 [Pa], positive where it is compressed. *von-mises*, in .vtu `von_mises`: √(3/2 s:s), s = σ + p 1 [Pa]. *J*: volume by that at rest. A map has at each particle the mean over its elements by their volumes at rest. See docs/solids.md.",
    ),
];
