"""Facts that the tests of the Rust crates read too."""

import json
from pathlib import Path

import numpy as np

from yose.go import Board

DATA = Path(__file__).resolve().parents[3] / "tests" / "data"


def records(name):
    lines = (DATA / "go" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if not line.startswith("#")]


def table(name):
    lines = (DATA / "go" / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def vertices(mask):
    """The vertices of the cells of an array that are true, sorted."""
    rows, _ = mask.shape
    letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    return sorted(f"{letters[col]}{rows - row}" for row, col in np.argwhere(mask))


def played(record, rules="japanese"):
    board = Board(record["size"], rules=rules)
    board.play_all([tuple(move) for move in record["moves"]])
    return board
