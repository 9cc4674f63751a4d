"""Unconditional life and ladders."""

import numpy as np
import pytest
from data import records, vertices

import yose
from yose.go import Board, benson, ladder


@pytest.mark.parametrize("record", records("benson.jsonl"), ids=lambda r: r["name"])
def test_unconditional_life(record):
    board = Board.from_rows(record["board"])
    for suicide, key in ((False, "classic"), (True, "suicide_legal")):
        life = benson(board, suicide=suicide)
        assert life.stones.dtype == np.int8
        assert vertices(life.stones == 1) == sorted(record[f"black_alive_stones_{key}"])
        assert vertices(life.stones == -1) == sorted(record[f"white_alive_stones_{key}"])
    # Without being told, the rules say whether suicide is legal.
    for rules, suicide in (("tromp-taylor", True), ("japanese", False)):
        named = benson(Board.from_rows(record["board"], rules=rules))
        told = benson(board, suicide=suicide)
        assert np.array_equal(named.stones, told.stones)
        assert np.array_equal(named.territory, told.territory)


@pytest.mark.parametrize("record", records("ladders.jsonl"), ids=lambda r: r["name"])
def test_ladders(record):
    board = Board.from_rows(record["board"], to_play=record["to_play"], rules="japanese")
    read = ladder(board, record["prey"])
    attacker = board.stone(record["prey"]) != board.to_play
    assert (read.verdict == "captured") == record["captured"]
    if attacker:
        assert sorted(read.moves) == sorted(record["capture_moves"])
        assert read.plies == (record["plies_to_removal"] if record["captured"] else None)
        assert len(read.line) == (read.plies or 0)
        # The line can be played, and takes the prey.
        for vertex in read.line:
            board.play(board.to_play, vertex)
        assert (board.stone(record["prey"]) is None) == record["captured"]
    assert read.nodes > 0 or not record["captured"]


def test_errors():
    board = Board(9)
    with pytest.raises(yose.YoseError, match="a ladder needs a stone"):
        ladder(board, "D4")
    board.play("b", "D4")
    with pytest.raises(yose.YoseError, match="a colour"):
        ladder(board, "D4", "red")
    assert ladder(board, "D4", "w").verdict == "escapes"
