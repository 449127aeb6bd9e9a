"""Ctrl-C ends what is running within a second of CPU time, and leaves what was written."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import stiction

#: Nothing that is waited for takes as long [s].
PATIENCE = 180.0


def cpu(process: int) -> float:
    """CPU time of a process so far [s]."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def works(caller: subprocess.Popen) -> float:
    """Waits until a process has computed for a while; its CPU time then [s]."""
    began, end = cpu(caller.pid), time.monotonic() + PATIENCE
    while (now := cpu(caller.pid)) < began + 0.4:
        assert caller.poll() is None and time.monotonic() < end, "it does not work"
        time.sleep(0.01)
    return now


def until_rows(file: Path) -> None:
    """Waits until a table has a head and two rows."""
    end = time.monotonic() + PATIENCE
    while not file.exists() or file.read_text().count("\n") < 3:
        assert time.monotonic() < end, f"no rows come to {file}"
        time.sleep(0.01)


#: Says when it begins, and when and how it ended, with its CPU time.
CALLER = """
import json, sys, time, stiction
scene = stiction.Scene(json.loads(sys.argv[1]), threads=1)
def work():
    {work}
print("begins", flush=True)
try:
    work()
    print("went on to its end")
except KeyboardInterrupt:
    print("interrupted", time.process_time())
print(json.dumps({{"again": stiction.Scene(json.loads(sys.argv[1])).set({{"time.end": 1e-2}}).run().status}}))
"""

WORK = {
    "run": "scene.run(sys.argv[2])",
    "step": "simulation = scene.simulate(); simulation.step(10**9)",
    "verify": 'scene.set({"time.end": 20.0}).run(verify="both")',
    "compare": 'stiction.compare(scene, integrators=["rk4", "heun"], jobs=1)',
    "sweep": 'stiction.sweep(scene, {"contact.friction.epsilon": [1e-3, 1e-2]}, jobs=1)',
    "tune": "stiction.tune(scene, 1e-3, jobs=1)",
    "validate": "stiction.validate()",
}


@pytest.mark.skipif(sys.platform != "linux", reason="CPU times of processes are read in /proc")
@pytest.mark.parametrize("what", WORK)
def test_ctrl_c_ends_it_within_a_second(what, box, tmp_path):
    box["time"]["end"] = 1e4
    arguments = [sys.executable, "-c", CALLER.format(work=WORK[what]), json.dumps(box), str(tmp_path / "out")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout.readline().strip() == "begins"
        if what == "run":
            until_rows(tmp_path / "out" / "measures.csv")
        sent = works(caller)
        caller.send_signal(signal.SIGINT)
        ended, taken = caller.stdout.readline().split()
        taken = float(taken) - sent
        rest = caller.stdout.read()
    assert ended == "interrupted" and json.loads(rest) == {"again": "completed"}
    assert taken < 1.0, f"it took {taken:.2f} s"
    if what == "run":
        kept = json.loads((tmp_path / "out" / "run.json").read_text())
        assert kept["status"] == "interrupted" and kept["frames"] > 1


@pytest.mark.skipif(sys.platform != "linux", reason="CPU times of processes are read in /proc")
def test_a_step_that_takes_long_is_interrupted_on_its_way(box):
    """An implicit step of many particles, which takes seconds."""
    box["integrator"] = {"method": "implicit-euler", "linear_solver": "pcg"}
    box["body"][0]["shape"]["lattice"]["counts"] = [40, 40, 40]
    box["body"][0]["springs"] = {"edge": {"stiffness": 1e9, "damping": 1.0}}
    box["time"].update(step=1e-2, output=1e-2, end=1.0)
    work = "simulation = scene.simulate(); print('stands', flush=True); simulation.step(1000)"
    arguments = [sys.executable, "-c", CALLER.format(work=work), json.dumps(box)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as caller:
        assert [caller.stdout.readline().strip() for _ in range(2)] == ["begins", "stands"]
        sent = works(caller)
        caller.send_signal(signal.SIGINT)
        ended, taken = caller.stdout.readline().split()
        taken = float(taken) - sent
        caller.kill()
    assert ended == "interrupted"
    assert taken < 1.0, f"it took {taken:.2f} s"


def test_a_thread_other_than_the_main_one_may_run(box):
    import threading

    found = []
    scene = stiction.Scene(box)
    threads = [threading.Thread(target=lambda: found.append(scene.run().state_hash)) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and len(set(found)) == 1
