#!/usr/bin/env python3
"""Compares the drivers of `yose solve`: memory, files, several processes. Same game, same bytes.

    cargo build --release -p yose-cli
    scripts/drivers.py                       # small games, some minutes
    scripts/drivers.py ptrf-wdl dobutsu      # larger ones by name
    scripts/drivers.py --kills 100           # PFR killed at random moments and resumed, so many runs

Prints a row for each run and ends with exit code 1 if two fingerprints of a game differ. The memory of a
run with files is compared with what it was given. Never part of ./test, which has smaller versions.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIB = 1 << 20

# name: (arguments, memory for the run with files, whether it runs when nothing is named)
GAMES = {
    "pf": (["shogi4", "--pieces", "PF"], 34, True),
    "pf-wdl": (["shogi4", "--pieces", "PF", "--metric", "wdl"], 34, True),
    "pfr": (["shogi4", "--pieces", "PFR"], 34, True),
    "pfr-wdl": (["shogi4", "--pieces", "PFR", "--metric", "wdl"], 34, True),
    "micro-pp": (["micro", "--pieces", "PP"], 42, True),
    # So much memory that a twentieth of the cells can stay in it.
    "ptrf": (["shogi4", "--pieces", "PTRF"], 54, False),
    "ptrf-wdl": (["shogi4", "--pieces", "PTRF", "--metric", "wdl"], 47, False),
    "dobutsu": (["dobutsu"], 49, False),
    "dobutsu-wdl": (["dobutsu", "--metric", "wdl"], 50, False),
}


WAYS_TO_DIE = {
    "files": ["--scratch", "SCRATCH", "--memory", "64MiB", "--checkpoint-every", "0.05"],
    "processes 3": ["--scratch", "SCRATCH", "--processes", "3", "--checkpoint-every", "0.05"]
    + ["--restarts", "1000"],
    # It has no checkpoints: it begins again, and no half table is left.
    "memory": [],
}


def ways(metric_is_wdl, memory):
    """Name and arguments of each driver's runs; SCRATCH stands for a folder."""
    for threads in (1, 2, 8):
        yield f"memory -j {threads}", ["-j", str(threads)]
    orders = ("inbox", "queue", "plies") if metric_is_wdl else ("plies",)
    for order in orders:
        yield (
            f"files {order}",
            ["--scratch", "SCRATCH", "--memory", f"{memory}MiB", "--order", order, "-j", "1"],
        )
    for processes in (1, 2, 4, 8):
        yield f"processes {processes}", ["--processes", str(processes), "-j", "1"]


def solve(binary, folder, game, way):
    """One run; its row."""
    scratch = folder / "scratch"
    command = [str(binary), "solve", *game, *(str(scratch) if a == "SCRATCH" else a for a in way)]
    command += ["-o", str(folder / "table.yose"), "--json", "--quiet"]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    wall = time.monotonic() - start
    if done.returncode != 0:
        return {"error": f"exit code {done.returncode}: {done.stderr.strip()}"}
    answer = json.loads(done.stdout)
    return {
        "fingerprint": answer["fingerprint"],
        "wall": wall,
        "cpu": answer["cpu_seconds"],
        "peak": answer["peak_rss_bytes"],
        "scratch": answer.get("scratch"),
        "exchange": answer.get("exchange"),
    }


def compare(binary, names):
    good = True
    for name in names:
        game, memory, _ = GAMES[name]
        seen = set()
        for what, way in ways("wdl" in game, memory):
            with tempfile.TemporaryDirectory() as folder:
                row = solve(binary, pathlib.Path(folder), game, way)
            if "error" in row:
                print(f"{name:<12} {what:<14} {row['error']}", flush=True)
                good = False
                continue
            seen.add(row["fingerprint"])
            note = ""
            if what.startswith("files"):
                held = row["peak"] <= memory * MIB
                good &= held
                note = f"  {'within' if held else 'ABOVE'} {memory} MiB"
            print(
                f"{name:<12} {what:<14} {row['fingerprint'][:16]} wall {row['wall']:8.2f} s"
                f"  CPU {row['cpu']:8.2f} s  peak {row['peak'] / MIB:7.1f} MiB{note}",
                flush=True,
            )
        if len(seen) > 1:
            print(f"{name:<12} FINGERPRINTS DIFFER")
            good = False
    return good


def children(parent):
    """Processes that a process has started, from /proc."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path("/proc", entry, "stat").read_text()
            except OSError:
                continue
            if int(stat.rsplit(")", 1)[1].split()[1]) == parent:
                found.append(int(entry))
    return found


def killed(binary, runs, seed, only):
    """Runs of PFR, outcomes and distances, each killed at random moments until it ends."""
    dice = random.Random(seed)
    expected, good, kills = {}, True, 0
    for run in range(runs):
        what = only or list(WAYS_TO_DIE)[run % len(WAYS_TO_DIE)]
        metric = ["wdl", "depth"][run // len(WAYS_TO_DIE) % 2]
        game = ["shogi4", "--pieces", "PFR", "--metric", metric]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            table = folder / "table.yose"
            way = [str(folder / "scratch") if a == "SCRATCH" else a for a in WAYS_TO_DIE[what]]
            command = [str(binary), "solve", *game, *way, "-o", str(table), "--quiet", "--json"]
            deaths = 0
            while True:
                again = ["--resume"] if deaths and way else []
                said = open(folder / "stderr", "w+b")
                process = subprocess.Popen(
                    command + again, stdout=subprocess.DEVNULL, stderr=said
                )
                while process.poll() is None:
                    deadline = time.monotonic() + dice.uniform(0, 0.4 * (1 + deaths))
                    while time.monotonic() < deadline and process.poll() is None:
                        time.sleep(0.002)
                    if process.poll() is not None:
                        break
                    # One of the processes, whichever it is; the supervisor starts the others again.
                    victim = dice.choice(children(process.pid) or [process.pid])
                    try:
                        os.kill(victim, signal.SIGKILL)
                        deaths += 1
                    except ProcessLookupError:
                        pass
                    if victim == process.pid:
                        process.wait()
                if process.returncode != -signal.SIGKILL:
                    break
            kills += deaths
            if process.returncode != 0:
                text = (folder / "stderr").read_text()
                print(f"run {run} ({what}): exit code {process.returncode}\n{text}", flush=True)
                good = False
                continue
            info = subprocess.run(
                [str(binary), "info", str(table), "--json"], capture_output=True, text=True
            )
            fingerprint = json.loads(info.stdout)["fingerprint"]
            if fingerprint != expected.setdefault(metric, fingerprint):
                print(f"run {run} ({what}, {metric}): {fingerprint}, expected {expected[metric]}")
                good = False
    print(f"{runs} runs, {kills} kills, {'one fingerprint each: ' + str(expected) if good else 'FAILED'}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--binary", default=ROOT / "target/release/yose", type=pathlib.Path)
    parser.add_argument("--kills", type=int, help="kill so many runs instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=WAYS_TO_DIE, help="kill runs of this driver alone")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in GAMES:
            parser.error(f"no game {name}")
    if arguments.kills is not None:
        good = killed(arguments.binary, arguments.kills, arguments.seed, arguments.only)
    else:
        names = arguments.names or [name for name, game in GAMES.items() if game[2]]
        good = compare(arguments.binary, names)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
