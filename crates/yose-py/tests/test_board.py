"""Boards."""

import copy
import pickle
import threading
import time
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
        (lambda: Board(-1), "got -1"),
        (lambda: Board(10**30), "from 0 to"),
        (lambda: Board(9, -1), "got -1"),
        (lambda: Board(9, komi=10**400), "too large"),
        (lambda: Board(9).play("b", (-1, 0)), "got -1"),
        (lambda: Board(9).guess_dead(games=-1), "got -1"),
        (lambda: Board(9).guess_dead(games=2**32), "too large"),
        (lambda: Board(9).guess_dead(seed=-1), "got -1"),
        (lambda: setattr(Board(9), "handicap", -1), "got -1"),
        (lambda: setattr(Board(9), "handicap", 10**9), "too large"),
        (
            lambda: Board.from_rows([".X", "XX"]).score(dead=["B2"], seki=["A1"]),
            "both dead and alive in seki",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(yose.YoseError, match=message):
        call()


def test_errors_are_value_errors_and_types_are_checked():
    assert issubclass(yose.IllegalMoveError, yose.YoseError)
    assert issubclass(yose.SgfError, yose.YoseError)
    assert issubclass(yose.YoseError, ValueError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Board("nine"), "expected a whole number, got str"),
        (lambda: Board(9.5), "expected a whole number, got float"),
        (lambda: Board(9, rules=3), "expected text, got int"),
        (lambda: Board(9, komi="much"), "expected a number, got str"),
        (lambda: Board(9).play("b", 4), r'expected a vertex, such as "D4", or \(row, column\), got int'),
        (lambda: Board(9).play("b", (1,)), "expected a vertex.* got tuple"),
        (lambda: Board(9).play("b", (1, "x")), "expected a whole number, got str"),
        (lambda: Board(9).play(1, "A1"), 'expected a colour, "b" or "w", got int'),
        (lambda: Board(9).play_all(3), "expected a list, got int"),
        (lambda: Board(9).play_all([("b",)]), "expected a pair, got tuple"),
        (lambda: Board(9).score(dead="A1"), "expected a list, got str"),
        (lambda: Board.from_rows("..."), "expected a list, got str"),
        (lambda: Board.from_rows([1, 2]), "expected text, got int"),
        (lambda: Board(9).svg(labels=[("A1", 3)]), "expected text, got int"),
        (lambda: yose.go.ladder(Board(9), 3), "expected a vertex.* got int"),
        (lambda: yose.go.encode(3), "expected a Board, a Record or a list of them, got int"),
        (lambda: yose.go.encode([3]), "expected a Board or a Record, got int"),
        (lambda: yose.go.encode(Board(9), positions=2.5), '"all" or a number of moves, got float'),
        (lambda: yose.go.read_sgf(3), "expected a path or bytes, got int"),
        (lambda: yose.go.write_sgf([3]), "expected a Record, got int"),
    ],
)
def test_wrong_types_are_told_in_plain_words(call, message):
    with pytest.raises(TypeError, match=message):
        call()


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


def same(one, other):
    """Boards that go on in the same way, whatever is asked of them."""
    state = lambda b: (b.rows, b.cols, b.rules, b.komi, b.handicap, b.moves, b.captures, b.ko, b.notes)
    if one != other or state(one) != state(other) or str(one) != str(other):
        return False
    while True:
        if any(one.legal_moves(c) != other.legal_moves(c) for c in "bw") or one != other:
            return False
        if not one.undo():
            return not other.undo()
        other.undo()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    def again(board):
        return pickle.loads(pickle.dumps(board, protocol))

    boards = [played(record) for record in records("random_games.jsonl")[:10]]
    for record in records("suicide_games.jsonl"):
        boards.append(Board(record["size"], rules="japanese", suicide="multi-stone"))
        boards[-1].play_all(map(tuple, record["moves"]))
    for board in boards:
        board.komi, board.handicap = -3.5, 4
        assert same(again(board), board.copy())
    rectangle = Board(3, 25, rules="korean", suicide="allowed", scoring="area", ko="situational")
    rectangle.play_all([("b", "Z1"), ("b", None), ("w", (0, 0))])
    assert same(again(rectangle), rectangle)
    # A ko ban and prisoners from before a set-up, moves that the rules forbid, and what is noted.
    record, = yose.go.read_sgf(
        b"(;SZ[5]RU[AGA]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];PL[W];W[cb];B[bb])"
    )
    for moves in range(4):
        board = record.board(moves)
        assert same(again(board), board.copy()), moves
    assert record.board(1).ko == "B4" and len(record.board().notes) > 0
    assert same(copy.deepcopy([board])[0], board.copy())


def test_pickles_that_are_none():
    saved = Board(9).__reduce__()[1][0]
    restore = Board(9).__reduce__()[0]
    assert restore(saved) == Board(9)
    for wrong in ({"form": 2}, {"rows": ["X"]}, {"moves": [("b", "K10")]}, {"rules": "chess"}):
        with pytest.raises(yose.YoseError):
            restore(saved | wrong)


def test_a_board_is_played_on_while_another_thread_reads_it():
    board = Board(19, rules="chinese")
    board.play("b", "Q16")
    done = threading.Event()
    faults = []

    def read():
        try:
            while not done.is_set():
                board.guess_dead(games=3)
                yose.go.ladder(board, "Q16")
                yose.go.encode([board] * 50, planes="alphago", threads=1)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        board.play("w", "D4")
        board.komi = 6.5
        assert board.undo()
        time.sleep(0.001)
    done.set()
    for thread in threads:
        thread.join()
    assert faults == [] and board.moves == [("b", "Q16")]


def test_a_board_may_be_asked_while_its_moves_are_listed():
    board = Board(9)

    def moves():
        for vertex in ("E5", "C3"):
            yield board.to_play, vertex

    board.play_all(moves())
    assert len(board.moves) == 2


def test_rules_keep_their_names():
    names = ("chinese", "japanese", "aga", "tromp-taylor", "new-zealand", "korean")
    for name in names:
        assert Board(9, rules=name.upper()).rules == name
        assert Board.from_rows(["..", ".."], rules=name).rules == name
        record, = yose.go.read_sgf(f"(;SZ[9]RU[{name}];B[aa])".encode())
        assert record.board().rules == name
        assert record.board(rules="nz").rules == "new-zealand"
    assert Board(9, rules="korean", ko="simple").rules == "korean", "nothing is changed"
    record, = yose.go.read_sgf(b"(;SZ[9]RU[GOE];B[aa])")
    board = record.board()
    assert board.rules == "japanese" and "RU names no rules" in board.notes[0]
    with pytest.raises(yose.SgfError, match="RU names no rules"):
        record.board(strict=True)
    assert record.board(rules="aga", strict=True).notes == []


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
    for odd in ("\ufffe", "\uffff", "\0", "\x1b", "\x85", "\U0001f600"):
        xml.fromstring(board.svg(labels=[("B2", f"a{odd}b")]))


def test_looks():
    board = Board(9, rules="chinese")
    assert repr(board) == "<yose.go.Board 9x9 chinese, 0 moves, b to play>"
    assert Board(9, ko="simple").rules == "custom"
    assert Board.__doc__ and Board.play.__doc__ and yose.go.encode.__doc__
    with pytest.raises(TypeError):
        hash(board)
