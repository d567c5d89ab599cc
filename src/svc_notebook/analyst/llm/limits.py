"""What one turn may spend (loops, tokens, time, cost, how much of a result the model is shown), and what it spent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...records import dataclass
from ..base import Usage
from ..errors import AnalystUnavailable
from .ends import CapReached

if TYPE_CHECKING:
    from pydantic_ai.usage import RunUsage, UsageLimits

__all__ = ["CHARS_PER_TOKEN", "Caps", "Meter", "Prices", "public_prices", "said_length"]

CHARS_PER_TOKEN = 4
_MILLION = 1_000_000


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
        Input and output tokens together, estimated where the provider counts none; ``None`` is no cap.
    seconds
        Wall-clock time of the turn, waits for the provider among it.
    cost
        US dollars; ``None`` is no cap. It needs prices: known ones, or :class:`Prices`.
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

        return UsageLimits(request_limit=self.requests, tool_calls_limit=self.tool_calls)


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens, where the model's own are not known; a model on one's own machine costs 0."""

    input: float
    output: float

    def __post_init__(self) -> None:
        for name in ("input", "output"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MILLION:
                raise AnalystUnavailable(
                    f"prices.{name} is {value!r}: write US dollars for a million tokens, 0 or more"
                )

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """US dollars."""
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION


class Meter:
    """What a turn has spent, told step by step (steps add up), so that a turn that ends early has told it too.

    Parameters
    ----------
    model
        Its name, as it is told.
    caps
        What may be spent.
    prices
        What a million tokens cost; the library's prices where there are none.
    sent
        What of the data the model is sent, told with the rest.
    known
        Whether the name is that of a model whose prices are public; one on a machine of one's own is not.
    """

    def __init__(
        self,
        model: str,
        caps: Caps | None = None,
        prices: Prices | None = None,
        sent: str = "rows",
        *,
        known: bool = True,
    ) -> None:
        from pydantic_ai.usage import RunUsage

        self.spent: RunUsage = RunUsage()
        self._model, self._caps, self._prices, self._sent = model, caps or Caps(), prices, sent
        self._known = known
        self._asking = self._written = 0  # characters of the request under way
        self._guessed = (0, 0)  # tokens in and out that no provider counted
        self._told: dict[str, float] = {}

    def asks(self, chars: int) -> None:
        """A request of so many characters is about to be sent.

        Raises
        ------
        CapReached
            The turn has spent what it may.
        """
        self.check()
        self._asking, self._written = chars, 0

    def wrote(self, text: str) -> None:
        """Count a piece of the reply, for a provider that never says what it took.

        Raises
        ------
        CapReached
            This piece is one too many.
        """
        self._written += len(text)
        self.check()

    def answered(self, *, measured: bool) -> None:
        """The request under way has ended; what its provider did not count is estimated."""
        if not measured:
            guessed_in, guessed_out = self._guessed
            self._guessed = (guessed_in + _tokens(self._asking), guessed_out + _tokens(self._written))
        self._asking = self._written = 0

    def check(self) -> None:
        """Look after tokens and cost.

        Raises
        ------
        CapReached
            The turn has used as many as it may; the message says of what.
        """
        most = self._caps.tokens
        if most is not None and self._input + self._output + _tokens(self._written) > most:
            raise CapReached(f"the limit of {most:,} tokens for one question was reached")
        if self._caps.cost is not None and (self._cost(_tokens(self._written)) or 0.0) > self._caps.cost:
            raise CapReached(f"the limit of {self._caps.cost:g} US dollars for one question was reached")

    def news(self) -> Usage:
        """What was spent since it was last told."""
        spent, (guessed_in, guessed_out) = self.spent, self._guessed
        now: dict[str, float] = {
            "llmCalls": spent.requests,
            "inputTokens": self._input,
            "outputTokens": self._output,
            "cacheReadTokens": spent.cache_read_tokens,
            "cacheWriteTokens": spent.cache_write_tokens,
            "totalTokens": self._input + self._output,
        }
        if guessed_in or guessed_out:
            now["estimatedTokens"] = guessed_in + guessed_out
        if (cost := self._cost()) is not None:
            now["cost"] = cost
        before, self._told = self._told, now
        step: dict[str, Any] = {name: count - before.get(name, 0) for name, count in now.items()}
        return Usage({"models": [self._model], "sent": self._sent} | step if spent.requests else {})

    @property
    def _input(self) -> int:
        return self.spent.input_tokens + self._guessed[0]

    @property
    def _output(self) -> int:
        return self.spent.output_tokens + self._guessed[1]

    def _cost(self, more: int = 0) -> float | None:
        """US dollars so far, with so many output tokens more; None where no prices are known."""
        prices = self._prices or (public_prices(self._model) if self._known else None)
        if prices is None:
            return None
        if self._prices is not None or self.spent.cost is None:
            return prices.of(self._input, self._output + more)
        return float(self.spent.cost) + prices.of(self._guessed[0], self._guessed[1] + more)


@lru_cache(maxsize=64)
def public_prices(model: str) -> Prices | None:
    """What tokens of a model cost, where its prices are known by its name (what is read from a cache costs less)."""
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    name = model.rpartition(":")[2]
    try:
        prices = [
            float(calc_price(Tokens(**{f"{side}_tokens": 1_000}), name).total_price) * 1_000
            for side in ("input", "output")
        ]
    except LookupError:
        return None
    return Prices(*prices)


def said_length(messages: Iterable[Any]) -> int:
    """Characters of all that a request says again."""
    total = 0
    for message in messages:
        total += len(getattr(message, "instructions", None) or "")
        for part in message.parts:
            for name in ("content", "args"):
                value = getattr(part, name, None)
                total += len(value) if isinstance(value, str) else 0
    return total


def _tokens(chars: int) -> int:
    return -(-chars // CHARS_PER_TOKEN)
