"""What the asker thinks of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from ..protocol.chat import Verdict

__all__ = ["Feedback", "Judge", "feedback_from", "feedback_of"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """A verdict, ``"right"`` or ``"wrong"``, and perhaps why."""

    verdict: Verdict
    why: str = ""


class Judge(Protocol):
    """Brings feedback on a turn to the service that keeps it; None takes it back."""

    def tell(self, chat_id: str, turn: int, feedback: Feedback | None) -> None: ...

    async def atell(self, chat_id: str, turn: int, feedback: Feedback | None) -> None: ...


def feedback_of(verdict: Verdict | None, why: str = "") -> Feedback | None:
    """Feedback as somebody gives it; None takes it back."""
    if verdict not in {"right", "wrong", None}:
        raise ValueError(f'verdict must be "right", "wrong" or None, not {verdict!r}')
    if why and verdict is None:
        raise ValueError('why needs a verdict: "right" or "wrong"')
    return Feedback(verdict, why) if verdict is not None else None


def feedback_from(given: Any) -> Feedback | None:
    """Feedback as a replayed question carries it; None where it carries none."""
    if not isinstance(given, dict) or given.get("verdict") not in {"right", "wrong"}:
        return None
    why = given.get("why")
    return Feedback(given["verdict"], why if isinstance(why, str) else "")
