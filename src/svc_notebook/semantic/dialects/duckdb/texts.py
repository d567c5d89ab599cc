"""Texts: joined, cut, compared, and matched by patterns."""

from __future__ import annotations

from collections.abc import Sequence

from ..nodes import among, sql

__all__ = [
    "concat", "concat_ws", "in_lower_case", "matched", "matched_part", "matches_wholly", "padded", "part_of_match",
    "replaced", "replaced_matches", "substring", "text_test", "translated", "trimmed",
]  # fmt: skip

_TESTS = {"contains": "contains", "startsWith": "starts_with", "endsWith": "ends_with"}
_SIDES = {"LEADING": "ltrim", "TRAILING": "rtrim"}


def concat(parts: Sequence[str]) -> str:
    """Texts joined; a NULL among them is nothing."""
    return among("concat({})", parts)


def concat_ws(parts: Sequence[str]) -> str:
    """Texts joined by the first of them."""
    return among("concat_ws({})", parts)


def replaced(text: str, old: str, new: str) -> str:
    return sql("replace({}, {}, {})", text, old, new)


def substring(parts: Sequence[str]) -> str:
    """A text from a place on, and no longer than the third part says."""
    return among("substring({})", parts)


def trimmed(parts: Sequence[str], side: str) -> str:
    """A text without blanks, or the characters of the second part, at its ends or one of them."""
    return among(_SIDES.get(side, "trim") + "({})", parts)


def padded(text: str, size: int, fill: str, *, left: bool) -> str:
    return sql(f"{'lpad' if left else 'rpad'}({{}}, {size}, {{}})", text, fill)


def translated(parts: Sequence[str]) -> str:
    return among("translate({})", parts)


def in_lower_case(text: str) -> str:
    return sql("lower({})", text)


def text_test(name: str, text: str, part: str) -> str:
    """``contains``, ``startsWith`` or ``endsWith``, whatever the case of the letters."""
    return sql(_TESTS[name] + "({}, {})", in_lower_case(text), in_lower_case(part))


# --- patterns ---------------------------------------------------------------------------------------------------


def matches_wholly(text: str, form: str) -> str:
    """Whether the whole of a text is of a form, line breaks counted as characters."""
    # 's': the dot is every character, as % is.
    return sql("regexp_full_match({}, {}, 's')", text, form)


def part_of_match(text: str, form: str, group: int | None = None) -> str:
    """What a form matches of a text, or a group of that; empty without a match."""
    return sql("regexp_extract({}, {})" if group is None else f"regexp_extract({{}}, {{}}, {group})", text, form)


def matched(text: str, form: str) -> str:
    """Whether a form matches anything of a text."""
    return sql("regexp_matches({}, {})", text, form)


def matched_part(text: str, form: str, group: int | None = None) -> str:
    """The same as :func:`part_of_match`; NULL without a match."""
    # regexp_extract is '' without a match, where PostgreSQL is NULL.
    return sql("(CASE WHEN {} THEN {} END)", matched(text, form), part_of_match(text, form, group))


def replaced_matches(text: str, form: str, new: str, flags: str) -> str:
    option = f", '{flags}'" if flags else ""
    return sql(f"regexp_replace({{}}, {{}}, {{}}{option})", text, form, new)
