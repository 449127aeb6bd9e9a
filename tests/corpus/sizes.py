#!/usr/bin/env python3
"""Gives the program inputs of growing size and measures seconds, peak memory and exit code.

A series is a kind of input with sizes from 1e3 to 1e6. It fails if a run takes more than 20 s of
processor time or 1 GB, ends by a signal or as an internal error, or grows faster than n^1.3
between its two largest sizes that are accepted.

    tests/corpus/sizes.py [--program FILE] [--only PART] [--most N] [--write]
"""

import argparse
import hashlib
import json
import math
import os
import resource
import signal
import struct
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/maintainers/testing.md"
MARKS = ("<!-- sizes: begin -->", "<!-- sizes: end -->")

SECONDS, MEMORY, POWER, QUICK = 20.0, 1 << 30, 1.3, 0.5
# a run that does not end is stopped
PATIENCE = 60.0
SIZES = (1_000, 10_000, 100_000, 1_000_000)

HEAD = """format = 1
title = "sizes"
[time]
end = 1e-4
step = 1e-4
output = 1e-4
[integrator]
method = "symplectic-euler"
[materials.m]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 1e4 }
friction = { law = "threshold", epsilon = 1e-3 }
"""
BODY = """[[body]]
name = "b%d"
material = "m"
mass = 1.0
shape = { particle = {} }
position = [%d.0, %d.0, 1.0]
"""
POINTS = HEAD + '[[body]]\nname = "b"\nmaterial = "m"\nmass = 1.0\nshape = { points = { positions = [\n'
FLOOR = """[[collider]]
name = "floor"
material = "m"
shape = { plane = { normal = [0.0, 0.0, 1.0], point = [0.0, 0.0, 0.0] } }
"""


def cube(n):
    """The side of a cube of about n cells."""
    return max(1, round(n ** (1 / 3)))


def parts(line, head="format = 1\n", tail=""):
    """A writer of n lines between a head and a tail; `#` is the number of the line."""

    def write(out, n):
        out.write(head)
        for k in range(n):
            out.write(line.replace("#", str(k)))
        out.write(tail)

    return write


# --- scenes ---------------------------------------------------------------------------------


def bodies(out, n):
    out.write(HEAD + FLOOR)
    side = math.isqrt(n) + 1
    for k in range(n):
        out.write(BODY % (k, k % side, k // side))


def touching(out, n):
    """Spheres deep in the floor: every body has a contact, and is warned of."""
    out.write(HEAD + FLOOR)
    side = math.isqrt(n) + 1
    for k in range(n):
        body = BODY % (k, k % side, k // side)
        out.write(body.replace(", 1.0]", ", -0.1]") + "radius = 0.1\n")


headers = parts("[[body]]\n")
nameless = parts("[[body]]\nshape = 1\n", HEAD)
materials = parts("[materials.m#]\nstatic_friction = 0.5\n", HEAD + BODY % (0, 0, 0))
colliders = parts(FLOOR.replace("floor", "floor#"), HEAD + BODY % (0, 0, 0))
measures = parts('[[measure]]\nname = "x#"\nkind = "speed"\nbody = "b0"\n', HEAD + BODY % (0, 0, 0))
arrays = parts("[],\n", "format = 1\na = [\n", "]\n")
inline_tables = parts("{},\n", "format = 1\na = [\n", "]\n")
numbers = parts("1,\n", "format = 1\na = [\n", "]\n")
dotted_keys = parts("a#.b.c = 1\n")
keys = parts("k# = 1\n")
faults = parts("= 1\n")
twice = parts("a = 1\n")


def same_name(out, n):
    out.write(HEAD)
    for k in range(n):
        out.write(BODY % (1, k % 1000, k // 1000))


def pairs(out, n):
    materials(out, n)
    for k in range(n):
        out.write(f'[[pair]]\nmaterials = ["m", "m{k}"]\nstatic_friction = 0.5\n')


def points(out, n):
    out.write(POINTS)
    for k in range(n):
        out.write(f"[{k % 1000}.0, {k // 1000}.0, 1.0],\n")
    out.write("] } }\n")


def springs(out, n):
    out.write(POINTS)
    for k in range(n):
        out.write(f"[{k}.0, 0.0, 1.0],\n")
    out.write("], links = [\n")
    for k in range(n - 1):
        out.write(f"[{k}, {k + 1}],\n")
    out.write("] } }\nsprings = { edge = { stiffness = 1e3 } }\n")


def nested_arrays(out, n):
    out.write("format = 1\na = " + "[" * n + "]" * n + "\n")


def dotted(out, n):
    out.write("format = 1\n" + ".".join(["a"] * n) + " = 1\n")


def includes(folder, n):
    names = [f"part{k}.toml" for k in range(min(n, 2000))]
    for name in names:
        (folder / name).write_text("")
    with open(folder / "input.toml", "w") as out:
        listed = ", ".join(f'"{names[k % len(names)]}"' for k in range(n))
        out.write(f"format = 1\ninclude = [{listed}]\n")


# --- meshes ---------------------------------------------------------------------------------


def shell(n):
    """Vertices and triangles of a box whose sides are grids: about n vertices."""
    m = max(2, math.isqrt(n // 6))
    index, vertices, triangles = {}, [], []

    def vertex(p):
        if p not in index:
            index[p] = len(vertices)
            vertices.append(p)
        return index[p]

    for axis in range(3):
        for end in (0, m):
            for i in range(m):
                for j in range(m):
                    square = []
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        p = [0, 0, 0]
                        p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = end, i + a, j + b
                        square.append(vertex(tuple(p)))
                    if end == 0:
                        square.reverse()
                    triangles.append((square[0], square[1], square[2]))
                    triangles.append((square[0], square[2], square[3]))
    return [tuple(x / m for x in p) for p in vertices], triangles


def mesh_scene(name, surface):
    fill = ', fill = "lattice", spacing = 0.25' if surface else ""
    return HEAD + FLOOR + (
        '[[body]]\nname = "b"\nmaterial = "m"\nmass = 1.0\nrigid = true\n'
        f'shape = {{ file = {{ path = "{name}"{fill} }} }}\nposition = [0.0, 0.0, 1.0]\n'
    )


def obj(folder, n):
    vertices, triangles = shell(n)
    with open(folder / "a.obj", "w") as out:
        out.writelines("v %r %r %r\n" % v for v in vertices)
        out.writelines("f %d %d %d\n" % tuple(k + 1 for k in t) for t in triangles)
    return "a.obj"


def stl(folder, n):
    vertices, triangles = shell(n)
    with open(folder / "a.stl", "wb") as out:
        out.write(bytes(80) + struct.pack("<I", len(triangles)))
        for t in triangles:
            out.write(struct.pack("<12fH", 0, 0, 0, *[x for k in t for x in vertices[k]], 0))
    return "a.stl"


def stl_text(folder, n):
    vertices, triangles = shell(n)
    with open(folder / "a.stl", "w") as out:
        out.write("solid a\n")
        for t in triangles:
            out.write("facet normal 0 0 0\nouter loop\n")
            out.writelines("vertex %r %r %r\n" % vertices[k] for k in t)
            out.write("endloop\nendfacet\n")
        out.write("endsolid a\n")
    return "a.stl"


def ply(folder, n):
    vertices, triangles = shell(n)
    with open(folder / "a.ply", "w") as out:
        out.write(f"ply\nformat ascii 1.0\nelement vertex {len(vertices)}\n")
        out.write("property float x\nproperty float y\nproperty float z\n")
        out.write(f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n")
        out.writelines("%r %r %r\n" % v for v in vertices)
        out.writelines("3 %d %d %d\n" % t for t in triangles)
    return "a.ply"


def tets(n):
    """Vertices and tetrahedra of a grid of cubes: about n vertices."""
    m = max(1, cube(n) - 1)
    at = lambda i, j, k: (i * (m + 1) + j) * (m + 1) + k
    vertices = [(i / m, j / m, k / m) for i in range(m + 1) for j in range(m + 1) for k in range(m + 1)]
    orders = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))

    def all_of():
        for i in range(m):
            for j in range(m):
                for k in range(m):
                    for turn, order in enumerate(orders):
                        p, corners = [i, j, k], [at(i, j, k)]
                        for axis in order:
                            p[axis] += 1
                            corners.append(at(*p))
                        if turn >= 3:
                            corners[2], corners[3] = corners[3], corners[2]
                        yield corners

    return vertices, 6 * m**3, all_of()


def msh(folder, n):
    vertices, count, cells = tets(n)
    with open(folder / "a.msh", "w") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(vertices)}\n")
        out.writelines("%d %r %r %r\n" % (k + 1, *v) for k, v in enumerate(vertices))
        out.write(f"$EndNodes\n$Elements\n{count}\n")
        for k, c in enumerate(cells):
            out.write("%d 4 2 0 1 %d %d %d %d\n" % (k + 1, *[v + 1 for v in c]))
        out.write("$EndElements\n")
    return "a.msh"


def vtk(folder, n):
    vertices, count, cells = tets(n)
    with open(folder / "a.vtk", "w") as out:
        out.write("# vtk DataFile Version 3.0\na\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        out.write(f"POINTS {len(vertices)} double\n")
        out.writelines("%r %r %r\n" % v for v in vertices)
        out.write(f"CELLS {count} {5 * count}\n")
        out.writelines("4 %d %d %d %d\n" % tuple(c) for c in cells)
        out.write(f"CELL_TYPES {count}\n")
        out.writelines("10\n" for _ in range(count))
    return "a.vtk"


def with_mesh(write, surface):
    def make(folder, n):
        (folder / "input.toml").write_text(mesh_scene(write(folder, n), surface))

    return make


def heights(folder, n):
    side = math.isqrt(n)
    with open(folder / "a.txt", "w") as out:
        for _ in range(side):
            out.write(" ".join(["0.0"] * side) + "\n")
    (folder / "input.toml").write_text(
        HEAD + BODY % (0, 0, 0)
        + '[[collider]]\nname = "floor"\nmaterial = "m"\n'
        + 'shape = { heightfield = { path = "a.txt", spacing = 1.0 } }\n'
    )


# --- models of MuJoCo -----------------------------------------------------------------------

MODEL = '<mujoco>\n<default>\n<default class="a"><geom friction="0.5"/></default>\n</default>\n<worldbody>\n'


def side_by_side(out, n):
    out.write(MODEL + '<geom type="plane" size="1 1 1"/>\n')
    side = math.isqrt(n) + 1
    for k in range(n):
        out.write(f'<body name="b{k}" pos="{k % side} {k // side} 1"><freejoint/>')
        out.write('<geom class="a" type="sphere" size="0.1"/></body>\n')
    out.write("</worldbody>\n</mujoco>\n")


hinges = parts('<body name="b#" pos="# 0 1"><joint type="hinge"/><geom class="a" type="box" size="0.1 0.1 0.1"/></body>\n',
               MODEL + '<geom type="plane" size="1 1 1"/>\n', "</worldbody>\n</mujoco>\n")


def nested_bodies(out, n):
    out.write(MODEL)
    for k in range(n):
        out.write(f'<body name="b{k}"><geom type="sphere" size="0.1"/>\n')
    out.write("</body>" * n + "</worldbody>\n</mujoco>\n")


def nested_defaults(out, n):
    out.write("<mujoco>\n" + "".join(f'<default class="c{k}">' for k in range(n)))
    out.write("</default>" * n + "<worldbody/>\n</mujoco>\n")


def classes(out, n):
    out.write("<mujoco>\n<default>\n")
    for k in range(n):
        out.write(f'<default class="c{k}"><geom friction="0.5"/></default>\n')
    out.write("</default>\n<worldbody>\n")
    for k in range(n):
        out.write(f'<geom class="c{k}" type="sphere" size="0.1" pos="{k} 0 0"/>\n')
    out.write("</worldbody>\n</mujoco>\n")


def model_pairs(out, n):
    out.write(MODEL)
    for k in range(n):
        out.write(f'<geom name="g{k}" type="sphere" size="0.1" pos="{k} 0 0" contype="0" conaffinity="0"/>\n')
    out.write("</worldbody>\n<contact>\n")
    for k in range(1, n):
        out.write(f'<pair geom1="g0" geom2="g{k}"/>\n')
    out.write("</contact>\n</mujoco>\n")


# --- logs -----------------------------------------------------------------------------------


# of logs of many bodies
FRAMES = 10


def csv_rows(out, n):
    out.write("# gravity = 0,0,-9.81\ntime,x,y,z,vx,vy,vz\n")
    for k in range(n):
        out.write(f"{k * 1e-3!r},{k * 1e-3!r},0.0,1.0,1.0,0.0,0.0\n")


def csv_columns(out, n):
    out.write("time,x,y,z," + ",".join(f"c{k}" for k in range(n)) + "\n")
    for k in range(4):
        out.write(f"{k}.0,0.0,0.0,1.0," + ",".join(["1"] * n) + "\n")


def csv_bodies(out, n):
    out.write("# gravity = 0,0,-9.81\ntime,body,mass,x,y,z\n")
    for frame in range(FRAMES):
        for k in range(n):
            out.write(f"{frame * 1e-3!r},b{k},1.0,{k}.0,0.0,1.0\n")


def csv_contacts(out, n):
    out.write("record,time,body,mass,x,y,z,nx,ny,nz,normal_force,fx,fy,fz,mu\n")
    for k in range(n):
        out.write(f"body,{k}.0,b,1.0,0.0,0.0,1.0,,,,,,,,\n")
        out.write(f"contact,{k}.0,b,,,,,0.0,0.0,1.0,9.81,0.0,0.0,0.0,0.5\n")


def npy(descr, shape):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def npz_rows(folder, n):
    with zipfile.ZipFile(folder / "input.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("time.npy", "w") as out:
            out.write(npy("<f8", f"({n},)"))
            for k in range(n):
                out.write(struct.pack("<d", k * 1e-3))
        with archive.open("position.npy", "w") as out:
            out.write(npy("<f8", f"({n}, 1, 3)"))
            for k in range(n):
                out.write(struct.pack("<3d", k * 1e-3, 0.0, 1.0))
        with archive.open("mass.npy", "w") as out:
            out.write(npy("<f8", "(1,)") + struct.pack("<d", 1.0))


def npz_bodies(folder, n):
    with zipfile.ZipFile(folder / "input.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        times = struct.pack(f"<{FRAMES}d", *[k * 1e-3 for k in range(FRAMES)])
        archive.writestr("time.npy", npy("<f8", f"({FRAMES},)") + times)
        archive.writestr("gravity.npy", npy("<f8", "(3,)") + struct.pack("<3d", 0.0, 0.0, -9.81))
        archive.writestr("mass.npy", npy("<f8", f"({n},)") + struct.pack("<d", 1.0) * n)
        with archive.open("position.npy", "w", force_zip64=True) as out:
            out.write(npy("<f8", f"({FRAMES}, {n}, 3)"))
            for _ in range(FRAMES):
                for k in range(n):
                    out.write(struct.pack("<3d", k, 0.0, 1.0))


def npz_arrays(folder, n):
    with zipfile.ZipFile(folder / "input.npz", "w") as archive:
        for k in range(n):
            archive.writestr(f"a{k}.npy", npy("<f8", "(0,)"))


def npz_bomb(folder, n):
    """Arrays of zeros: n × 4 kB unpacked."""
    with zipfile.ZipFile(folder / "input.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("position.npy", "w", force_zip64=True) as out:
            out.write(npy("<f8", f"({n * 170}, 1, 3)"))
            for _ in range(n):
                out.write(bytes(170 * 24))


# --- sweeps ---------------------------------------------------------------------------------


def sealed(path, document):
    """Writes a document with its digest; returns the digest of the file."""
    text = json.dumps(document, indent=2)
    seal = hashlib.sha256(text.encode()).hexdigest()
    data = f'{text[:-2]},\n  "sha256": "{seal}"\n}}\n'.encode()
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def plan(folder, axes):
    """The plan of a sweep of which no job has been run; returns its digest."""
    jobs = math.prod(len(values) for _, values in axes)
    listed = [{"key": key, "values": values} for key, values in axes]
    common = {"format": 3, "stiction": "sizes", "scene_sha256": "", "set": [], "jobs": jobs}
    return sealed(folder / "sweep.json", {**common, "axes": listed, "sample": None})


def numbered(n):
    return [str(k) for k in range(n)]


def sweep_jobs(folder, n):
    side = math.isqrt(n)
    plan(folder, [("a", numbered(side)), ("b", numbered(n // side))])


def sweep_texts(folder, n):
    side = math.isqrt(n)
    plan(folder, [(key, [f"{k:02000}a" for k in range(side)]) for key in "ab"])


def sweep_axes(folder, n):
    plan(folder, [("jobs", numbered(30))] + [(f"k{k}", ["1"]) for k in range(n)])


def sweep_measures(folder, n):
    digest = plan(folder, [("jobs", numbered(3))])
    (folder / "jobs").mkdir()
    figures = {f"m{k}": 1.0 for k in range(n)}
    for job in range(3):
        outcome = {"plan": digest, "job": job, "settings": [["jobs", str(job)]], "status": "completed",
                   "message": None, "figures": figures, "units": {}}
        sealed(folder / f"jobs/{job:05}.json", outcome)


# --- the rest -------------------------------------------------------------------------------


def recording(folder, n):
    with open(folder / "input.toml", "w") as out:
        out.write(HEAD + BODY % (0, 0, 0))
    with open(folder / "input.json", "w") as out:
        out.write('{"stiction_recording":1,"scene":"input.toml","sha256":"%s","set":[]}\n' % ("0" * 64))
        for _ in range(n):
            out.write('{"step":1,"time":1e-4,"act":"set","set":["time.step=1e-4"]}\n')
        out.write('{"end":1,"time":1e-4,"state_hash":"0"}\n')


def text_file(write, name="input.toml"):
    def make(folder, n):
        with open(folder / name, "w") as out:
            write(out, n)

    return make


# a world may take as much as it is allowed
SCENE = ["check", "input.toml", "--max-memory", "1G"]
RUN = ["run", "input.toml", "--out", "results", "--max-memory", "1G"]
IMPORT = ["import", "input.xml", "-o", "scene.toml"]
COLLECT = ["sweep", "collect", ".", "-o", "table.csv"]
CREEP = ["creep", "--engine", "mujoco", "--mjcf", "input.xml"]


def scene(name, write, command=SCENE, most=1_000_000):
    return name, text_file(write), command, most


def model(name, write, command, most=1_000_000):
    return name, text_file(write, "input.xml"), command, most


SERIES = [
    scene("scene: bodies of one particle, check", bodies),
    scene("scene: bodies of one particle, run", bodies, RUN),
    scene("scene: bodies deep in the floor, check", touching),
    scene("scene: empty `[[body]]`", headers),
    scene("scene: wrong `[[body]]`", nameless),
    scene("scene: bodies of one name", same_name),
    scene("scene: materials", materials),
    scene("scene: colliders", colliders),
    scene("scene: pairs of materials", pairs),
    scene("scene: measures", measures),
    scene("scene: particles of `points`", points),
    scene("scene: springs of `points`", springs),
    scene("scene: arrays in an array", arrays),
    scene("scene: nested arrays", nested_arrays),
    scene("scene: tables in an array", inline_tables),
    scene("scene: parts of a dotted key", dotted),
    scene("scene: dotted keys", dotted_keys),
    scene("scene: unknown keys", keys),
    scene("scene: numbers in an array", numbers),
    scene("scene: lines that are no TOML", faults),
    scene("scene: one key again and again", twice),
    ("scene: includes", includes, SCENE, 1_000_000),
    ("mesh: vertices, .obj", with_mesh(obj, True), SCENE, 1_000_000),
    ("mesh: vertices, .stl", with_mesh(stl, True), SCENE, 1_000_000),
    ("mesh: vertices, .stl as text", with_mesh(stl_text, True), SCENE, 1_000_000),
    ("mesh: vertices, .ply", with_mesh(ply, True), SCENE, 1_000_000),
    ("mesh: vertices, .msh", with_mesh(msh, False), SCENE, 1_000_000),
    ("mesh: vertices, .vtk", with_mesh(vtk, False), SCENE, 1_000_000),
    ("mesh: heights", heights, SCENE, 1_000_000),
    model("MJCF: free bodies side by side, import", side_by_side, IMPORT),
    model("MJCF: free bodies side by side, creep", side_by_side, CREEP),
    model("MJCF: hinged bodies side by side, import", hinges, IMPORT),
    model("MJCF: hinged bodies side by side, creep", hinges, CREEP),
    model("MJCF: nested bodies, import", nested_bodies, IMPORT),
    model("MJCF: nested bodies, creep", nested_bodies, CREEP),
    model("MJCF: nested defaults, import", nested_defaults, IMPORT),
    model("MJCF: default classes, import", classes, IMPORT),
    model("MJCF: default classes, creep", classes, CREEP),
    model("MJCF: pairs, import", model_pairs, IMPORT),
    model("MJCF: pairs, creep", model_pairs, CREEP),
    ("log: rows of .csv", text_file(csv_rows, "input.csv"), ["judge", "input.csv"], 1_000_000),
    ("log: columns of .csv", text_file(csv_columns, "input.csv"), ["judge", "input.csv"], 1_000_000),
    ("log: bodies of .csv", text_file(csv_bodies, "input.csv"), ["judge", "input.csv"], 1_000_000),
    ("log: bodies of .npz", npz_bodies, ["judge", "input.npz"], 1_000_000),
    ("log: contacts of .csv", text_file(csv_contacts, "input.csv"), ["judge", "input.csv"], 1_000_000),
    ("log: rows of .npz", npz_rows, ["judge", "input.npz"], 1_000_000),
    ("log: arrays of .npz", npz_arrays, ["judge", "input.npz"], 100_000),
    ("log: zeros of .npz, in 4 kB", npz_bomb, ["judge", "input.npz"], 1_000_000),
    ("sweep: jobs that have not run, inspect", sweep_jobs, ["inspect", "."], 1_000_000),
    ("sweep: jobs that have not run, collect", sweep_jobs, COLLECT, 1_000_000),
    ("sweep: jobs with texts of 2 kB, collect", sweep_texts, COLLECT, 1_000_000),
    ("sweep: axes of 30 jobs, collect", sweep_axes, COLLECT, 1_000_000),
    ("sweep: measures of 3 jobs, collect", sweep_measures, COLLECT, 1_000_000),
    ("recording: events", recording, ["render", "input.toml", "--replay", "input.json", "-o", "a.png"], 1_000_000),
]


def started(command, folder):
    """Seconds of processor time, peak memory [bytes] and exit code (negative: a signal)."""
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        out = os.open("said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        os.execv(command[0], command)
    watch = threading.Timer(PATIENCE, os.kill, (pid, signal.SIGKILL))
    watch.start()
    _, status, usage = os.wait4(pid, 0)
    watch.cancel()
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status)


def made(make, folder, n):
    """Writes the input in a process of its own, whose memory the program does not inherit."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            make(folder, n)
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, "an input that cannot be made"


def measured(program, row, most):
    name, make, command, largest = row
    results = []
    for n in SIZES:
        if n > min(most, largest):
            break
        with tempfile.TemporaryDirectory(prefix="sizes") as folder:
            folder = Path(folder)
            made(make, folder, n)
            size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
            spent, memory, code = started([program, *command], folder)
            with open(folder / "said.txt", errors="replace") as said:
                lines = [line.strip() for line in said.read(1 << 16).splitlines() if line.strip()]
            first = next((line for line in lines if "error" in line), lines[0] if lines else "")
        results.append((n, size, spent, memory, code))
        print(f"{name:44} {n:>8} {size / 1e6:8.1f} MB {spent:7.2f} s {memory / 1e6:7.0f} MB"
              f"  exit {code}  {first[:110]}", flush=True)
    return results


def shortcomings(name, results):
    found = []
    for n, _, spent, memory, code in results:
        if code < 0 or code in (1, 101):
            found.append(f"{name}, {n}: ends with {code}")
        if spent > SECONDS:
            found.append(f"{name}, {n}: {spent:.1f} s")
        if memory > MEMORY:
            found.append(f"{name}, {n}: {memory / 1e6:.0f} MB")
    for (n, _, before, _, first), (m, _, after, _, second) in list(zip(results, results[1:]))[-1:]:
        # a size that is refused at once says nothing about growth
        power = math.log(after / max(before, 1e-2)) / math.log(m / n) if after > 0 else 0.0
        if after > QUICK and first == second and power > POWER:
            found.append(f"{name}: time grows as n^{power:.2f}")
    return found


def table(rows):
    lines = ["| input | n | size | CPU s | peak | exit |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name, results in rows:
        for n, size, spent, memory, code in results:
            lines.append(f"| {name} | {n:.0e} | {size / 1e6:.1f} MB | {spent:.2f} | {memory / 1e6:.0f} MB | {code} |"
                         .replace("e+0", "e"))
    return "\n".join(lines)


def write(rows):
    text = PAGE.read_text()
    begin, end = (text.index(mark) for mark in MARKS)
    today = time.strftime("%-d %B %Y", time.gmtime())
    PAGE.write_text(f"{text[: begin + len(MARKS[0])]}\n{today}, {os.cpu_count()} cores:\n\n{table(rows)}\n{text[end:]}")


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--program", default=str(ROOT / "target/release/stiction"))
    asked.add_argument("--only", default="", help="series whose name holds this")
    asked.add_argument("--most", type=int, default=SIZES[-1], help="largest size")
    asked.add_argument("--write", action="store_true", help=f"put the table into {PAGE.relative_to(ROOT)}")
    options = asked.parse_args()
    program = str(Path(options.program).resolve())
    rows, found = [], []
    for row in SERIES:
        if options.only in row[0]:
            results = measured(program, row, options.most)
            rows.append((row[0], results))
            found += shortcomings(row[0], results)
    if options.write:
        write(rows)
    for line in found:
        print("too much:", line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
