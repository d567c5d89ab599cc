"""What an answer holds of its service: calls, made as the user who asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from .calls import Calls
    from .users import User

__all__ = ["AsUser"]


class AsUser:
    """Calls as one user. An answer that is pickled leaves it behind: a file holds no connection and no key."""

    def __init__(self, calls: Calls, user: User) -> None:
        self._calls = calls
        self._user = user

    def __reduce__(self) -> Any:
        return type(None), ()

    def __deepcopy__(self, memo: object) -> Self:
        return self
