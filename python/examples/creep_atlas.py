"""An atlas of creep: how fast a held block creeps under each law and threshold, against the laws' own
closed forms.

    python creep_atlas.py atlas.png
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import stiction

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "incline_creep.toml"
LAWS = ("threshold", "quadratic", "cubic", "tanh")


def atlas(epsilons, laws=LAWS, seconds=None):
    """Creep of every law (L, E) [m/s] at every ε (E,) [m/s], measured and of the law itself."""
    scene = stiction.load(SCENE, integrator="rk4", set={} if seconds is None else {"time.end": seconds})
    table = stiction.compare(
        scene, laws=laws, epsilons=[float(epsilon) for epsilon in epsilons], integrators="rk4", reference=False
    )
    shape = (len(laws), len(epsilons))
    measured, closed = (np.array(table[name], float).reshape(shape) for name in ("creep", "law_creep"))
    return measured, closed


def draw(epsilons, measured, closed, path, laws=LAWS):
    figure, axes = plt.subplots(figsize=(6, 4.2), layout="constrained")
    for k, law in enumerate(laws):
        (line,) = axes.loglog(epsilons, closed[k], "-", label=law)
        axes.loglog(epsilons, measured[k], "o", color=line.get_color())
    axes.set(
        xlabel="threshold ε [m/s]",
        ylabel="creep [m/s]",
        title="Creep of a held block: runs (dots), laws (lines)",
    )
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)
    plt.close(figure)


if __name__ == "__main__":
    epsilons = np.geomspace(1e-3, 1e-1, 5)
    draw(epsilons, *atlas(epsilons), sys.argv[1] if len(sys.argv) > 1 else "creep_atlas.png")
