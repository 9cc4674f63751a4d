"""Feature planes and symmetries."""

import threading
import time

import numpy as np
import pytest
from data import played, records, table

import yose
from yose.go import Board, encode, inverse, plane_names, policy_symmetry, read_sgf, symmetry

POSITIONS = records("encoder_positions.jsonl")
SETS = {"agz17": "agz", "own48": "alphago"}


@pytest.mark.parametrize("row", table("planes.tsv"), ids=lambda row: "-".join(row[:2]))
def test_against_other_programs(row):
    number, name, planes, size, bits = row
    planes, size = int(planes), int(size)
    (record,) = [r for r in POSITIONS if r["id"] == int(number)]
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(bits), dtype=np.uint8))
    expected = bits[: planes * size * size].reshape(planes, size, size)
    assert np.array_equal(encode(played(record), planes=SETS[name])[0], expected)


def agz(board):
    """AlphaGo Zero's planes from the stones after each move alone."""
    own = 1 if board.to_play == "b" else -1
    planes = np.zeros((17, board.rows, board.cols), dtype=np.uint8)
    past = board.copy()
    for ago in range(8):
        planes[2 * ago] = past.stones() == own
        planes[2 * ago + 1] = past.stones() == -own
        if not past.undo():
            break
    planes[16] = own == 1
    return planes


def test_agz_by_hand():
    for record in POSITIONS[:8]:
        board = played(record)
        everything = encode(board, positions="all")
        assert len(everything) == len(board.moves) + 1
        for planes in reversed(everything):
            assert np.array_equal(planes, agz(board))
            board.undo()


def test_shape_and_memory():
    boards = [played(record) for record in POSITIONS if record["size"] == 9]
    planes = encode(boards, planes="alphago49")
    assert planes.shape == (len(boards), 49, 9, 9)
    assert planes.dtype == np.uint8 and planes.flags.c_contiguous and planes.flags.writeable
    assert not planes.flags.owndata, "the memory is Rust's, taken over without a copy"
    for dtype in ("f32", "float32", np.float32, np.dtype(np.float32)):
        floats = encode(boards, planes="alphago49", dtype=dtype)
        assert floats.dtype == np.float32 and np.array_equal(floats, planes)
    for dtype in (None, "u8", "uint8", np.uint8):
        assert encode(boards, dtype=dtype).dtype == np.uint8
    for threads in (1, 2, 7):
        assert np.array_equal(encode(boards, planes="alphago49", threads=threads), planes)
    assert np.array_equal(encode(boards[0], positions=3), encode(boards[0], positions="all")[3:4])


def test_records_and_boards_give_the_same():
    (record,) = read_sgf(b"(;FF[4]SZ[9]RU[Japanese]AB[cc]PL[W];W[ee];B[];W[dd])")
    for planes in ("agz", "agz-absolute", "alphago", "alphago49", "overview48", "gnugo"):
        names = plane_names(planes)
        array = encode(record, planes=planes, positions="all")
        assert array.shape == (4, len(names), 9, 9)
        boards = [record.board(moves) for moves in range(4)]
        assert np.array_equal(array, encode(boards, planes=planes))
    repeated = encode(record, repeat_oldest=True)
    assert repeated.sum() > encode(record).sum(), "a set-up start has history then"
    shifted = encode(record, planes="alphago", capture_zero_plane=False)
    assert not np.array_equal(shifted, encode(record, planes="alphago"))


@pytest.mark.parametrize("k", range(8))
def test_symmetries(k):
    board = played(next(r for r in POSITIONS if r["size"] == 9))
    planes = encode(board, planes="alphago")
    turned = symmetry(planes, k)
    assert turned.base is not None, "a view"
    assert np.array_equal(encode(board, planes="alphago", symmetry=k), turned)
    assert np.array_equal(symmetry(turned, inverse(k)), planes)
    policy = np.arange(82, dtype=np.float32)
    again = policy_symmetry(policy, k, 9, 9)
    assert again[-1] == 81
    assert np.array_equal(again[:81].reshape(9, 9), symmetry(policy[:81].reshape(9, 9), k))
    rows, cols = (7, 5) if k & 4 else (5, 7)
    assert symmetry(np.zeros((2, 5, 7)), k).shape == (2, rows, cols)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: encode([]), "no game"),
        (lambda: encode(Board(9), planes="zen"), "no set of planes"),
        (lambda: encode(Board(9), symmetry=8), "0 to 7"),
        (lambda: encode(Board(5, 7), symmetry=4), "shape"),
        (lambda: encode([Board(9), Board(13)]), "13"),
        (lambda: encode(Board(9), positions=1), "after 1 moves"),
        (lambda: encode(Board(9), positions="first"), "last"),
        (lambda: encode(Board(9), dtype="int64"), "u8 or f32"),
        (lambda: encode(read_sgf(b"(;SZ[40])")), "at most 25"),
        (lambda: encode(read_sgf(b"(;SZ[9];B[aa])"), positions=2), "after 2 moves"),
        (lambda: plane_names("zen"), "no set of planes"),
        (lambda: symmetry(np.zeros((3, 3)), 8), "0 to 7"),
        (lambda: symmetry(np.zeros((3, 3)), True), "0 to 7"),
        (lambda: symmetry(np.zeros(3), 1), "1 dimensions"),
        (lambda: policy_symmetry(np.zeros(7), 1, 2, 2), "4 or 5"),
        (lambda: policy_symmetry(np.zeros(2), -1, 1, 2), "0 to 7"),
        (lambda: policy_symmetry(np.zeros(2), 0, -1, -2), "rows or columns"),
        (lambda: policy_symmetry(np.zeros(2), 0, 1.0, 2), "rows or columns"),
        (lambda: policy_symmetry(np.zeros(0), 0, 0, 0), "rows or columns"),
        (lambda: inverse(-1), "0 to 7"),
        (lambda: encode(Board(9), symmetry=-1), "got -1"),
        (lambda: encode(Board(9), symmetry=10**30), "from 0 to"),
        (lambda: encode(Board(9), positions=-1), "got -1"),
        (lambda: encode(Board(9), threads=-1), "got -1"),
    ],
)
def test_errors(call, message):
    with pytest.raises(yose.YoseError, match=message):
        call()


def test_types_are_checked():
    for games in (3, ["board"], None):
        with pytest.raises(TypeError):
            encode(games)


def test_other_threads_run_meanwhile():
    boards = [played(record) for record in POSITIONS if record["size"] == 19] * 400
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    encode(boards, planes="agz", positions="all", threads=1)
    end = time.perf_counter()
    done.set()
    thread.join()
    # With the lock held the other thread would not have run at all in between.
    inside = [t for t in ticks if start + 0.1 * (end - start) < t < end - 0.1 * (end - start)]
    assert len(inside) >= 3, (len(ticks), end - start)
