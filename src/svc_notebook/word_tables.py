"""Tables of words and phrases, which are files of TOML: read fast where they are as plain as the package's own.

The standard library reads TOML letter by letter, which for the tables that a first question needs took a fifth of the
time of its reading. A line whose value is JSON as well (texts, numbers, lists of them) is read as JSON here; a table
that holds any other is read by the standard library.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any

__all__ = ["loads"]


def loads(text: str) -> dict[str, Any]:
    """What ``tomllib.loads`` makes of a text."""
    try:
        return _plain(text)
    except ValueError:
        import tomllib

        return tomllib.loads(text)


def _plain(text: str) -> dict[str, Any]:
    """The tables of a text of plain lines, each said once.

    Raises
    ------
    ValueError
        Some line is another.
    """
    tables: dict[str, Any] = {}
    table = tables
    heads: set[str] = set()
    places: list[tuple[dict[str, Any], str]] = []
    values: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            head = _head(line)
            if head in heads:
                raise ValueError(line)
            heads.add(head)
            table = _table(tables, head)
            continue
        key, value = _entry(_bare(line))
        places.append((table, key))
        values.append(value if value != "[" else _list(lines))
    # All at once: each by itself takes longer to begin with than to be read.
    found = json.loads(f"[{','.join(values)}]", parse_constant=_refused)
    for (table, key), value in zip(places, found, strict=True):
        if key in table:
            raise ValueError(key)
        table[key] = value
    return tables


def _head(line: str) -> str:
    head, closed, behind = line[1:].partition("]")
    if not closed or not all(map(_is_word, head.split("."))) or behind.strip() and not behind.strip().startswith("#"):
        raise ValueError(line)
    return head


def _table(tables: dict[str, Any], head: str) -> dict[str, Any]:
    for part in head.split("."):
        tables = tables.setdefault(part, {})
    return tables


def _entry(line: str) -> tuple[str, str]:
    if line.startswith('"'):
        key, end = _KEY.raw_decode(line)
        said, value = line[end : end + 3], line[end + 3 :]
    else:
        key, said, value = line.partition(" = ")
    if said != " = " or not line.startswith('"') and not _is_word(key):
        raise ValueError(line)
    return key, value


def _is_word(key: str) -> bool:
    return key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()


def _bare(line: str) -> str:
    """A line without a comment: what is behind a sign that no quote follows, so that it stands in no text."""
    said, sign, behind = line.rpartition("#")
    return said.rstrip() if sign and '"' not in behind and "'" not in behind else line.rstrip()


def _list(lines: Iterator[str]) -> str:
    """The rest of a list that goes on over several lines."""
    parts: list[str] = []
    for line in lines:
        if (bare := _bare(line).strip()) == "]":
            return f"[{' '.join(parts).removesuffix(',')}]"
        parts.append(bare)
    raise ValueError("a list that does not end")


def _refused(constant: str) -> None:
    raise ValueError(constant)


_KEY = JSONDecoder()
