"""Exact answers about Go and its endgames.

`yose.go` has boards, records in SGF, feature planes, ladders and unconditional life, on NumPy
arrays. All exceptions are of the family `YoseError`, which is a `ValueError`.
"""

from . import go
from ._yose import IllegalMoveError, SgfError, YoseError

__all__ = ["IllegalMoveError", "SgfError", "YoseError", "go"]
