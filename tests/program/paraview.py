"""Reads the frames of a results folder with VTK's own readers and compares every array, bit for bit, with
the .npy arrays of the same run, and contacts with trajectory/contacts.npy.

usage: python paraview.py FOLDER        prints the number of files, arrays and numbers compared
"""

import sys
import xml.etree.ElementTree as tree
from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkCommand, vtkDataArray
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def read(path):
    complaints = []

    def complain(_object, _event, text):
        complaints.append(text)

    complain.CallDataType = "string0"
    reader = vtkXMLUnstructuredGridReader()
    reader.AddObserver(vtkCommand.ErrorEvent, complain)
    reader.AddObserver(vtkCommand.WarningEvent, complain)
    reader.SetFileName(str(path))
    reader.Update()
    assert not complaints, f"{path}: {complaints}"
    return reader.GetOutput()


def arrays(data):
    return {data.GetArrayName(k): data.GetArray(k) for k in range(data.GetNumberOfArrays())}


def same(name, got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, f"{name}: {got.shape} is not {expected.shape}"
    assert got.tobytes() == expected.tobytes(), f"{name}: other bits"
    return got.size


def main(folder):
    units = {"velocity": "m/s", "normal_force": "N", "pressure": "Pa", "dissipated": "J"}
    stored = {path.stem: np.load(path) for path in (folder / "trajectory").glob("*.npy")}
    rows = stored.pop("contacts")
    times = stored.pop("time")
    entries = tree.parse(folder / "run.pvd").getroot().iter("DataSet")
    frames = {}
    for entry in entries:
        frames.setdefault(float(entry.get("timestep")), {})[entry.get("name")] = entry.get("file")
    assert list(frames) == list(times), "every frame is listed with its time"
    files = compared = numbers = 0
    for number, (time, parts) in enumerate(frames.items()):
        grids = {name: read(folder / file) for name, file in parts.items()}
        files += len(grids)
        bodies = grids["bodies"]
        found = arrays(bodies.GetPointData())
        fields = bodies.GetFieldData()
        assert vtk_to_numpy(fields.GetArray("TimeValue"))[0] == time
        numbers += same("position", vtk_to_numpy(bodies.GetPoints().GetData()), stored["position"][number])
        for name in stored.keys() - {"position"}:
            numbers += same(name, vtk_to_numpy(found[name]), stored[name][number])
            compared += 1
        for name, unit in units.items():
            assert found[name].GetInformation().Get(vtkDataArray.UNITS_LABEL()) == unit, name
        assert bodies.GetNumberOfCells() > 0
        strain = vtk_to_numpy(arrays(bodies.GetCellData())["strain"])
        assert len(strain) == bodies.GetNumberOfCells()
        contacts, own = grids["contacts"], rows[rows["frame"] == number]
        assert contacts.GetNumberOfPoints() == len(own)
        if len(own):
            numbers += same("point", vtk_to_numpy(contacts.GetPoints().GetData()), own["point"])
            for name, array in arrays(contacts.GetPointData()).items():
                expected = own[name]
                kind = {"i": np.int64, "b": np.uint8}.get(expected.dtype.kind, expected.dtype)
                numbers += same(name, vtk_to_numpy(array), expected.astype(kind))
                compared += 1
        assert grids["colliders"].GetNumberOfCells() >= 0
    print(f"{files} files, {compared} arrays, {numbers} numbers: the same bits")


main(Path(sys.argv[1]))
