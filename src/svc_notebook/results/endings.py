"""How a language model's turn ended and what it took, in words: the same in a cell, a widget and a saved notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .markdown import plain_text

if TYPE_CHECKING:
    from .answer import Answer

__all__ = ["added_usage", "ended_text", "spent_text"]

_ENDED = {
    "refused": "Refused",
    "cut": "Cut short",
    "filtered": "Held back by a filter",
    "capped": "Stopped by a limit",
    "provider_failed": "Answered without the language model",
}
_SENT = {
    "full": "every row of a result",
    "rows": "some rows of each result",
    "names": "names and no rows",
}
_COUNTS = ("llmCalls", "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "totalTokens")


def ended_text(answer: Answer) -> str:
    """How the turn ended, and why, where not with an answer of the model; else nothing."""
    said = _ENDED.get(getattr(answer, "outcome", ""), "")
    detail = plain_text(str(getattr(answer, "outcome_detail", "") or ""))[:300]
    if not said:
        return ""
    return f"{said}: {detail}." if detail else f"{said}."


def spent_text(usage: Mapping[str, Any]) -> str:
    """What a language model took, and what of the data it was sent; nothing where none was asked."""
    calls = _count(usage, "llmCalls")
    if not calls:
        return ""
    models = [plain_text(str(name))[:80] for name in usage.get("models") or () if isinstance(name, str)][:3]
    tokens, guessed = _count(usage, "totalTokens"), _count(usage, "estimatedTokens")
    about = "about " if guessed else ""
    parts = [*models, f"{calls:,} call{'s' * (calls != 1)}", f"{about}{tokens:,} token{'s' * (tokens != 1)}"]
    if (cost := _cost(usage)) is not None:
        parts.append(f"{about}${cost:,.4f}")
    if (sent := _SENT.get(str(usage.get("sent")))) is not None:
        parts.append(f"it was sent {sent}")
    return " · ".join(parts)


def added_usage(usages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What several turns took together; ``cost`` only where one of them says it."""
    total: dict[str, Any] = {"models": [], **dict.fromkeys(_COUNTS, 0)}
    for usage in usages:
        for name in (*_COUNTS, "estimatedTokens"):
            if count := _count(usage, name):
                total[name] = total.get(name, 0) + count
        if (cost := _cost(usage)) is not None:
            total["cost"] = total.get("cost", 0.0) + cost
        total["models"] += [name for name in usage.get("models") or () if name not in total["models"]]
    return total


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value == value else 0


def _cost(usage: Mapping[str, Any]) -> float | None:
    value = usage.get("cost")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
