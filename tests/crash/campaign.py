#!/usr/bin/env python3
"""Ends and resumes runs, and damages what they wrote: all results must have the bytes of a run that was
left alone, or be refused.

    tests/crash/campaign.py kills [--number 2000]     SIGKILL at random times
    tests/crash/campaign.py signals [--number 2000]   SIGINT, SIGTERM, SIGHUP and --max-wall at random times
    tests/crash/campaign.py calls                     SIGKILL and I/O errors at every file-system call
    tests/crash/campaign.py resumes                   the same of a run that resumes
    tests/crash/campaign.py lies                      writes that say they wrote, and did not
    tests/crash/campaign.py races [--number 10]       two runs at once into one folder
    tests/crash/campaign.py flips [--number all]      every bit of two small folders: found, and mended right
    tests/crash/campaign.py cuts [--number all]       every file cut at every record and in its last one
    tests/crash/campaign.py sweeps [--number 500]     bits of a sweep's folder, and the same sweep again
    tests/crash/campaign.py folders                   folders from others: links, FIFOs, names that lead outside
    tests/crash/campaign.py memory [--number 12]      limits of memory from 50 MB to 2 GB
    tests/crash/campaign.py all [--short]             all of them, or a slice of each within a minute

`--write` puts the figures into docs/maintainers/testing.md. Needs the release build; `calls`,
`resumes` and `lies` need strace, and are left out of the slice where it is missing. Exit code 1 if anything was wrong."""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import calls
import damage
import foreign
import stops
import table

# name: the campaign, and a slice of it for `all --short`
CAMPAIGNS = {
    "kills": (lambda work, o: stops.kills(work, o.number or 2000, o.seed), lambda work, o: stops.kills(work, 20, o.seed)),
    "signals": (
        lambda work, o: stops.signals(work, o.number or 2000, o.seed),
        lambda work, o: stops.signals(work, 40, o.seed, stops.STOPPED[:-1:2]),
    ),
    "calls": (lambda work, o: calls.calls(work), lambda work, o: calls.calls(work, 40)),
    "resumes": (lambda work, o: calls.resumes(work), lambda work, o: calls.resumes(work, 40)),
    "lies": (lambda work, o: calls.lies(work), lambda work, o: calls.lies(work, 40)),
    "races": (lambda work, o: stops.races(work, o.number or 10), lambda work, o: stops.races(work, 2)),
    "flips": (
        lambda work, o: damage.flips(work, o.number, o.seed, o.share),
        lambda work, o: damage.flips(work, 200, o.seed, 1),
    ),
    "cuts": (
        lambda work, o: damage.cuts(work, o.number, o.seed, o.share),
        lambda work, o: damage.cuts(work, 100, o.seed, 1),
    ),
    "sweeps": (lambda work, o: damage.sweeps(work, o.number or 500, o.seed), lambda work, o: damage.sweeps(work, 20, o.seed)),
    "folders": (lambda work, o: foreign.folders(work), lambda work, o: foreign.folders(work, 40)),
    "memory": (lambda work, o: foreign.memory(work, o.number or 12), lambda work, o: foreign.memory(work, 2)),
}
TRACED = {"calls", "resumes", "lies"}


def held(name, options):
    """Holds one campaign: number of trials, faults, seconds."""
    campaign, short = CAMPAIGNS[name]
    # in memory, where there is such a place: most of it is files
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    work = Path(tempfile.mkdtemp(prefix="crash-", dir=place))
    print(f"== {name}", flush=True)
    began = time.monotonic()
    try:
        number, wrong = (short if options.short else campaign)(work, options)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    seconds = time.monotonic() - began
    for line in wrong[:20]:
        print(line.strip())
    print(f"{name}: {number} trials in {seconds:.0f} s: {len(wrong)} wrong", flush=True)
    return table.Row(name, number, len(wrong), seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*CAMPAIGNS, "all"])
    parser.add_argument("--number", type=int, help="trials (default: see above)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=0.125, help="of flips and cuts that are repaired (default: 0.125)")
    parser.add_argument("--short", action="store_true", help="a slice")
    parser.add_argument("--write", action="store_true", help="write the figures into the documents")
    options = parser.parse_args()
    if options.write and options.short:
        parser.error("figures are those of whole campaigns")
    names = list(CAMPAIGNS) if options.what == "all" else [options.what]
    if options.short and not shutil.which("strace"):
        print("calls, resumes, lies: left out, there is no strace")
        names = [name for name in names if name not in TRACED]
    rows = [held(name, options) for name in names]
    if options.write:
        table.write(rows)
    sys.exit(1 if any(row.wrong for row in rows) else 0)


if __name__ == "__main__":
    main()
