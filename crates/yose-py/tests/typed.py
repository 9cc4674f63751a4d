"""A user's code, for the type checker alone: what the stubs promise, they promise strictly."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import yose
from yose.go import Board, benson, encode, ladder, read_sgf, symmetry, write_sgf


def last_planes(path: Path) -> NDArray[np.float32]:
    records = read_sgf(path)
    return encode(records, planes="alphago", dtype="f32")


def first_comment(path: str) -> str | None:
    root = read_sgf(path)[0].root
    return root.children[0].comment if root.children else root.comment


def play(moves: list[tuple[str, str | None]]) -> float:
    board = Board(9, rules="chinese", komi=7.5)
    try:
        for colour, vertex in moves:
            board.play(colour, vertex)
    except yose.IllegalMoveError as error:
        print(error.reason)
    alive: NDArray[np.int8] = benson(board).stones
    turned: NDArray[np.uint8] = symmetry(encode(board), 3)
    plies: int | None = ladder(board, (4, 4)).plies
    print(alive.sum(), turned.shape, plies, write_sgf([]))
    return board.score(dead=["D4", (3, 3)])
