"""The examples, with small settings and no window."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_drawn(path):
    """Whether a PNG shows more than one colour."""
    from matplotlib.image import imread

    image = imread(path)[..., :3]
    return image.std() > 0.02


def test_creep_atlas(tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    atlas = example("creep_atlas")
    epsilons = [1e-2, 3e-2]
    measured, closed = atlas.atlas(epsilons, seconds=0.5)
    np.testing.assert_allclose(measured, closed, rtol=0.05)
    atlas.draw(epsilons, measured, closed, tmp_path / "atlas.png")
    assert is_drawn(tmp_path / "atlas.png")


def test_gripper_pyvista(tmp_path):
    pytest.importorskip("pyvista")
    pytest.importorskip("matplotlib")
    # where there is no OpenGL the library ends the whole process
    code = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r}); import gripper_pyvista as g; g.picture(g.lift(0.1), sys.argv[1])"
    path = tmp_path / "gripper.png"
    ran = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, env={**os.environ, "PYVISTA_OFF_SCREEN": "true"})
    if not path.exists() and any(word in ran.stderr for word in ("OpenGL", "X server", "libGL", "EGL")):
        pytest.skip(f"no OpenGL here: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr
    assert is_drawn(path)


def test_live_view_in_rerun(tmp_path):
    pytest.importorskip("rerun", reason="pip install rerun-sdk")
    example("live_rerun").main(str(tmp_path / "snake.rrd"), until=0.08)
    written = (tmp_path / "snake.rrd").read_bytes()
    assert written.startswith(b"RRF") and len(written) > 5000


def test_crawler_passes_gymnasiums_checker():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    crawler = example("crawler_gym")
    check_env(crawler.Crawler(steps=5), skip_render_check=True)
    a, b = crawler.Crawler(steps=20), crawler.Crawler(steps=20)
    # an even swing of 40 mm gets ahead by about one stroke in a period, and by the same bits each time
    way = crawler.swing(a)
    assert 20.0 < way < 60.0 and way == crawler.swing(b)


def test_the_notebook_runs(monkeypatch):
    # figures are drawn into the notebook, not into files
    monkeypatch.delenv("MPLBACKEND", raising=False)
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert any("trusted" in str(output.get("data", {})) for output in shown)
    assert any("image/png" in output.get("data", {}) for output in shown)


def test_the_page_of_the_package_runs(monkeypatch, capsys):
    pytest.importorskip("pandas")
    page = (EXAMPLES.parent / "README.md").read_text()
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    assert len(blocks) == 2
    monkeypatch.chdir(EXAMPLES.parents[1])
    exec(compile("\n".join(blocks), "README.md", "exec"), {})
    told = capsys.readouterr().out
    assert told.startswith("trusted to") and "0.0001" in told
