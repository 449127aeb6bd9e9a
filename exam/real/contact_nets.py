#!/usr/bin/env python3
"""The 570 cube tosses of ContactNets [pfrommer2021] as one .npz, without torch and without running what is in
the files.

    git clone https://github.com/DAIRLab/contact-nets
    python3 contact_nets.py contact-nets/data/tosses_processed tosses.npz

Each toss is a table at 148 Hz: position and velocity in half widths of the cube (0.0524 m), orientation w, x, y,
z, spin in the cube's frame, six columns of zeros. Written are `time` [s], `position` [m], `orientation`,
`velocity` [m/s], `spin` [rad/s, cube's frame], all tosses one after another, and `toss`, the number of each row.
"""

import argparse
import io
import pickle
import struct
import sys
from pathlib import Path

import numpy as np

HALF_WIDTH = 0.0524
RATE = 148.0
MAGIC = 0x1950A86A20F9469CFC6C
ITEMS = {"FloatStorage": np.dtype("<f4"), "DoubleStorage": np.dtype("<f8")}


class Storage:
    """Numbers of a tensor, which follow the pickles."""

    def __init__(self, kind: np.dtype):
        self.kind, self.numbers = kind, None


def rebuilt(storage, offset, size, stride, *_):
    """A tensor: where it begins in its storage, its shape and strides."""
    return storage, offset, size, stride


class Reader(pickle.Unpickler):
    """Knows tensors and nothing else, so that no file can run code."""

    storages: dict

    def find_class(self, module, name):
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return rebuilt
        if module == "torch" and name in ITEMS:
            return ITEMS[name]
        if (module, name) == ("collections", "OrderedDict"):
            return dict
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a tensor")

    def persistent_load(self, told):
        _, kind, key, *_ = told
        return self.storages.setdefault(key, Storage(kind))


def tensor(data: bytes) -> np.ndarray:
    """The tensor of a file of torch.save, in the format before zip archives."""
    file, storages = io.BytesIO(data), {}

    def load():
        reader = Reader(file)
        reader.storages = storages
        return reader.load()

    if load() != MAGIC:
        raise ValueError("it is no tensor of torch.save in its old format")
    load(), load()  # version and byte order of the machine
    storage, offset, size, stride = load()
    for key in load():
        (count,) = struct.unpack("<q", file.read(8))
        of = storages[key]
        content = file.read(count * of.kind.itemsize)
        if len(content) != count * of.kind.itemsize:
            raise ValueError(f"it is cut short: {count} numbers are announced")
        of.numbers = np.frombuffer(content, of.kind)
    rows = np.lib.stride_tricks.as_strided  # bounds are checked first
    last = offset + sum((n - 1) * step for n, step in zip(size, stride))
    if min(size, default=0) < 1 or offset < 0 or min(stride) < 0 or last >= len(storage.numbers):
        raise ValueError("its shape reaches beyond its numbers")
    steps = [step * storage.kind.itemsize for step in stride]
    return rows(storage.numbers[offset:], size, steps, writeable=False).astype(float)


def toss(data: bytes) -> dict[str, np.ndarray]:
    """The columns of a toss in SI units."""
    table = tensor(data)
    if table.ndim == 3 and len(table) == 1:
        table = table[0]
    if table.ndim != 2 or table.shape[1] < 13:
        raise ValueError(f"its shape is {table.shape}, rows of 13 numbers or more are needed")
    return {
        "time": np.arange(len(table)) / RATE,
        "position": table[:, 0:3] * HALF_WIDTH,
        "orientation": table[:, 3:7],
        "velocity": table[:, 7:10] * HALF_WIDTH,
        "spin": table[:, 10:13],
    }


def read(folder: Path) -> list[dict[str, np.ndarray]]:
    """All tosses of a folder by their numbers."""
    paths = sorted(folder.glob("*.pt"), key=lambda path: int(path.stem))
    if not paths:
        raise SystemExit(f"error: {folder} has no files N.pt")
    tosses = []
    for path in paths:
        try:
            tosses.append(toss(path.read_bytes()))
        except (ValueError, EOFError, struct.error, pickle.UnpicklingError) as error:
            raise SystemExit(f"error: {path}: {error}") from None
    return tosses


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    tosses = read(options.folder)
    columns = {key: np.concatenate([t[key] for t in tosses]) for key in tosses[0]}
    number = np.repeat(np.arange(len(tosses)), [len(t["time"]) for t in tosses])
    np.savez_compressed(options.out, toss=number, half_width=HALF_WIDTH, **columns)
    print(f"{len(tosses)} tosses, {len(number)} rows at {RATE:g} Hz")
    return 0


if __name__ == "__main__":
    sys.exit(main())
