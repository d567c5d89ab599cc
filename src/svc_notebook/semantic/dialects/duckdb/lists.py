"""Lists in columns, and fields of JSON."""

from __future__ import annotations

from ..nodes import sql
from .types import TEXT, TEXTS, cast

__all__ = [
    "AMONG", "any_of", "as_one_text", "has_field", "held_text", "json_field", "json_length", "json_text",
    "of_json", "one_of_list", "size_of_list", "text_list",
]  # fmt: skip

AMONG = "list_contains("
"""How a call begins that asks whether a list, its first argument, holds the second."""


def text_list(values: str) -> str:
    """A bound list, as one of texts even if nothing is in it."""
    # An empty list has no type of its own.
    return cast(values, TEXTS)


def held_text(held: str, value: str) -> str:
    """Whether a value is among those of a list, compared as texts."""
    return sql(f"({AMONG}{{}}, {{}}))", cast(held, TEXTS), cast(value, TEXT))


def any_of(values: str) -> str:
    """The right side of a comparison with any of a bound list of values."""
    return sql("ANY({})", values)


def one_of_list(held: str, place: int) -> str:
    """One of a list as a text, the first by 1; NULL where there are fewer."""
    return cast(sql(f"list_extract({{}}, {place})", held), TEXT)


def size_of_list(held: str) -> str:
    return sql("len({})", held)


def as_one_text(held: str, between: str) -> str:
    return sql("array_to_string({}, {})", cast(held, TEXTS), between)


# --- JSON -------------------------------------------------------------------------------------------------------


def of_json(text: str, taken: str) -> str:
    """What is taken of a text that is JSON; NULL where it is none."""
    # DuckDB fails on a text that is no JSON, whichever row it is in.
    return sql("(CASE WHEN json_valid({}) THEN {} END)", text, taken)


def json_field(text: str, path: str) -> str:
    """A piece of JSON as the text it is written as."""
    return cast(sql("json_extract({}, {})", text, path), TEXT)


def json_text(text: str, path: str) -> str:
    """The text that a field holds."""
    return sql("json_extract_string({}, {})", text, path)


def has_field(text: str, path: str) -> str:
    return sql("json_exists({}, {})", text, path)


def json_length(text: str, path: str) -> str:
    return sql("json_array_length({}, {})", text, path)
