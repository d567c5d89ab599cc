"""Settings that go to the model as they are: how it thinks, how it varies, how long it may be, what is cached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import AnalystUnavailable

__all__ = ["checked_accepted", "checked_hand_over", "checked_settings"]

_ACCEPTED = ("own", "everyone", "off")

_EFFORTS = ("minimal", "low", "medium", "high", "xhigh", "max")
_KEPT = ("5m", "30m", "1h", "12h")


def _number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _switch(words: tuple[str, ...]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, bool) or value in words


def _whole(low: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= low


_KNOWN: dict[str, tuple[Callable[[Any], bool], str]] = {
    "thinking": (_switch(_EFFORTS), f"true, false or one of {', '.join(_EFFORTS)}"),
    "temperature": (_number(0, 2), "a number from 0 to 2"),
    "top_p": (_number(0, 1), "a number from 0 to 1"),
    "max_tokens": (_whole(1), "a whole number of tokens, 1 or more"),
    "seed": (_whole(0), "a whole number"),
    "cache": (_switch(_KEPT), f"true, false or one of {', '.join(_KEPT)}"),
    "timeout": (_number(0.001, 86_400), "seconds"),
    "extra_body": (lambda value: isinstance(value, Mapping), "fields of the request's body"),
}  # fmt: skip


def checked_accepted(whose: Any) -> str:
    """Whose accepted answers are examples.

    Raises
    ------
    AnalystUnavailable
        It is none of those.
    """
    if whose not in _ACCEPTED:
        raise AnalystUnavailable(f"accepted is {whose!r}: write one of {', '.join(_ACCEPTED)}")
    return str(whose)


def checked_hand_over(confidence: float | None) -> float | None:
    """A confidence from which on a question is not handed to the model.

    Raises
    ------
    AnalystUnavailable
        It is no number from 0 to 1.
    """
    if confidence is not None and not _number(0, 1)(confidence):
        raise AnalystUnavailable(f"hand_over is {confidence!r}: write a number from 0 to 1, or leave it out")
    return confidence


def checked_settings(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings of a model, as the provider-neutral library takes them.

    Raises
    ------
    AnalystUnavailable
        There is no such setting, or it does not take such a value.
    """
    settings = dict(given or {})
    for name, value in settings.items():
        if name not in _KNOWN:
            raise AnalystUnavailable(f"settings has no {name!r}: it takes {', '.join(_KNOWN)}")
        fits, what = _KNOWN[name]
        if not fits(value):
            raise AnalystUnavailable(f"settings.{name} is {value!r}: write {what}")
    return settings
