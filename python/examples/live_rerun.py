"""A live view in Rerun: a snake swims, its particles and contact forces are sent as it goes.

    python live_rerun.py              # opens the viewer
    python live_rerun.py snake.rrd    # writes a recording

Needs `pip install rerun-sdk`.
"""

import sys
from pathlib import Path

import numpy as np

import stiction

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "snake.toml"


def show(simulation, until, interval, send):
    """Takes steps to a time [s], and sends what is to be seen every so many seconds."""
    import rerun as rr

    (body,) = simulation.bodies.values()
    frames = round((until - simulation.time) / interval)
    for frame in range(frames + 1):
        simulation.advance_to(frame * interval)
        send.set_time("simulated", duration=simulation.time)
        mesh = rr.Mesh3D(
            vertex_positions=simulation.positions,
            triangle_indices=body.triangles,
            albedo_factor=[90, 160, 120, 255],
        )
        send.log("body", mesh)
        contacts = simulation.contacts()
        forces = contacts["normal_force"][:, None] * contacts["normal"] + contacts["friction"]
        send.log("forces", rr.Arrows3D(origins=contacts["point"], vectors=0.1 * forces))
        for name, value in simulation.measures().items():
            send.log(f"measures/{name}", rr.Scalars(np.atleast_1d(value)))


def main(path=None, until=4.0, interval=0.04):
    try:
        import rerun as rr
    except ImportError:
        sys.exit("this example needs Rerun: pip install rerun-sdk")
    simulation = stiction.load(SCENE).simulate()
    with rr.RecordingStream("stiction") as send:
        if path is None:
            send.spawn()
        else:
            send.save(path)
        show(simulation, until, interval, send)
    print(simulation.verdict())


if __name__ == "__main__":
    main(*sys.argv[1:2])
