# The compiled part; what it holds is seen through yose and yose.go.
from . import go as go

__all__ = ["IllegalMoveError", "SgfError", "YoseError", "go"]

class YoseError(ValueError): ...

class IllegalMoveError(YoseError):
    reason: str

class SgfError(YoseError):
    offset: int | None
