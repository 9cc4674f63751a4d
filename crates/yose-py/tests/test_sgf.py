"""Records."""

from pathlib import Path

import numpy as np
import pytest
from data import DATA

import yose
from yose.go import read_sgf, write_sgf

FILES = sorted((DATA / "sgf").glob("*.sgf"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files(path):
    if path.stem.startswith("32"):
        with pytest.raises(yose.SgfError, match="expected a game"):
            read_sgf(path)
        return
    (record,) = read_sgf(path)
    assert read_sgf(str(path)) == [record]
    assert read_sgf(path.read_bytes()) == [record]
    # Once repaired, writing and reading are stable.
    written = write_sgf([record])
    again = read_sgf(written)
    assert again == [record] and write_sgf(again) == written
    if record.repairs:
        with pytest.raises(yose.SgfError) as error:
            read_sgf(path, strict=True)
        assert error.value.offset == record.repairs[0][0]
    else:
        assert read_sgf(path, strict=True) == [record]


def test_no_file():
    with pytest.raises(FileNotFoundError, match="no such file.sgf") as error:
        read_sgf(Path("no such file.sgf"))
    assert error.value.filename == "no such file.sgf" and error.value.errno == 2


def test_what_the_root_says():
    (record,) = read_sgf(
        "(;FF[4]CA[UTF-8]SZ[13:9]PB[柯洁]BR[9p]PW[Lee]WR[9p]KM[7.5]HA[2]RU[Chinese]"
        "DT[2016-05-01]EV[Final]RE[B+Resign]AB[cc][gg];W[ma])".encode()
    )
    assert (record.rows, record.cols) == (9, 13)
    assert (record.black, record.black_rank, record.white) == ("柯洁", "9p", "Lee")
    assert (record.komi, record.handicap, record.rules) == (7.5, 2, "Chinese")
    assert (record.date, record.event, record.result) == ("2016-05-01", "Final", "B+R")
    assert record.charset == "UTF-8" and record.repairs == []
    assert record.moves == [("w", "N9")]
    board = record.board()
    assert (board.komi, board.handicap, board.rules) == (7.5, 2, "chinese")
    assert board.stones()[0, 12] == -1
    empty = read_sgf(b"(;)")[0]
    assert (empty.black, empty.komi, empty.result, empty.rows) == (None, None, None, 19)


def test_tree():
    (record,) = read_sgf(b"(;FF[4]SZ[9]AB[aa:ba]C[a\\]b];B[ee](;W[gc])(;W[cc]XX[x][y]C[other]))")
    assert len(record) == 4 and len(record.nodes()) == 4
    root = record.root
    assert root.comment == "a]b" and root.text("SZ") == "9" and root.text("ZZ") is None
    assert root.points("AB") == [(0, 0), (0, 1)]
    assert root.raw("C") == [b"a\\]b"] and root.parent is None
    first, other = root.children[0].children
    assert first.moves == [("w", "G7")]
    assert other.properties == {"W": ["cc"], "XX": ["x", "y"], "C": ["other"]}
    assert other.parent == first.parent != other
    assert [node.moves for node in record.main_line()] == [[], [("b", "E5")], [("w", "G7")]]
    assert other.board().stone("C7") == "w" and other.board().stone("G7") is None
    assert np.count_nonzero(record.board(1).stones()) == 3


def test_moves_that_rules_forbid():
    data = b"(;FF[4]SZ[9];B[ee];W[ee])"
    (record,) = read_sgf(data)
    board = record.board()
    assert board.stone("E5") == "w" and len(board.notes) == 1
    with pytest.raises(yose.SgfError, match="move 2") as error:
        record.board(strict=True)
    assert data[error.value.offset :].startswith(b"W[ee]")


def test_charsets():
    name = "古力"
    data = b"(;GM[1]SZ[19]PB[" + name.encode("gbk") + b"];B[pd])"
    assert read_sgf(data, encoding="gbk")[0].black == name
    assert read_sgf(data)[0].charset == "ISO-8859-1"
    data = "(;GM[1]SZ[19]PB[井山裕太]PW[ソ];B[pd])".encode("shift_jis")
    for record in (*read_sgf(data), *read_sgf(data, guess=True)):
        assert (record.black, record.white) == ("井山裕太", "ソ")
    quotes = "(;GM[1]SZ[19]PB[\u201cJ\u00f6rg\u201d];B[pd])".encode("cp1252")
    for record in (*read_sgf(quotes), *read_sgf(quotes, encoding="windows-1252")):
        assert record.charset == "windows-1252"
        (again,) = read_sgf(write_sgf([record]))
        assert again == record and again.black == "\u201cJ\u00f6rg\u201d"
    # An ASCII file that says it is UTF-16, and one in UTF-8 that does.
    for name in ("Ann", "柯洁"):
        (record,) = read_sgf(f"(;FF[4]CA[UTF-16]SZ[9]PB[{name}];B[aa])".encode())
        assert record.black == name and record.charset == "UTF-8"
        assert [offset for offset, _ in record.repairs] == [9]
    with pytest.raises(yose.YoseError, match="no charset"):
        read_sgf(data, encoding="klingon")


def test_numbers_that_are_none():
    (record,) = read_sgf(b"(;FF[4]SZ[9]KM[2.75]HA[-3];B[aa])")
    assert (record.komi, record.handicap) == (5.5, None)
    assert [text for _, text in record.repairs] == [
        'KM takes points, got "2.75"; read as 5.5',
        'HA takes a number of stones, less than the board has points, got "-3"; '
        "kept but without meaning",
    ]
    with pytest.raises(yose.YoseError, match="got -1"):
        record.board(-1)


def test_boards_that_are_too_large():
    (record,) = read_sgf(b"(;FF[4]SZ[52];B[aa];W[ZZ])")
    assert record.moves == [("b", "aa"), ("w", "ZZ")]
    with pytest.raises(yose.SgfError, match="at most 25"):
        record.board()


def test_deep_trees():
    depth = 100_000
    (record,) = read_sgf(b"(;B[aa]" * depth + b")" * depth)
    assert len(record) == depth
    assert len(record.main_line()) == depth
    del record


def test_several_games():
    one, two = read_sgf(b"(;FF[4]SZ[9])junk(;FF[4]SZ[13]KM[6,5])tail")
    assert (one.rows, two.rows) == (9, 13)
    assert one.repairs == [] and [offset for offset, _ in two.repairs] == [13, 32, 38]
    assert write_sgf([one, two]) == b"(;FF[4]SZ[9])\n(;FF[4]SZ[13]KM[6,5])\n"
