#!/usr/bin/env python3
"""Drafts of scenes whose truth is known (questions.py), and the questions of the exam asked of drafts and of MuJoCo.

    python3 tests/verdict/draft.py [--binary PATH] [--family NAME] [--exam PYTHON] [--jobs N] [--write]

A draft is right where it is off by less than 1 % of the size of its answer. --exam names a Python with numpy and
mujoco==4.0.0; without it the questions of the exam are left out. Each is asked by itself, for a minute at most. CPU of a
draft is that of the whole command, of an answer of the exam what the exam says. With --write the figures go into
docs/accuracy.md. It exits with 1 where less than 90 % of the drafts are right.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import accuracy
import page
import questions

MARKS = ("<!-- tests/verdict/draft.py --write -->", "<!-- end of drafts -->")
ROOT = pathlib.Path(__file__).parents[2]
RIGHT = 1e-2
# seconds for a question of the exam
PATIENCE = 60


def drafted(binary, case):
    document, cpu = accuracy.run(binary, case, ["--draft"])
    if document is None:
        return {"case": case, "off": float("inf"), "cpu": cpu, "level": "none", "method": "none"}
    off = abs(accuracy.value_of(case, document) - case.truth) / case.size
    return {"case": case, "off": off, "cpu": cpu, "level": document["trust"]["level"], "method": document["integrator"]["method"]}


def table(drafts):
    lines = ["| family | drafts | right | wrong, flagged | wrong, draft | right, flagged | CPU s, median | methods |", "|---|---|---|---|---|---|---|---|"]
    for family in [*dict.fromkeys(d["case"].family for d in drafts), "all"]:
        own = [d for d in drafts if family in (d["case"].family, "all")]
        counts = collections.Counter((d["off"] < RIGHT, d["level"] == "draft") for d in own)
        methods = ", ".join(f"{name} {count}" for name, count in collections.Counter(d["method"] for d in own).most_common())
        cpu = statistics.median(d["cpu"] for d in own)
        right = counts[True, True] + counts[True, False]
        lines.append(f"| {family} | {len(own)} | {right} | {counts[False, False]} | {counts[False, True]} | {counts[True, False]} | {cpu:.3f} | {methods} |")
    return "\n".join(lines)


def asked(python, binary, engine, settings, question):
    """An answer of the exam; none where it takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "answers.json"
        command = [python, "-m", "friction_exam", "--engine", engine, "--settings", settings, "--question", question, "--out", str(out)]
        environment = {**os.environ, "STICTION_PROGRAM": str(pathlib.Path(binary).resolve())}
        try:
            subprocess.run(command, cwd=ROOT / "exam", env=environment, timeout=PATIENCE, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return None
        return json.loads(out.read_text())["answers"][0] if out.exists() else None


def is_right(question, answer):
    if answer is None or answer["value"] is None:
        return False
    reference = question["reference"]["value"]
    return abs(answer["error"]) <= (RIGHT * abs(reference) if reference else question["tolerance"]["third"])


def exam(python, binary):
    """Sentences on the questions of the exam, and the share of right drafts."""
    import tomllib

    files = sorted((ROOT / "exam/questions").glob("*.toml"))
    texts = {file.stem: tomllib.loads(file.read_text()) for file in files}
    right, rivals, ratios, missed = 0, 0, [], []
    for name, question in texts.items():
        # one after the other: CPU times are compared
        draft, rival = (asked(python, binary, *who, name) for who in (("stiction", "draft"), ("mujoco", "default")))
        if is_right(question, draft):
            right += 1
        else:
            missed.append(name)
        rivals += is_right(question, rival)
        if draft and rival and draft["cpu"] and rival["cpu"] and rival["grade"] not in ("no", "failed"):
            ratios.append(draft["cpu"] / rival["cpu"])
    ordered = sorted(ratios)
    quartiles = [ordered[len(ordered) // 4], statistics.median(ordered), ordered[3 * len(ordered) // 4]]
    text = (
        f"Of {len(texts)} questions of the exam {right} drafts answer right ({100 * right / len(texts):.0f} %), MuJoCo as it comes {rivals}. "
        f"On the {len(ratios)} that both answer a draft takes {quartiles[1]:.1f} times MuJoCo's CPU time in the median, {quartiles[0]:.1f} and {quartiles[2]:.1f} at the quartiles. "
        f"Not right: {', '.join(f'`{name}`' for name in missed)}."
    )
    return text, right / len(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--family")
    parser.add_argument("--exam", metavar="PYTHON")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = page.options_of(parser, "family")
    if options.write and not options.exam:
        parser.error("--write is of the exam too: give --exam")
    cases = [case for make in questions.FAMILIES for case in make() if options.family in (None, case.family)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        drafts = list(pool.map(lambda case: drafted(options.binary, case), cases))
    for d in drafts:
        if d["off"] >= RIGHT:
            print(f"wrong: {d['case'].family} {d['case'].name}: off by {100 * d['off']:.2f} %, {d['level']}, {d['method']}")
    text, share = table(drafts), sum(d["off"] < RIGHT for d in drafts) / len(drafts)
    if options.exam:
        sentences, of_exam = exam(options.exam, options.binary)
        text, share = f"{text}\n\n{sentences}", min(share, of_exam)
    print(text)
    if options.write:
        page.write(MARKS, text, accuracy.PAGE)
    sys.exit(share < 0.9)


if __name__ == "__main__":
    main()
