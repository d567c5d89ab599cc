"""The words after ``%svc connect``: who asks, what they are, where the chat is."""

from __future__ import annotations

import json
import re
from typing import Any

from IPython.core.error import UsageError

__all__ = ["read_words", "split"]

# Not shlex, which takes the quotes off, and with them the difference between a text and a list.
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^\s"'\[])+""")
_USER = {"external_id", "internal_id", "email", "timezone"}
_KEYS = {"api_key", "key", "token", "password"}


def split(line: str) -> list[str]:
    """Words apart at spaces, except within quotes and brackets, which stay."""
    return _WORD.findall(line)


def read_words(words: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """``key=value`` words as the keyword arguments of a user, and those of a client.

    Raises
    ------
    UsageError
        A word without ``=``, a key, or attributes of nobody.
    """
    user: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"write {word} as key=value")
        if key in _KEYS:
            raise UsageError(
                "a key does not belong into a notebook: set SVC_API_KEY, or connect a client you have made"
            )
        if key in _USER:
            user[key] = _text(value)
        elif key == "chat_api_url":
            settings[key] = _text(value)
        elif key == "groups":
            user[key] = _texts(value)
        else:
            attributes[key.removeprefix("attributes.")] = _value(value)
    if attributes:
        user["user_attributes"] = attributes
    if user.keys() & {"groups", "user_attributes"} and not user.keys() & {"external_id", "internal_id"}:
        raise UsageError("attributes and groups say what somebody is, not who: add external_id=…")
    return user, settings


def _value(text: str) -> Any:
    """JSON, or a bare word: a list of texts."""
    try:
        value = json.loads(text)
    except ValueError:
        return _texts(text)
    return value if isinstance(value, (str, int, float, list)) and not isinstance(value, bool) else _texts(text)


def _texts(text: str) -> list[str]:
    return [_text(part) for part in text.split(",") if part]


def _text(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
