"""A gripper lifts a soft box: the surface coloured by speed, with the forces on fingers and floor as arrows.

    python gripper_pyvista.py lifted.png
"""

import sys
from pathlib import Path

import numpy as np
import pyvista

import stiction

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "gripper.toml"


def faces(triangles):
    """Triangles as PyVista has them: 3, i, j, k."""
    return np.column_stack([np.full(len(triangles), 3), triangles]).ravel()


def picture(simulation, path, size=(900, 700)):
    """Draws the simulation as it is now."""
    plotter = pyvista.Plotter(off_screen=True, window_size=size)
    plotter.set_background("white")
    for collider in simulation.colliders:
        corners = collider.triangles.reshape(-1, 3)
        mesh = pyvista.PolyData(corners, faces(np.arange(len(corners)).reshape(-1, 3)))
        floor = collider.name == "floor"
        plotter.add_mesh(mesh, color="lightgray" if floor else "steelblue", opacity=1.0 if floor else 0.35)
    body = simulation.bodies["box"]
    mesh = pyvista.PolyData(simulation.positions, faces(body.triangles))
    mesh["speed [mm/s]"] = 1e3 * np.linalg.norm(simulation.velocities, axis=1)
    plotter.add_mesh(mesh, scalars="speed [mm/s]", show_edges=True, cmap="viridis")
    contacts = simulation.contacts()
    if len(contacts):
        # of the box on what it touches
        force = -contacts["normal_force"][:, None] * contacts["normal"] - contacts["friction"]
        arrows = pyvista.PolyData(np.ascontiguousarray(contacts["point"]))
        arrows["force"] = force
        scale = 0.04 / np.linalg.norm(force, axis=1).max()
        plotter.add_mesh(arrows.glyph(orient="force", scale="force", factor=scale), color="crimson")
    plotter.camera_position = [(0.25, -0.35, 0.22), (0, 0, 0.06), (0, 0, 1)]
    plotter.add_text(f"t = {simulation.time:.2f} s: {simulation.verdict()}", font_size=9, color="black")
    plotter.screenshot(path)
    plotter.close()


def lift(time):
    """The gripper at a time [s]."""
    simulation = stiction.load(SCENE).simulate()
    simulation.advance_to(time)
    return simulation


if __name__ == "__main__":
    picture(lift(1.0), sys.argv[1] if len(sys.argv) > 1 else "gripper.png")
