#!/usr/bin/env python3
"""Run a sweep on a Dask cluster: its jobs in shards, the same bytes as `stiction sweep` alone.

    python dask_sweep.py --workers 4 -- scenes/incline_creep.toml \\
        --vary contact.friction.epsilon=1e-5..1e-2:log:10 --out results

Everything behind `--` is what `stiction sweep` takes. With --scheduler tcp://host:8786 the shards
go to a cluster that is there; its workers must see the scene and the folder of --out under the
same paths, and find the program (--stiction). Without it a cluster of this machine is started.

A shard that is lost with its worker is run again: finished jobs are not repeated, and whatever
was half-written is replaced.
"""

import argparse
import subprocess
import sys

from dask.distributed import Client, LocalCluster, as_completed

FAILED_JOBS = 10  # exit code of a sweep with failed runs


def run_shard(stiction, sweep, index, shards):
    """One shard on one core; the exit code and what the program said."""
    command = [stiction, "sweep", *sweep, "--jobs", "1", "--shard", f"{index}/{shards}"]
    done = subprocess.run(command, capture_output=True, text=True)
    return index, done.returncode, done.stderr.strip()


def count_jobs(stiction, sweep):
    """The number of jobs; a sweep that is wrong says so before anything is sent away."""
    listed = subprocess.run([stiction, "sweep", *sweep, "--list"], stdout=subprocess.PIPE)
    if listed.returncode != 0:
        sys.exit(listed.returncode)
    return listed.stdout.count(b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stiction", default="stiction", help="the program (default: %(default)s)")
    parser.add_argument("--scheduler", help="address of a scheduler (default: start one here)")
    parser.add_argument("--workers", type=int, help="workers started here (default: all cores)")
    parser.add_argument("--shards", type=int, help="parts (default: one per job, at most 1000)")
    parser.add_argument("sweep", nargs="+", help="-- SCENE --vary … --out DIR")
    options = parser.parse_args()

    jobs = count_jobs(options.stiction, options.sweep)
    shards = min(jobs, options.shards or 1000)
    if options.scheduler:
        cluster, client = None, Client(options.scheduler)
    else:
        cluster = LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
        )
        client = Client(cluster)
    codes = []
    try:
        # not pure: a shard is run for the files it leaves
        futures = client.map(
            lambda index: run_shard(options.stiction, options.sweep, index, shards),
            range(shards),
            pure=False,
        )
        for future in as_completed(futures):
            index, code, said = future.result()
            codes.append(code)
            if code != 0:
                print(f"shard {index}/{shards} ended with {code}:\n{said}", file=sys.stderr)
            print(f"{len(codes)} of {shards} shards done", file=sys.stderr)
    finally:
        client.close()
        if cluster:
            cluster.close()
    # anything worse than failed jobs comes first
    worse = [code for code in codes if code not in (0, FAILED_JOBS)]
    sys.exit(worse[0] if worse else max(codes))


if __name__ == "__main__":
    main()
