"""Caps of one turn: loops, tokens, time, cost, and how much of a result the model is shown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits

__all__ = ["Caps"]


@dataclass(frozen=True, slots=True)
class Caps:
    """What one turn may spend.

    Attributes
    ----------
    requests
        Calls of the model.
    tool_calls
        Tool calls that ran.
    tokens
        Input and output tokens together; ``None`` is no cap.
    seconds
        Wall-clock time of the turn.
    cost
        US dollars, where the provider's prices are known; ``None`` is no cap.
    history_tokens
        Tokens of earlier turns that are sent again (estimated at four characters each).
    shown_rows, shown_chars
        Rows and characters of one result that the model is shown.
    repairs
        Refused queries in a row before the model is told to stop trying.
    """

    requests: int = 10
    tool_calls: int = 16
    tokens: int | None = 200_000
    seconds: float = 180.0
    cost: float | None = None
    history_tokens: int = 8_000
    shown_rows: int = 50
    shown_chars: int = 12_000
    repairs: int = 3

    def usage_limits(self) -> UsageLimits:
        from pydantic_ai.usage import UsageLimits

        return UsageLimits(
            request_limit=self.requests,
            tool_calls_limit=self.tool_calls,
            total_tokens_limit=self.tokens,
            cost_limit=None if self.cost is None else Decimal(str(self.cost)),
        )
