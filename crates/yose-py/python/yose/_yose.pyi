# The compiled part; what it holds is seen through yose and yose.go.
from . import go as go

class YoseError(ValueError): ...

class IllegalMoveError(YoseError):
    reason: str

class SgfError(YoseError):
    offset: int | None
