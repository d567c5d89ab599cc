"""What one turn may spend (loops, tokens, time, cost, how much of a result the model is shown), and what it spent."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..base import Usage
from .ends import CapReached

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits

__all__ = ["CHARS_PER_TOKEN", "Caps", "Meter"]

CHARS_PER_TOKEN = 4


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
        """What the library looks after. Not the tokens: it would sum up the whole reply for every piece of it."""
        from pydantic_ai.usage import UsageLimits

        return UsageLimits(
            request_limit=self.requests,
            tool_calls_limit=self.tool_calls,
            cost_limit=None if self.cost is None else Decimal(str(self.cost)),
        )


class Meter:
    """What a turn has spent, told step by step (steps add up), so that a turn that ends early has told it too."""

    def __init__(self, model: str, tokens: int | None = None) -> None:
        from pydantic_ai.usage import RunUsage

        self.spent = RunUsage()
        self._model = model
        self._most = tokens
        self._written = 0
        self._told: dict[str, int] = {}

    def wrote(self, text: str) -> None:
        """Count a piece of the reply, for a provider that never says what it took."""
        self._written += len(text)

    def check(self) -> None:
        """Look after the tokens, once a step has ended.

        Raises
        ------
        CapReached
            The turn has used as many as it may.
        """
        told = self.spent.input_tokens + self.spent.output_tokens
        if self._most is not None and (told or self._written // CHARS_PER_TOKEN) > self._most:
            raise CapReached(f"the limit of {self._most:,} tokens for one question was reached")

    def news(self) -> Usage:
        """What was spent since it was last told."""
        spent = self.spent
        now = {
            "llmCalls": spent.requests,
            "inputTokens": spent.input_tokens,
            "outputTokens": spent.output_tokens,
            "cacheReadTokens": spent.cache_read_tokens,
            "cacheWriteTokens": spent.cache_write_tokens,
            "totalTokens": spent.input_tokens + spent.output_tokens,
        }
        before, self._told = self._told, now
        step: dict[str, Any] = {name: count - before.get(name, 0) for name, count in now.items()}
        return Usage({"models": [self._model]} | step if spent.requests else {})
