"""Feedback on answers, sent as the user who asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .as_user import AsUser

if TYPE_CHECKING:
    from ..results.feedback import Feedback

__all__ = ["ChatJudge"]


class ChatJudge(AsUser):
    """Tells the service what its user thinks of a turn."""

    def tell(self, chat_id: str, turn: int, feedback: Feedback | None) -> None:
        self._calls.portal.run(self._calls.give_feedback(self._user, chat_id, turn, feedback))

    async def atell(self, chat_id: str, turn: int, feedback: Feedback | None) -> None:
        await self._calls.portal.arun(self._calls.give_feedback(self._user, chat_id, turn, feedback))
