"""What small models get wrong in a tool call: arguments that are nearly JSON, names nearly right, calls as text.

Nothing is guessed: what was cut in half, or stands for no object, is left to be told to the model.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import SchemaValidator, core_schema

from ... import patterns as re

__all__ = ["ForgivingArguments", "called_in_text", "mended"]

_FENCE = re.compile(r"^```\w*\s*\n?(.*?)\n?```$", re.DOTALL)
_TAGGED = (
    re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL),
    re.compile(r"<\|python_tag\|>\s*(\{.*\})", re.DOTALL),
    re.compile(r"\[TOOL_CALLS\]\s*\[?\s*(\{.*\})\s*\]?", re.DOTALL),
)
_FUNCTION = re.compile(r"<function=([\w.]+)>\s*(.*?)\s*</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=(\w+)>\s*(.*?)\s*</parameter>", re.DOTALL)
_WRAPPED = ("arguments", "parameters", "input", "args")
_NAMED = ("name", "function", "tool", "tool_name")
_OTHERWISE = {"sql": "sqlQuery", "query": "sqlQuery", "statement": "sqlQuery", "title": "queryTitle"}
_SEARCHED = {"query": "searchQuery", "search": "searchQuery", "q": "searchQuery", "keywords": "searchQuery"}


class ForgivingArguments:
    """Reads the arguments of a call; mended where that is sure, refused as JSON is otherwise.

    Parameters
    ----------
    names
        The arguments that the tool has.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._strict = SchemaValidator(core_schema.dict_schema(core_schema.str_schema()))

    def validate_json(self, data: str | bytes, **options: Any) -> Any:
        text = data if isinstance(data, str) else bytes(data).decode("utf-8", "replace")
        found = _object(text)
        if found is None:
            return self._strict.validate_json(data, **options)
        return self._strict.validate_python(mended(found, self._names))

    def validate_python(self, value: Any, **options: Any) -> Any:
        return self._strict.validate_python(mended(value, self._names) if isinstance(value, dict) else value)


def mended(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Arguments under the names that the tool has, out of what they were wrapped in."""
    wrapped = [key for key in given if key in _WRAPPED and key not in names]
    if len(wrapped) == 1 and all(key in (*_WRAPPED, *_NAMED) for key in given):
        inner = given[wrapped[0]]
        inner = _object(inner) if isinstance(inner, str) else inner
        if isinstance(inner, dict):
            given = inner
    others = _SEARCHED if "searchQuery" in names else _OTHERWISE
    plain = {re.sub(r"[_\W]", "", name).lower(): name for name in names}
    result: dict[str, Any] = {}
    for key, value in given.items():
        name = key if key in names else plain.get(re.sub(r"[_\W]", "", key).lower()) or others.get(key.lower(), key)
        result.setdefault(name, value)
    return result


def called_in_text(text: str, tools: Sequence[str]) -> tuple[str, dict[str, Any]] | None:
    """The call that a reply is instead of making it: the tool and its arguments as they were written."""
    if (function := _FUNCTION.search(text)) is not None:
        arguments = dict(_PARAMETER.findall(function[2])) or _object(function[2]) or {}
        name = _tool(function[1], tools)
        return (name, arguments) if name else None
    tagged = next((hit[1] for pattern in _TAGGED if (hit := pattern.search(text))), None)
    found = _object(tagged if tagged is not None else text)
    if found is None:
        return None
    named = next((found[key] for key in _NAMED if isinstance(found.get(key), str)), "")
    inner = next((found[key] for key in _WRAPPED if key in found), None)
    inner = _object(inner) if isinstance(inner, str) else inner
    name = _tool(named, tools)
    return (name, inner) if name and isinstance(inner, dict) else None


def _tool(name: str, tools: Sequence[str]) -> str:
    said = re.sub(r"[_\W]", "", name.rpartition(".")[2]).lower()
    return next((tool for tool in tools if tool.lower() == said), "")


def _object(text: str) -> dict[str, Any] | None:
    """The one object that a text is: JSON, also in a fence, in a text, with a comma too many; a Python literal."""
    text = text.strip()
    if (fenced := _FENCE.match(text)) is not None:
        text = fenced[1].strip()
    for attempt in (text, re.sub(r",(\s*[}\]])", r"\1", text)):
        try:
            found = json.loads(attempt)
        except ValueError:
            continue
        if isinstance(found, str) and found.strip() != text:
            return _object(found) if found.lstrip().startswith("{") else None
        return found if isinstance(found, dict) else None
    if not (text.startswith("{") and text.endswith("}")) or len(text) > 100_000:
        return None
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return literal if isinstance(literal, dict) and all(isinstance(key, str) for key in literal) else None
