"""The converter of ContactNets' tosses, on files of the same format made here, and the fit's small parts."""

import importlib.util
import pickle
import struct
import sys
import types
from pathlib import Path

import numpy as np
import pytest

REAL = Path(__file__).resolve().parents[1] / "real"


def load(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, REAL / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


contact_nets, slides = load("contact_nets"), load("slides")


def saved(table, kind="FloatStorage", announced=None):
    """What torch.save wrote of a tensor before zip archives."""
    data = np.ascontiguousarray(table, contact_nets.ITEMS[kind])

    class Kept:
        """A storage by its key."""

    storage = Kept()
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    kept = type(kind, (), {"__module__": "torch"})
    setattr(torch, kind, kept)

    def _rebuild_tensor_v2(*_):
        """Stands for torch's own."""

    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2

    class Tensor:
        def __reduce__(self):
            steps = [s // data.itemsize for s in data.strides]
            return _rebuild_tensor_v2, (storage, 0, data.shape, tuple(steps), False, {})

    class Writer(pickle._Pickler):
        def persistent_id(self, of):
            return ("storage", kept, "7", "cpu", data.size, None) if of is storage else None

    import io

    file = io.BytesIO()
    before = {name: sys.modules.get(name) for name in ("torch", "torch._utils")}
    sys.modules["torch"], sys.modules["torch._utils"] = torch, utils
    try:
        for part in (contact_nets.MAGIC, 1001, {"little_endian": True}):
            pickle.dump(part, file, protocol=2)
        Writer(file, protocol=2).dump(Tensor())
        pickle.dump(["7"], file, protocol=2)
    finally:
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module
    file.write(struct.pack("<q", announced or data.size) + data.tobytes())
    return file.getvalue()


def thrown(rows=30):
    """A toss that falls, touches at row 10 and slides by 0.1 m along x."""
    table = np.zeros((rows, 19))
    table[:, 3] = 1
    table[:10, 2] = np.linspace(3, 1, 10)
    table[10:, 2] = 1
    table[:10, 9] = -1.5 / contact_nets.HALF_WIDTH
    table[10:, 0] = np.linspace(0, 0.1 / contact_nets.HALF_WIDTH, rows - 10)
    return table


@pytest.mark.parametrize("kind", list(contact_nets.ITEMS))
def test_a_toss_comes_back_in_si_units(kind, tmp_path):
    (tmp_path / "12.pt").write_bytes(saved(thrown()[None], kind))
    (tmp_path / "3.pt").write_bytes(saved(thrown(), kind))
    found = contact_nets.read(tmp_path)
    assert len(found) == 2 and found[0]["time"][-1] == pytest.approx(29 / 148)
    assert found[1]["position"][-1] == pytest.approx([0.1, 0, contact_nets.HALF_WIDTH], rel=1e-6)


@pytest.mark.parametrize(
    "data",
    [b"", b"no pickle", saved(thrown())[:-100], saved(thrown(), announced=10**12), saved(thrown()[:, :5])],
)
def test_damaged_files_are_named(data, tmp_path):
    (tmp_path / "1.pt").write_bytes(data)
    with pytest.raises(SystemExit, match="1.pt"):
        contact_nets.read(tmp_path)


def test_files_run_no_code(tmp_path):
    class Evil:
        def __reduce__(self):
            return exec, ("raise RuntimeError('it ran')",)

    (tmp_path / "1.pt").write_bytes(pickle.dumps(Evil(), protocol=2))
    with pytest.raises(SystemExit, match="is not part of a tensor"):
        contact_nets.read(tmp_path)


def test_slides_begin_at_the_first_touch(tmp_path):
    (tmp_path / "1.pt").write_bytes(saved(thrown()))
    toss = contact_nets.read(tmp_path)[0]
    path = tmp_path / "tosses.npz"
    np.savez(path, toss=np.zeros(30, int), half_width=contact_nets.HALF_WIDTH, **toss)
    (found,) = slides.tosses(path)
    assert found["touch"] == 10
    assert slides.slide(found["position"], found["touch"]) == pytest.approx(0.1, rel=1e-6)


def test_distance_of_samples():
    a = np.arange(10.0)
    assert slides.distance(a, a) == 0
    assert slides.distance(a, a + 100) == 1
    assert slides.distance(a, a + 5) == pytest.approx(0.5)
