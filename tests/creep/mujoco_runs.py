#!/usr/bin/env python3
"""`stiction creep --engine mujoco` against runs of MuJoCo: slopes, grips and pushed boxes.

    python3 -m venv venv && venv/bin/pip install mujoco==4.0.0
    cargo build --release
    venv/bin/python tests/creep/mujoco_runs.py [--binary PATH] [--number N] [--jobs N] [--seed N] [--write] [--store]

Every case is a model in MJCF, drawn with all its settings from a seed. Its creep is asked for twice, by
parameters and by `--mjcf`, and measured from positions once it is steady. Exact answers must be within 1e-4,
estimates within 30 %, and both must agree; a refusal is neither right nor wrong, nor is an estimate whose
contacts lift in the run. With --write the table goes into docs/creep.md, with --store a few
cases into stored.json, which tests/truth/mujoco.rs reads. A wrong answer exits with 1.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import mujoco

PAGE = pathlib.Path(__file__).parents[2] / "docs/creep.md"
STORED = pathlib.Path(__file__).parent / "stored.json"
MARKS = ("<!-- tests/creep/mujoco_runs.py --write -->", "<!-- end -->")

# largest relative error of an exact answer and of an estimate
EXACT, ESTIMATE = 1e-4, 0.3

GRAVITY = 9.81

HEAD = """<mujoco><option timestep="{step}" gravity="{gx} 0 {gz}" cone="{cone}" impratio="{impratio}" iterations="200"
 tolerance="1e-14"/><default><geom friction="{friction} .005 .0001" condim="{condim}" solref="{solref}"
 solimp="{solimp}"/></default><worldbody>"""
# with an offset the centre of mass is not at the body's origin
FINGER = """<body name="{name}" pos="{at} 0 {below}"><joint name="{name}" type="slide" axis="1 0 0"/>
<geom {shape} pos="0 0 {above}" mass="{mass}"/></body>"""
PADS = {
    "box": (4, 'type="box" size=".02 .02 .02"'),
    "capsule": (2, 'type="capsule" size=".02 .02"'),
    "sphere": (1, 'type="sphere" size=".02"'),
}


def softness(draw):
    """Settings of contacts, as keys of `creep`."""
    log = lambda low, high: math.exp(draw.uniform(math.log(low), math.log(high)))
    cone = draw.choice(["elliptic", "pyramidal"])
    tc = draw.choice([0.02, log(2e-5, 0.05)])
    ratio = draw.choice([1, draw.uniform(0.5 if cone == "elliptic" else 0.9, 2)])
    direct = [-1 / (tc * ratio) ** 2, -2 / tc]
    dmin = draw.choice([0.9, draw.uniform(0.5, 0.99)])
    solimp = [dmin, draw.choice([max(0.95, dmin), draw.uniform(dmin, 0.9999)]), log(1e-4, 2e-3), draw.uniform(0.2, 0.8),
              draw.choice([1, 2, 3])]
    return {
        "cone": cone, "impratio": draw.choice([1, log(1, 1000)]), "condim": draw.choice([3, 3, 4, 6]),
        "step": min(5e-3, tc / draw.choice([4, 10, 20])), "solref": draw.choice([[tc, ratio], [tc, ratio], direct]),
        "solimp": draw.choice([[0.9, 0.95, 1e-3, 0.5, 2], solimp]), "friction": draw.uniform(0.2, 1.5),
        "mass": log(0.01, 100),
    }


def steady(keys, times):
    """Time until creep is steady and of its measurement [s], by the slower of the contact's two modes."""
    tc, ratio = keys["solref"]
    if tc < 0:
        tc, ratio = -2 / ratio, -ratio / (2 * math.sqrt(-tc))
    return {"settle": times * tc * max(1, 2 * ratio**2), "window": 20 * tc}


def text(keys):
    """Values as the program and MJCF take them."""
    return {k: " ".join(map(repr, v)) if isinstance(v, list) else v for k, v in keys.items()}


def slope(draw, ratio=(0.05, 0.9), settle=100, **more):
    """A box on a tilted plane or on a fixed box."""
    keys = softness(draw) | more
    angle = math.atan(draw.uniform(*ratio) * keys["friction"])
    keys |= {"slope": math.degrees(angle), "length": draw.uniform(0.2, 0.5), "width": draw.uniform(0.2, 0.5)}
    keys["height"] = draw.uniform(0.02, 0.3) * keys["length"]
    floor = draw.choice(['type="plane" size="50 50 1"', 'type="box" size="50 50 1" pos="0 0 -1"'])
    xml = HEAD.format(**text(keys), gx=GRAVITY * math.sin(angle), gz=-GRAVITY * math.cos(angle)) + (
        f'<geom {floor}/><body name="body" pos="0 0 {keys["height"]}"><freejoint/>'
        f'<geom type="box" mass="{keys["mass"]}" size="{keys["length"] / 2} {keys["width"] / 2} {keys["height"]}"/></body></worldbody></mujoco>'
    )
    return {"keys": keys, "xml": xml, "axis": 0} | steady(keys, settle)


def grip(draw, pad=None, held=None, second=None, **more):
    """A box between two fingers on slide joints, of one mass or of two."""
    keys = softness(draw) | more
    pad, held = pad or draw.choice(list(PADS)), held or draw.choice(["slide", "slide-offset"])
    count, shape = PADS[pad]
    mass = keys["mass"] * math.exp(draw.uniform(math.log(0.05), math.log(20)))
    force = keys["mass"] * GRAVITY / (2 * keys["friction"] * draw.uniform(0.05, 0.9))
    keys |= {"geometry": "grip", "grip_force": force, "contacts": 2 * count, "other_mass": mass, "other_held": held}
    masses = [mass, mass * (second or 1)]
    if second:
        keys["second_invweight"] = (1 if held == "slide" else 1 / 3) / masses[1]
    offset = 0.1 if held == "slide-offset" else 0
    fingers = "".join(
        FINGER.format(name=name, at=side * 5.02, below=-offset, above=offset, shape=shape, mass=own)
        for name, side, own in (("left", -1, masses[0]), ("right", 1, masses[1]))
    )
    xml = HEAD.format(**text(keys), gx=0, gz=-GRAVITY) + (
        f'<body name="body"><freejoint/><geom type="box" size="5 5 5" mass="{keys["mass"]}"/></body>{fingers}'
        '</worldbody><actuator><motor joint="left"/><motor joint="right"/></actuator></mujoco>'
    )
    return {"keys": keys, "xml": xml, "axis": 2, "ctrl": [force, -force]} | steady(keys, 30)


def even(draw, **more):
    """A box on a plane, pressed and pushed in the plane of its contacts."""
    case = slope(draw, ratio=(0.0, 0.0), **more)
    keys = case["keys"]
    load = keys["mass"] * GRAVITY
    normal = load * draw.uniform(0.5, 5)
    tangential = draw.uniform(0.05, 0.9) * keys["friction"] * normal
    for key in ("slope", "length", "width"):
        keys.pop(key)
    case["push"] = [tangential, 0, load - normal, 0, -tangential * keys.pop("height"), 0]
    keys |= {"geometry": "even", "normal_force": normal, "tangential_force": tangential}
    return case | {"mjcf": False}


def rules(draw, **more):
    """A slope whose floor and box differ: default classes, priorities, mixes, a <pair>, an override."""
    case = slope(draw, ratio=(0.05, 0.5), impratio=1, **more)
    keys, other = case["keys"], softness(draw)
    number = lambda x: f"{x:.6g}"
    # a time constant that the step of the box allows
    other["solref"] = [max(0.02, 2 * keys["step"]), 1]
    floor = {"solref": text(other)["solref"], "solimp": text(other)["solimp"], "condim": other["condim"],
             "friction": number(keys["friction"] * draw.uniform(0.7, 1)), "solmix": number(draw.uniform(0, 3)),
             "priority": draw.choice([0, 0, 0, 1])}
    named = {key: value for key, value in floor.items() if draw.random() < 0.6}
    inherited = "".join(f' {key}="{value}"' for key, value in floor.items() if key not in named)
    own = "".join(f' {key}="{value}"' for key, value in named.items())
    xml = case["xml"].replace("</default>", f'<default class="floor"><geom{inherited}/></default></default>', 1)
    xml = xml.replace("<geom type=", f'<geom class="floor" name="floor"{own} type=', 1)
    mix = number(draw.uniform(0.1, 3))
    xml = xml.replace('<geom type="box" mass', f'<geom name="box" solmix="{mix}" type="box" mass')
    if draw.random() < 0.3:
        pair = draw.choice(["", f' friction="{number(keys["friction"])} {number(keys["friction"])}"', ' solref="0.03"', ' condim="4"'])
        xml = xml.replace("</worldbody>", f'</worldbody><contact><pair geom1="box" geom2="floor"{pair}/></contact>')
    if draw.random() < 0.2:
        xml = xml.replace("<default>", '<option o_solref="0.025 1"><flag override="enable"/></option><default>', 1)
    return case | {"xml": xml, "model": True} | steady({"solref": [0.06, 1.5]}, 30)


KINDS = {
    "slope": (slope, {}),
    "grip, equal fingers": (grip, {}),
    "pushed in the plane of contacts": (even, {}),
    "slope, rear contacts at their cone": (slope, {"ratio": (0.7, 0.97), "friction": 0.9}),
    "grip, one finger heavier": (grip, {"pad": "box", "second": 2}),
    "slope, damping ratio 0.5": (slope, {"solref": [0.02, 0.5], "cone": "pyramidal"}),
    "slopes of classes, priorities, pairs": (rules, {}),
}


def measured(case):
    """Speed [m/s] of the body, and whether it kept its contacts."""
    model = mujoco.MjModel.from_xml_string(case["xml"])
    data = mujoco.MjData(model)
    body, axis, step = model.body("body").id, case["axis"], model.opt.timestep
    data.ctrl[:] = case.get("ctrl", [])
    data.xfrc_applied[body] = case.get("push", [0] * 6)
    for _ in range(round(case["settle"] / step)):
        mujoco.mj_step(model, data)
    count, time = data.ncon, data.time
    place = data.xpos[body][axis]
    for _ in range(round(case["window"] / step)):
        mujoco.mj_step(model, data)
    time = data.time - time
    wanted = case["keys"].get("contacts", 4)
    kept = count == data.ncon == wanted
    return abs(data.xpos[body][axis] - place) / time, kept


def asked(binary, keys, xml=None):
    """The document of `stiction creep`, by parameters or by a model."""
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        command = [binary, "creep", "--engine", "mujoco", "--format", "json"]
        if xml is not None:
            file.write(xml)
            file.flush()
            command += ["--mjcf", file.name]
        command += [word for key, value in text(keys).items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def judged(work):
    """A row: kind, what the program calls it, its error, and the case."""
    binary, kind, seed = work
    make, more = KINDS[kind]
    case = make(random.Random(f"{kind} {seed}"), **more)
    keys = case["keys"]
    # what is no part of a model
    forces = {key: keys[key] for key in ("grip_force",) if key in keys}
    answer = asked(binary, forces, case["xml"]) if case.get("model") else asked(binary, keys)
    if case.get("mjcf", True) and not case.get("model"):
        model = asked(binary, forces, case["xml"])
        one, other = answer["creep"], model["creep"]
        if answer["motion"] != model["motion"] or (one and abs(other / one - 1) > 1e-9):
            return kind, "disagrees", None, case, answer, other
    speed, kept = measured(case)
    if answer["motion"] == "unknown":
        return kind, "refused", None, case, answer, speed
    if answer["motion"] == "tips" or not kept and answer["motion"] == "creeps" and not answer["exact"]:
        return kind, "lifts", None, case, answer, speed
    return kind, "exact" if answer["exact"] else "estimate", answer["creep"] / speed - 1, case, answer, speed


def wrong(row):
    kind, called, error = row[:3]
    if called == "disagrees":
        return True
    most = {"exact": EXACT, "estimate": ESTIMATE}.get(called)
    return most is not None and abs(error) > most


def table(rows):
    """The figures for the page."""
    lines = [
        f"| MuJoCo {mujoco.__version__} | runs | exact | worst | estimate | worst | refused | wrong |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in [*KINDS, "all"]:
        own = [row for row in rows if kind in (row[0], "all")]
        worst = lambda called: max((abs(row[2]) for row in own if row[1] == called), default=None)
        show = lambda x: "" if x is None else f"{x:.1e}"
        count = collections.Counter(row[1] for row in own)
        cells = [kind, len(own), count["exact"], show(worst("exact")), count["estimate"], show(worst("estimate")),
                 count["refused"] + count["lifts"], sum(map(wrong, own))]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def store(rows):
    """Keeps three cases of each kind that has answers, for tests without MuJoCo."""
    kept = []
    for kind in KINDS:
        own = [row for row in rows if row[0] == kind and row[1] in ("exact", "estimate")][:3]
        kept += [
            {"kind": kind, "exact": called == "exact", "keys": {} if case.get("model") else text(case["keys"]),
             "xml": case["xml"] if case.get("mjcf", True) else None,
             "grip_force": case["keys"].get("grip_force"), "creep": figure}
            for _, called, _, case, _, figure in own
        ]
    document = {"made": f"tests/creep/mujoco_runs.py --store with MuJoCo {mujoco.__version__}", "cases": kept}
    STORED.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def write(figures):
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    after = rest.split(MARKS[1], 1)[1]
    PAGE.write_text(f"{before}{MARKS[0]}\n{figures}\n{MARKS[1]}{after}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--number", type=int, default=20, help="cases of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kind", choices=list(KINDS), help="one kind alone")
    parser.add_argument("--json", action="store_true", help="all cases with their figures")
    parser.add_argument("--store", action="store_true", help="a few cases into stored.json")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.number)
    binary = str(pathlib.Path(options.binary).resolve())
    works = [(binary, kind, seed) for kind in KINDS if options.kind in (None, kind) for seed in seeds]
    # MuJoCo writes its warnings into a file where it runs
    elsewhere = {"initializer": os.chdir, "initargs": (tempfile.gettempdir(),)}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, **elsewhere) as pool:
        rows = list(pool.map(judged, works))
    if options.json:
        print(json.dumps([[*row[:3], text(row[3]["keys"]), row[5]] for row in rows]))
        return
    for kind, called, error, case, answer, figure in rows:
        if wrong((kind, called, error)):
            print(kind, called, error, text(case["keys"]), answer["creep"], figure, answer["estimate"])
    print(table(rows))
    if options.store:
        store(rows)
    if options.write:
        write(table(rows))
    count = sum(map(wrong, rows))
    if count:
        sys.exit(f"error: {count} of {len(rows)} answers are wrong")


if __name__ == "__main__":
    main()
