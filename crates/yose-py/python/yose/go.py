"""Go: boards, records, feature planes, ladders, unconditional life.

Rows count from 0 at the top and columns from 0 at the left, in arrays and in `(row, column)`;
vertices are GTP's, "D4" being column D (no I) and row 4 from the bottom. What is counted is Black
minus White.
"""

import numpy as np

from ._yose import IllegalMoveError, SgfError, YoseError, go as _go

Board = _go.Board
Ladder = _go.Ladder
Life = _go.Life
Node = _go.Node
Record = _go.Record
benson = _go.benson
encode = _go.encode
ladder = _go.ladder
plane_names = _go.plane_names
read_sgf = _go.read_sgf
write_sgf = _go.write_sgf

__all__ = [
    "Board",
    "IllegalMoveError",
    "Ladder",
    "Life",
    "Node",
    "Record",
    "SgfError",
    "YoseError",
    "benson",
    "encode",
    "inverse",
    "ladder",
    "plane_names",
    "policy_symmetry",
    "read_sgf",
    "symmetry",
    "write_sgf",
]


def _number(k):
    if isinstance(k, (bool, np.bool_)) or not isinstance(k, (int, np.integer)) or not 0 <= k <= 7:
        raise YoseError(f"symmetries are 0 to 7, not {k!r}")
    return int(k)


def _side(n):
    if isinstance(n, (bool, np.bool_)) or not isinstance(n, (int, np.integer)) or n < 1:
        raise YoseError(f"expected a number of rows or columns, got {n!r}")
    return int(n)


def symmetry(array, k):
    """The array mirrored and turned, its last two axes being rows and columns.

    Bit 0 of `k` mirrors the columns, bit 1 the rows, bit 2 then transposes. The answer is a view:
    nothing is copied.

    >>> import numpy as np
    >>> symmetry(np.array([[1, 2], [3, 4]]), 5).tolist()
    [[2, 4], [1, 3]]
    """
    k = _number(k)
    array = np.asarray(array)
    if array.ndim < 2:
        raise YoseError(f"expected rows and columns, got an array of {array.ndim} dimensions")
    if k & 1:
        array = array[..., ::-1]
    if k & 2:
        array = array[..., ::-1, :]
    if k & 4:
        array = array.swapaxes(-1, -2)
    return array


def inverse(k):
    """The symmetry that undoes symmetry `k`.

    >>> inverse(5)
    6
    """
    k = _number(k)
    # Mirroring the columns after transposing is mirroring the rows before.
    return 4 | (k & 1) << 1 | (k & 2) >> 1 if k & 4 else k


def policy_symmetry(policy, k, rows, cols):
    """A policy mirrored and turned as `symmetry` does with planes.

    The last axis of `policy` has a value for each point, row by row from the top, and may have one
    more for the pass, which stays last. The answer is a copy.

    >>> policy_symmetry([1, 2, 3, 4, 9], 1, 2, 2).tolist()
    [2, 1, 4, 3, 9]
    """
    policy = np.asarray(policy)
    rows, cols = _side(rows), _side(cols)
    area = rows * cols
    if policy.ndim < 1 or policy.shape[-1] not in (area, area + 1):
        raise YoseError(f"expected {area} or {area + 1} values, got shape {policy.shape}")
    points = policy[..., :area].reshape(*policy.shape[:-1], rows, cols)
    points = symmetry(points, k).reshape(*policy.shape[:-1], area)
    return np.concatenate([points, policy[..., area:]], axis=-1)
