"""Feedback on answers, sent as the user who asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from ..results.feedback import Feedback
    from .calls import Calls
    from .users import User

__all__ = ["ChatJudge"]


class ChatJudge:
    """Tells the service what its user thinks of a turn.

    An answer that is pickled leaves it behind: a file holds no connection and no key.
    """

    def __init__(self, calls: Calls, user: User) -> None:
        self._calls = calls
        self._user = user

    def __reduce__(self) -> Any:
        return type(None), ()

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def tell(self, chat_id: str, turn: int, feedback: Feedback | None) -> None:
        self._calls.portal.run(self._calls.give_feedback(self._user, chat_id, turn, feedback))

    async def atell(self, chat_id: str, turn: int, feedback: Feedback | None) -> None:
        await self._calls.portal.arun(self._calls.give_feedback(self._user, chat_id, turn, feedback))
