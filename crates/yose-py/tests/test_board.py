"""Boards."""

import copy
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from data import played, records

import yose
from yose.go import Board


@pytest.mark.parametrize("record", records("random_games.jsonl"), ids=lambda r: str(r["id"]))
def test_games(record):
    board = played(record)
    rows = record.get("board") or record.get("final_board")
    assert str(board).split("\n") == rows
    stones = board.stones()
    assert stones.dtype == np.int8
    signs = {"X": 1, "O": -1, ".": 0}
    assert stones.tolist() == [[signs[c] for c in row] for row in rows]
    # Taking back everything leads back to the start, and playing on to the same end.
    moves = board.moves
    while board.undo():
        pass
    assert not board.stones().any() and board.captures == (0, 0)
    board.play_all(moves)
    assert np.array_equal(board.stones(), stones)


def test_legal_moves_and_mask_agree():
    board = played(records("random_games.jsonl")[0])
    size = board.cols
    letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    for colour in "bw":
        mask = board.legal_mask(colour)
        assert mask.dtype == np.bool_ and mask.shape == (size * size + 1,)
        assert mask[-1], "a pass is always legal"
        points = [f"{letters[n % size]}{size - n // size}" for n in np.flatnonzero(mask[:-1])]
        assert board.legal_moves(colour) == points
        for row in range(size):
            for col in range(size):
                assert board.is_legal(colour, (row, col)) == mask[row * size + col]


def test_play_and_capture():
    board = Board(5, rules="japanese")
    board.play_all([("b", "A5"), ("w", "A4"), ("b", None), ("w", "B5")])
    assert board.captures == (0, 1)
    assert board.stone("A5") is None and board.stone((0, 1)) == "w"
    assert board.moves[2] == ("b", "pass")
    assert board.play("w", "C5") == 0, "out of turn"
    assert board.chain("B5") == ["B5", "C5"]
    assert board.liberties("B5") == 4
    assert board.to_play == "b"


def test_ko_and_superko():
    rows = [".XO..", "X.XO.", ".XO..", ".....", "....."]
    board = Board.from_rows(rows, to_play="w", rules="japanese")
    assert board.play("w", "B4") == 1
    assert board.ko == "C4"
    with pytest.raises(yose.IllegalMoveError, match="C4: .*ko") as error:
        board.play("b", "C4")
    assert error.value.reason == "ko"
    assert board.moves == [("w", "B4")], "nothing has changed"
    tromp_taylor = Board.from_rows(rows, to_play="w")
    tromp_taylor.play_all([("w", "B4"), ("b", "pass"), ("w", "pass")])
    with pytest.raises(yose.IllegalMoveError) as error:
        tromp_taylor.play("b", "C4")
    assert error.value.reason == "superko"
    lawless = Board.from_rows(rows, to_play="w", ko="none")
    lawless.play_all([("w", "B4"), ("b", "C4")])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Board(0), "0"),
        (lambda: Board(26), "26"),
        (lambda: Board(9, rules="checkers"), "no rules are called"),
        (lambda: Board(9, ko="never"), "ko is one of"),
        (lambda: Board(9, komi=0.25), "half a point"),
        (lambda: Board(9, komi=float("nan")), "half a point"),
        (lambda: Board(9).play("red", "D4"), "a colour"),
        (lambda: Board(9).play("b", "I4"), "I"),
        (lambda: Board(9).play("b", "K10"), "K10"),
        (lambda: Board(9).play("b", (9, 0)), "9"),
        (lambda: Board(9).stone("pass"), "a pass"),
        (lambda: Board(9).score(dead=["D4"]), "no stone"),
        (lambda: Board.from_rows(["X"]), "liberty"),
        (lambda: Board.from_rows(["..", "."]), "row"),
        (lambda: Board(9).svg(cell=0), "cell"),
    ],
)
def test_errors(call, message):
    with pytest.raises(yose.YoseError, match=message):
        call()


def test_errors_are_value_errors_and_types_are_checked():
    assert issubclass(yose.IllegalMoveError, yose.YoseError)
    assert issubclass(yose.SgfError, yose.YoseError)
    assert issubclass(yose.YoseError, ValueError)
    with pytest.raises(TypeError):
        Board("nine")
    with pytest.raises(TypeError):
        Board(9).play("b", 4)
    with pytest.raises(OverflowError):
        Board(-1)


def test_scores():
    rows = [".X.O.", ".X.O.", ".X.O.", ".X.O.", ".XOO."]
    area = Board.from_rows(rows, rules="chinese", komi=0.5)
    assert (area.score(), area.result()) == (10 - 11 - 0.5, "W+1.5")
    territory = Board.from_rows(rows, rules="japanese", komi=6.5)
    assert territory.score() == 5 - 5 - 6.5
    assert area.ownership().tolist()[0] == [1, 1, 0, -1, -1]
    assert territory.ownership().tolist()[0] == [1, 0, 0, 0, -1]
    dead = Board.from_rows([".X.O", "OX.O", ".X.O"], rules="japanese", komi=0)
    assert dead.score(dead=["A2"]) == 4 - 0
    assert dead.score() == 0 - 0
    handicap = Board(9, rules="chinese", komi=0)
    handicap.handicap = 3
    assert handicap.score() == -3


def test_dead_stones_are_guessed_the_same_way_each_time():
    rows = ["..X.O....", "..X.O....", "..X.O....", "O.X.O..X.", "..X.O....", "..X.O....", "..X.O...."]
    board = Board.from_rows(rows, rules="chinese")
    assert board.guess_dead(seed=7) == board.guess_dead(seed=7)
    assert set(board.guess_dead()) <= {"A4", "H4"}


def test_copies_are_independent():
    board = Board(9)
    board.play("b", "E5")
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert other == board
        other.play("w", "C3")
        assert other != board
        other.undo()
        assert other == board and other.hash == board.hash
    assert board.moves == [("b", "E5")]
    assert board != "a board"


def test_array_belongs_to_the_caller():
    board = Board(3)
    stones = board.stones()
    stones[0, 0] = 1
    assert board.stone((0, 0)) is None


def test_picture():
    board = Board(5, 7, rules="japanese")
    board.play_all([("b", "A1"), ("w", (0, 6))])
    picture = xml.fromstring(board._repr_svg_())
    circles = [e for e in picture.iter() if e.tag.endswith("circle") and "data-vertex" in e.attrib]
    assert {(c.get("class"), c.get("data-vertex")) for c in circles} == {
        ("black", "A1"),
        ("white", "G5"),
    }
    assert "&lt;1&gt;" in board.svg(labels=[("B2", "<1>")], coordinates=False)


def test_looks():
    board = Board(9, rules="chinese")
    assert repr(board) == "<yose.go.Board 9x9 chinese, 0 moves, b to play>"
    assert Board(9, ko="simple").rules == "custom"
    assert Board.__doc__ and Board.play.__doc__ and yose.go.encode.__doc__
    with pytest.raises(TypeError):
        hash(board)
