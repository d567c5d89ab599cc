"""What of a model is edited as data: titles, synonyms, units, how numbers are taken together, what is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from ...records import dataclass
from .yaml_text import Path, changed, removed

__all__ = ["AGGREGATES", "FIELDS", "Entry", "entries_of", "with_field"]

AGGREGATES = ("sum", "avg", "none")
"""How the numbers of a column are taken together unless the question says: added up, averaged, or neither."""

FIELDS = ("title", "description", "synonyms", "default_for", "unit", "aggregate", "hidden")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "title": ("title",),
    "description": ("description",),
    "synonyms": ("meta", "synonyms"),
    "default_for": ("meta", "default_for"),
    "unit": ("meta", "unit"),
    "aggregate": ("meta", "aggregate"),
}
_SECTIONS = {"dimensions": "dimension", "measures": "measure", "segments": "segment"}
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A cube, a view or a member of a cube.

    Attributes
    ----------
    name
        ``"sales"``, or ``"sales.qty"`` for a member.
    kind, type
        ``"cube"``, ``"view"``, ``"dimension"``, ``"measure"`` or ``"segment"``; the type of a member.
    default_for
        Words that mean this member where several could be meant and nothing else is said.
    path
        Where it stands in its file.
    """

    name: str
    kind: str
    type: str = ""
    title: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    unit: str = ""
    aggregate: str = ""
    hidden: bool = False
    primary_key: bool = False
    path: Path = ()
    default_for: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """What can be said of it."""
        numbers = self.kind == "dimension" and self.type == "number"
        member = self.kind in ("dimension", "measure")
        said = {"default_for": member, "unit": numbers or self.kind == "measure", "aggregate": numbers}
        return tuple(field for field in FIELDS if said.get(field, True))


def entries_of(number: int, document: Any) -> list[Entry]:
    """What one document of a model file holds, in its order."""
    found: list[Entry] = []
    if not isinstance(document, Mapping):
        return found
    for section, kind in (("cubes", "cube"), ("views", "view")):
        for place, item in enumerate(_list(document.get(section))):
            if isinstance(item, Mapping) and isinstance(item.get("name"), str):
                path = (number, section, place)
                found.append(_entry(item["name"], kind, item, path))
                found += _members(item, path) if kind == "cube" else []
    return found


def _members(cube: Mapping[str, Any], path: tuple[str | int, ...]) -> list[Entry]:
    return [
        _entry(f"{cube['name']}.{item['name']}", kind, item, (*path, section, place))
        for section, kind in _SECTIONS.items()
        for place, item in enumerate(_list(cube.get(section)))
        if isinstance(item, Mapping) and isinstance(item.get("name"), str)
    ]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _entry(name: str, kind: str, item: Mapping[str, Any], path: Path) -> Entry:
    given = item.get("meta")
    meta: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    key = bool(item.get("primary_key"))
    return Entry(
        name,
        kind,
        str(item.get("type") or ""),
        str(item.get("title") or ""),
        str(item.get("description") or "").strip(),
        _words(meta, "synonyms"),
        str(meta.get("unit") or ""),
        str(meta.get("aggregate") or ""),
        item.get("public", item.get("shown", not key)) is False,
        key,
        path,
        _words(meta, "default_for"),
    )


def _words(meta: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = meta.get(key) or ()
    return tuple(map(str, [given] if isinstance(given, str) else given))


def with_field(text: str, entry: Entry, field: str, value: Any) -> tuple[str, Entry]:
    """A file's text with one field of an entry changed, and the entry as it is then.

    Raises
    ------
    ValueError
        The entry has no such field, or the value is none for it; the message says what is.
    """
    if field not in entry.fields:
        near = get_close_matches(field, entry.fields, 1)
        raise ValueError(
            f"{entry.name}: a {entry.kind} has no {field!r} here; "
            + (f"did you mean {near[0]!r}?" if near else f"there are {', '.join(entry.fields)}")
        )
    value = _checked(entry.name, field, value)
    if field == "hidden":
        return _hidden(text, entry, value), replace(entry, hidden=value)
    path = (*entry.path, *_KEYS[field])
    written = list(value) if isinstance(value, tuple) else value
    return (changed(text, path, written) if value else removed(text, path)), replace(entry, **{field: value})


def _hidden(text: str, entry: Entry, value: bool) -> str:
    text = removed(text, (*entry.path, "shown"))
    if value != entry.primary_key:  # what a key is, hidden, and anything else, shown, need not be said
        return changed(text, (*entry.path, "public"), not value)
    return removed(text, (*entry.path, "public"))


def _checked(name: str, field: str, value: Any) -> Any:
    if field == "hidden":
        if not isinstance(value, bool):
            raise ValueError(f"{name}: hidden is True or False, not {value!r}")
        return value
    if field in ("synonyms", "default_for"):
        return _phrases(name, field, value)
    text = "" if value is None else value
    if not isinstance(text, str) or len(text) > _LONGEST or not text.isprintable():
        raise ValueError(f"{name}: {field} is a text of one line and at most {_LONGEST:,} characters")
    text = text.strip()
    if field == "aggregate" and text and text not in AGGREGATES:
        raise ValueError(f"{name}: aggregate is one of {', '.join(AGGREGATES)}, not {text!r}")
    return text


def _phrases(name: str, field: str, value: Any) -> tuple[str, ...]:
    words = [] if value is None else value.split(",") if isinstance(value, str) else list(value)
    if not all(isinstance(word, str) and word.isprintable() and len(word) <= 200 for word in words):
        raise ValueError(f"{name}: {field} holds words or short phrases, in a list or with commas between them")
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
