"""What is wrong with typed input (a configuration, a request), in the words and places of who wrote it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import UnsetType

__all__ = ["choices", "fault"]

_PATH = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_CHOICE = re.compile(r"Invalid enum value (.*)")


def fault(message: str, raw: Mapping[str, Any], model: type[Any]) -> str:
    """Msgspec's message about a ``model``: the path as ``raw`` has it, and what may stand there.

    The keys of a single account stand at the top of a configuration, and mappings by name are lists in the model.
    """
    text, steps = _PATH.sub("", message), _steps(message)
    alone = steps[:2] == ["tenants", 0] and "tenants" not in raw
    where = ".".join(_written(steps[2:] if alone else steps, raw))
    if found := _UNKNOWN.match(text):
        known = _keys(_kind(model, steps))
        if alone and len(steps) == 2:
            known += [key for key in _keys(model) if key != "tenants"]
        if steps[:1] == ["tenants"] and len(steps) == 2:
            known[known.index("name")] = "account"
        text = f"there is no key {found[1]!r}; {_nearest(found[1], known)}"
    elif found := _CHOICE.match(text):
        text = f"{found[1]} is not one of {choices(message, model)}"
    return f"{where}: {text}" if where else text


def choices(message: str, model: type[Any]) -> str:
    """The values that may stand where msgspec found another one; nothing if the message is about something else."""
    kind = _kind(model, _steps(message)) if _CHOICE.match(message) else None
    return ", ".join(str(each) for each in get_args(kind)) if get_origin(kind) is Literal else ""


def _steps(message: str) -> list[str | int]:
    path = _PATH.search(message)
    return [name or int(index) for name, index in _STEP.findall(path[1])] if path else []


def _written(steps: list[str | int], raw: Mapping[str, Any]) -> Iterator[str]:
    at: Any = raw
    for step in steps:
        if isinstance(at, Mapping):
            name = list(at)[step] if isinstance(step, int) and step < len(at) else step
            yield str(name)
            at = at.get(name)
        else:
            yield f"[{step}]" if isinstance(step, int) else step
            at = at[step] if isinstance(at, list) and isinstance(step, int) and step < len(at) else None


def _kind(model: Any, steps: list[str | int]) -> Any:
    """The type that the path leads to."""
    for step in steps:
        if isinstance(step, int):
            model = next(iter(get_args(model)), None)
        else:
            fields = getattr(model, "__struct_fields__", ())
            names = dict(zip(getattr(model, "__struct_encode_fields__", fields), fields, strict=True))
            model = get_type_hints(model).get(names.get(step, step)) if fields else None
        if get_origin(model) in (Union, UnionType):
            model = next((each for each in get_args(model) if each not in (type(None), UnsetType)), None)
    return model


def _keys(kind: Any) -> list[str]:
    return list(getattr(kind, "__struct_fields__", ()))


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
