"""How a model's reply ended, where not with an answer: cut, held back, refused. In the model's words or in ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ...records import dataclass

__all__ = ["CapReached", "Ending", "cut", "ending_of", "held_back"]

CUT = "the model's output limit was reached"
FILTERED = "the provider's filter held the rest back"
_REFUSED = "The language model refused to answer this."
_NOTHING_LEFT = (
    "The language model reached its output limit before it had written an answer; a narrower question may fit."
)
_FILTERED = "The provider's filter held back the language model's answer."


class CapReached(Exception):
    """The turn has spent what it may; the message says of what."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reply ended, why, and what is said of it: the whole answer, or the last line of one that was begun."""

    outcome: str
    detail: str
    text: str = ""


def ending_of(response: Any) -> Ending | None:
    """How the model's last reply ended; None where it ended by itself."""
    if response is None or response.finish_reason not in {"length", "content_filter"}:
        return None
    if response.finish_reason == "length":
        return Ending("cut", CUT, f"\n\n*The answer ends here: {CUT}.*")
    refusal = _refusal(response.provider_details or {})
    if refusal is not None:
        return Ending("refused", "the model refused", f"\n\n{refusal}" if refusal else "")
    return Ending("filtered", FILTERED, f"\n\n*The answer ends here: {FILTERED}.*")


def cut() -> Ending:
    """The output limit was reached before there was any answer."""
    return Ending("cut", CUT, _NOTHING_LEFT)


def held_back(error: Any) -> Ending:
    """A reply of which nothing came: the model refused, in its own words where it has some, or a filter struck."""
    refusal = _refusal(_details(getattr(error, "body", None)))
    if refusal is not None:
        return Ending("refused", "the model refused", refusal or _REFUSED)
    return Ending("filtered", "the provider's filter held back the answer", _FILTERED)


def _refusal(details: Mapping[str, Any]) -> str | None:
    """The words of a refusal, empty where it has none; None where it is no refusal."""
    words = details.get("refusal")
    if isinstance(words, Mapping):  # a category, an explanation
        words = words.get("explanation") or ""
    if isinstance(words, str):
        return words.strip()
    return "" if details.get("finish_reason") == "refusal" else None


def _details(body: Any) -> Mapping[str, Any]:
    try:
        replies = msgspec.json.decode(body or "[]")
    except (msgspec.DecodeError, TypeError):
        return {}
    found = replies[-1].get("provider_details") if isinstance(replies, list) and replies else None
    return found if isinstance(found, dict) else {}
