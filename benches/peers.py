#!/usr/bin/env python3
"""The lattice drop in other engines, beside this program: million springs per CPU-second of whole steps.

    python3 benches/peers.py [SIZES...] [--rows]

The workload is that of benches/lattice_drop.rs: n × n × n particles of .01 kg at .1 m, springs to 6 + 12
neighbours (k = 500 N/m, c = .5 N·s/m), gravity, a plane (k = 1e4, c = 5, μ = .5, ε = 1e-2), symplectic Euler with
forces from the old state, h = 1e-4 s. Each peer first repeats 1,000 steps at n = 10, whose mean position is known
to 14 digits; one that differs is not timed. Then peers and the program take turns, one thread each; the best
of each counts, and ratios are of one session. Peers that Python does not have are named. `--rows` prints rows
for benches/report.

MuJoCo's flexible bodies are another model, without this friction law: its rate is that of its own step, and
nothing is compared but that.
"""

import json
import os
import subprocess
import sys
import time
from importlib import util
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
TURNS = 7

STIFFNESS, DAMPING, MASS, STEP, SPACING = 500.0, 0.5, 0.01, 1e-4, 0.1
# of this program over numba, by size
GOALS = {10: 2.0, 22: 2.5, 46: 2.6, 100: 2.4}
# of mean x and mean height after 1,000 steps at n = 10 [m]
KNOWN = (0.53313197004704, 0.44495418234919)


def lattice(n):
    """Positions, velocities and springs (i, j, rest length)."""
    import numpy

    side = numpy.arange(n)
    grid = numpy.stack(numpy.meshgrid(side, side, side, indexing="ij"), -1).reshape(-1, 3)
    x = grid * SPACING
    x[:, 2] += 0.01
    v = numpy.zeros_like(x)
    v[:, 0] = 1.0
    steps = [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    steps += [(0, 1, 1), (0, 1, -1), (1, 0, 1), (1, 0, -1), (1, 1, 0), (1, -1, 0)]
    pairs = []
    for step in steps:
        there = grid + step
        inside = ((there >= 0) & (there < n)).all(axis=1)
        i = numpy.flatnonzero(inside)
        j = (there[inside] * [n * n, n, 1]).sum(axis=1)
        pairs.append(numpy.stack([i, j], 1))
    pairs = numpy.concatenate(pairs)
    pairs = pairs[numpy.lexsort((pairs[:, 1], pairs[:, 0]))]
    rest = numpy.linalg.norm(x[pairs[:, 1]] - x[pairs[:, 0]], axis=1)
    return x, v, pairs.astype(numpy.int32), rest


class Numba:
    """The naive loop, compiled by numba."""

    name = "numba"

    def __init__(self, n):
        import numpy

        self.step = compiled_step()
        self.x, self.v, self.pairs, self.rest = lattice(n)
        self.f = numpy.zeros_like(self.x)

    def run(self, steps):
        self.step(self.x, self.v, self.f, self.pairs, self.rest, steps)

    def means(self):
        return self.x[:, 0].mean(), self.x[:, 2].mean()


def compiled_step():
    import numba
    from math import sqrt

    @numba.njit(cache=False, error_model="numpy")
    def step(x, v, f, pairs, rest, steps):
        for _ in range(steps):
            for i in range(len(x)):
                fx, fy, fz = 0.0, 0.0, -9.81 * MASS
                if x[i, 2] < 0.0:
                    normal = -1e4 * x[i, 2] - 5.0 * v[i, 2]
                    if normal > 0.0:
                        slip = sqrt(v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1])
                        factor = 0.5 * normal / (slip if slip > 1e-2 else 1e-2)
                        fx -= factor * v[i, 0]
                        fy -= factor * v[i, 1]
                        fz += normal
                f[i, 0], f[i, 1], f[i, 2] = fx, fy, fz
            for s in range(len(rest)):
                i, j = pairs[s, 0], pairs[s, 1]
                dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                wx, wy, wz = v[j, 0] - v[i, 0], v[j, 1] - v[i, 1], v[j, 2] - v[i, 2]
                length = sqrt(dx * dx + dy * dy + dz * dz)
                rate = (wx * dx + wy * dy + wz * dz) / length
                pull = (STIFFNESS * (length - rest[s]) + DAMPING * rate) / length
                f[i, 0] += pull * dx
                f[i, 1] += pull * dy
                f[i, 2] += pull * dz
                f[j, 0] -= pull * dx
                f[j, 1] -= pull * dy
                f[j, 2] -= pull * dz
            for i in range(len(x)):
                for k in range(3):
                    v[i, k] += STEP / MASS * f[i, k]
                    x[i, k] += STEP * v[i, k]

    return step


class Taichi:
    """The same loops as Taichi kernels on one thread of the processor."""

    name = "Taichi"

    def __init__(self, n):
        import taichi as ti

        ti.init(arch=ti.cpu, default_fp=ti.f64, cpu_max_num_threads=1, log_level=ti.ERROR, fast_math=False)
        x, v, pairs, rest = lattice(n)
        field = lambda of: ti.Vector.field(of.shape[1], ti.f64, shape=of.shape[0])
        self.x, self.v, self.f = field(x), field(v), field(x)
        self.pairs = ti.Vector.field(2, ti.i32, shape=len(pairs))
        self.rest = ti.field(ti.f64, shape=len(rest))
        for to, values in [(self.x, x), (self.v, v), (self.pairs, pairs), (self.rest, rest)]:
            to.from_numpy(values)
        x, v, f, pairs, rest = self.x, self.v, self.f, self.pairs, self.rest

        @ti.kernel
        def step():
            for i in x:
                force = ti.Vector([0.0, 0.0, -9.81 * MASS])
                if x[i][2] < 0.0:
                    normal = -1e4 * x[i][2] - 5.0 * v[i][2]
                    if normal > 0.0:
                        slip = ti.sqrt(v[i][0] ** 2 + v[i][1] ** 2)
                        factor = 0.5 * normal / ti.max(slip, 1e-2)
                        force += ti.Vector([-factor * v[i][0], -factor * v[i][1], normal])
                f[i] = force
            ti.loop_config(serialize=True)
            for s in range(rest.shape[0]):
                i, j = pairs[s][0], pairs[s][1]
                d, w = x[j] - x[i], v[j] - v[i]
                length = d.norm()
                pull = (STIFFNESS * (length - rest[s]) + DAMPING * w.dot(d) / length) / length * d
                f[i] += pull
                f[j] -= pull
            for i in x:
                v[i] += STEP / MASS * f[i]
                x[i] += STEP * v[i]

        self.step, self.sync = step, ti.sync

    def run(self, steps):
        for _ in range(steps):
            self.step()
        self.sync()

    def means(self):
        x = self.x.to_numpy()
        return x[:, 0].mean(), x[:, 2].mean()


class Warp:
    """The same loops as Warp kernels on the processor, which go over their elements in order."""

    name = "Warp"

    def __init__(self, n):
        from peers_warp import kernels

        x, v, pairs, rest = lattice(n)
        self.wp, self.particles, self.springs, self.move = kernels()
        wp = self.wp
        self.x, self.v, self.f = (wp.array(of, dtype=wp.vec3d, device="cpu") for of in (x, v, 0.0 * x))
        self.pairs = wp.array(pairs, dtype=wp.vec2i, device="cpu")
        self.rest = wp.array(rest, dtype=wp.float64, device="cpu")

    def run(self, steps):
        launch = self.wp.launch
        for _ in range(steps):
            launch(self.particles, len(self.x), [self.x, self.v, self.f], device="cpu")
            inputs = [self.x, self.v, self.f, self.pairs, self.rest]
            launch(self.springs, len(self.rest), inputs, device="cpu")
            launch(self.move, len(self.x), [self.x, self.v, self.f], device="cpu")

    def means(self):
        x = self.x.numpy()
        return x[:, 0].mean(), x[:, 2].mean()


class MuJoCo:
    """A flexible lattice of MuJoCo under its Euler method, elastic by tetrahedra; every edge of them counts as a
    spring. Its own model; a larger one takes minutes a step."""

    name = "MuJoCo flex"
    known = False
    largest = 22

    def __init__(self, n):
        import mujoco

        text = f"""<mujoco><option timestep="1e-4" integrator="Euler"/><size memory="1G"/><worldbody>
        <geom type="plane" size="9 9 1" friction=".5"/>
        <flexcomp name="cube" type="grid" dim="3" count="{n} {n} {n}" spacing=".1 .1 .1" pos="0 0 {0.05 * n}"
        mass="{MASS * n**3}" radius=".001"><elasticity young="5e3" poisson=".2" damping="1e-3"/>
        <contact selfcollide="none"/></flexcomp></worldbody></mujoco>"""
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data, self.step = mujoco.MjData(self.model), mujoco.mj_step
        self.own_springs = self.model.nflexedge

    def run(self, steps):
        self.step(self.model, self.data, steps)


class Own:
    """This program, with every watch: the CPU time that it measures over its steps, the least of all turns, less
    that of the first two, which make room and are not timed with the peers either."""

    name = "stiction"
    known = False

    def __init__(self, n):
        from importlib.machinery import SourceFileLoader

        loader = SourceFileLoader("against", str(ROOT / "benches" / "against"))
        against = util.module_from_spec(util.spec_from_loader("against", loader))
        loader.exec_module(against)
        against.PLACE.mkdir(parents=True, exist_ok=True)
        self.program = against.built(None)
        self.long = self.short = float("inf")
        self.scene = against.PLACE / f"peers_{n}.toml"
        self.scene.write_text(against.LATTICE.format(n=n, mass=MASS * n**3, end=1e6 * STEP))

    def time(self, steps):
        self.long = min(self.long, self.cpu(steps + 2))
        self.short = min(self.short, self.cpu(2))
        return self.long - self.short

    def cpu(self, steps):
        words = [str(self.program), "run", str(self.scene), "--threads", "1", "--format", "json"]
        words += ["--set", f"time.end={steps * STEP!r}", "--set", f"time.output={steps * STEP!r}"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode in (1, 2):
            sys.exit(f"{self.scene}: exit code {done.returncode}")
        return json.loads(done.stdout)["cpu_seconds"]


PEERS = {"numba": Numba, "taichi": Taichi, "warp": Warp, "mujoco": MuJoCo}


def seconds(peer, steps):
    """CPU time of so many steps [s]."""
    if hasattr(peer, "time"):
        return peer.time(steps)
    began = time.process_time()
    peer.run(steps)
    return time.process_time() - began


def checked(make):
    """Whether a peer computes the same motion."""
    peer = make(10)
    peer.run(1000)
    x, z = peer.means()
    apart = max(abs(x - KNOWN[0]), abs(z - KNOWN[1]))
    if apart > 1e-12:
        print(f"{peer.name}: means {x:.14f} and {z:.14f} are not {KNOWN}: not timed", file=sys.stderr)
    return apart <= 1e-12


def present():
    """The peers that Python has and that compute the same motion."""
    found = []
    for module, make in PEERS.items():
        if util.find_spec(module) is None:
            print(f"{make.name}: absent", file=sys.stderr)
            continue
        try:
            if not getattr(make, "known", True) or checked(make):
                found.append(make)
        except Exception as error:  # of another project: any
            print(f"{make.name}: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def rates(n, makers):
    """Million springs per CPU-second of each, the best of some turns."""
    springs = len(lattice(n)[3])
    best, made = {}, [Own(n)]
    for make in makers:
        if n > getattr(make, "largest", n):
            continue
        try:
            made.append(make(n))
        except Exception as error:
            print(f"{make.name} at {n}: {type(error).__name__}: {error}", file=sys.stderr)
    for turn in range(TURNS + 1):
        for peer in made:
            own = getattr(peer, "own_springs", springs)
            steps = max(4, int((2e6 if peer.name == "MuJoCo flex" else 1e8) / own))
            taken = seconds(peer, steps)
            # the first turn compiles
            if turn > 0:
                rate = own * steps / taken / 1e6
                # of this program the last one has the least times of all turns
                best[peer.name] = rate if isinstance(peer, Own) else max(best.get(peer.name, 0.0), rate)
    return springs, best


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if util.find_spec("numpy") is None:
        sys.exit("no numpy: no peer can be timed")
    makers = present()
    for n in [int(word) for word in words] or list(GOALS):
        springs, best = rates(n, makers)
        for name, rate in best.items():
            ratio = best["stiction"] / rate
            if "--rows" in sys.argv:
                goal = GOALS.get(n) if name == "numba" else None
                met = f"≥ {goal} {'met' if ratio >= goal else 'missed'}" if goal else ""
                print(f"row peers | {n} | {name} | {rate:.0f} | {ratio:.2f} | {met} |")
            else:
                print(f"{n:>4} {springs:>9} {name:<12} {rate:8.1f}  stiction/it {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
