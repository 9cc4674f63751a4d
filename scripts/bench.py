#!/usr/bin/env python3
"""Measures the tables that RESULTS.md lists: CPU seconds, wall seconds, peak memory, counts.

    cargo build --release -p yose-cli
    scripts/bench.py            # everything that takes minutes at most
    scripts/bench.py --list     # what there is
    scripts/bench.py ptrf-depth kpg --keep /var/tmp/tables

Each run is a process of its own, so its processor time and memory are what the operating system says
of that process, solving and writing the table included. Never part of ./test: it takes minutes, and
figures of a busy machine say nothing.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Published or re-computed by other programs: win, loss, draw in the domain named.
PTRF = {"all": (1662776212, 339566116, 98506696)}
DOBUTSU = {"slots21": (188377024, 57707893, 3357850), "all39": (349552468, 107575938, 6122447)}
PFR = {"all": (41333716, 9713496, 414356)}
KPG_REACHABLE = {"reachable": (606922331, 142074547, 120290190)}

# name: (arguments, expected counts, whether it runs when nothing is named)
BENCHES = {
    "pfr-depth": (["solve", "shogi4", "--pieces", "PFR", "-j", "1"], PFR, True),
    "ptrf-wdl": (
        ["solve", "shogi4", "--pieces", "PTRF", "--metric", "wdl", "-j", "1"],
        PTRF,
        True,
    ),
    "ptrf-depth": (["solve", "shogi4", "--pieces", "PTRF", "-j", "1"], PTRF, True),
    "ptrf-depth-2": (["solve", "shogi4", "--pieces", "PTRF", "-j", "2"], PTRF, True),
    "ptrf-audit": (["audit", "TABLE:ptrf-depth", "-j", "1"], None, True),
    "ptrf-wdl-ranks": (
        ["solve", "shogi4", "--pieces", "PTRF", "--metric", "wdl", "--ranks", "-j", "1"],
        PTRF,
        True,
    ),
    "ptrf-wdl-audit": (["audit", "TABLE:ptrf-wdl-ranks", "-j", "1"], None, True),
    "dobutsu-depth": (["solve", "dobutsu", "-j", "1"], DOBUTSU, True),
    "kpg-depth": (["solve", "micro", "--pieces", "PPGG", "-j", "1"], None, True),
    "kpg-reachable": (
        ["solve", "micro", "--pieces", "PPGG", "--reachable", "-j", "2"],
        KPG_REACHABLE,
        False,
    ),
    "ptrf-wdl-disk": (
        ["solve", "shogi4", "--pieces", "PTRF", "--metric", "wdl", "-j", "1"]
        + ["--memory", "64MiB", "--scratch", "SCRATCH"],
        PTRF,
        False,
    ),
    "ptrf-depth-disk": (
        ["solve", "shogi4", "--pieces", "PTRF", "-j", "1"]
        + ["--memory", "96MiB", "--scratch", "SCRATCH"],
        PTRF,
        False,
    ),
    "dobutsu-depth-disk": (
        ["solve", "dobutsu", "-j", "1", "--memory", "128MiB", "--scratch", "SCRATCH"],
        DOBUTSU,
        False,
    ),
    "pptrf-wdl-disk": (
        ["solve", "shogi4", "--pieces", "PPTRF", "--metric", "wdl", "-j", "2"]
        + ["--memory", "1GiB", "--scratch", "SCRATCH"],
        None,
        False,
    ),
    "pptrf-wdl": (
        ["solve", "shogi4", "--pieces", "PPTRF", "--metric", "wdl", "-j", "2"],
        None,
        False,
    ),
    "pptrf-depth": (["solve", "shogi4", "--pieces", "PPTRF", "-j", "2"], None, False),
}


def run(binary, name, folder):
    """Runs one bench; the row to print, and whether its counts are right."""
    arguments, expected, _ = BENCHES[name]
    command = [str(binary)]
    for argument in arguments:
        if argument.startswith("TABLE:"):
            argument = str(folder / (argument.removeprefix("TABLE:") + ".yose"))
            if not os.path.exists(argument):
                made_by = pathlib.Path(argument).stem
                return {"name": name, "note": f"skipped: run {made_by} first"}, True
        if argument == "SCRATCH":
            argument = str(folder / "scratch")
        command.append(argument)
    if arguments[0] == "solve":
        command += ["-o", str(folder / f"{name}.yose")]
    command += ["--json", "--quiet"]
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=out)
        # Unlike RUSAGE_CHILDREN, which keeps the largest of all children, this is of this child.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    row = {
        "name": name,
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": wall,
        "peak": usage.ru_maxrss * 1024,
    }
    if process.returncode != 0:
        row["note"] = f"exit code {process.returncode}"
        return row, False
    answer = json.loads(text)
    if arguments[0] == "audit":
        row["note"] = f"{answer['result']}, {answer['violations']} violations"
        return row, answer["result"] == "certified"
    row["fingerprint"] = answer["fingerprint"]
    wrong = []
    for domain, counts in (expected or {}).items():
        found = answer.get(domain) or (answer.get("domains") or {}).get(domain) or {}
        got = tuple(found.get(key) for key in ("win", "loss", "draw"))
        if got != counts:
            wrong.append(f"{domain} {got}, expected {counts}")
    if wrong:
        row["note"] = "WRONG: " + "; ".join(wrong)
    elif expected:
        row["note"] = "counts as published"
    else:
        all_ = answer["all"]
        row["note"] = "W {win:,} L {loss:,} D {draw:,}".format(**all_)
    if answer.get("scratch"):
        scratch = answer["scratch"]
        row["note"] += ", read {read_bytes:,} written {written_bytes:,} bytes, {visits:,} visits".format(
            **scratch
        )
    if answer["max_depth"] is not None:
        row["note"] += f", deepest {answer['max_depth']}"
    if answer["start"] is not None:
        row["note"] += f", start {answer['start']['value']} {answer['start']['depth'] or ''}".rstrip()
    return row, not wrong


def show(row):
    """One line."""
    if "cpu" not in row:
        return f"{row['name']:<16} {row['note']}"
    line = (
        f"{row['name']:<16} CPU {row['cpu']:8.2f} s  wall {row['wall']:8.2f} s  "
        f"peak {row['peak'] / 2**30:6.2f} GiB  {row['note']}"
    )
    if row.get("fingerprint"):
        line += f"  {row['fingerprint'][:16]}"
    return line


def main():
    """Reads the arguments and runs what they name."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="which to run; see --list")
    parser.add_argument("--list", action="store_true", help="list what there is")
    parser.add_argument("--binary", default=ROOT / "target/release/yose", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="leave the tables in this folder")
    parser.add_argument("--repeat", type=int, default=1, help="run each so many times")
    arguments = parser.parse_args()
    if arguments.list:
        for name, (command, _, default) in BENCHES.items():
            print(f"{name:<16} {'' if default else '(by name only) '}yose {' '.join(command)}")
        return 0
    unknown = [name for name in arguments.names if name not in BENCHES]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; see --list")
    if not arguments.binary.exists():
        parser.error(f"{arguments.binary} is missing: cargo build --release -p yose-cli")
    names = arguments.names or [name for name, bench in BENCHES.items() if bench[2]]
    right = True
    with tempfile.TemporaryDirectory(prefix="yose-bench-") as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            for _ in range(arguments.repeat):
                row, fine = run(arguments.binary, name, folder)
                right &= fine
                print(show(row), flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
