"""Texts: joined, cut, compared, and matched by patterns."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "concat", "concat_ws", "in_lower_case", "matched", "matched_part", "matches_wholly", "padded", "part_of_match",
    "replaced", "replaced_matches", "substring", "text_test", "translated", "trimmed",
]  # fmt: skip

_TESTS = {"contains": "contains", "startsWith": "starts_with", "endsWith": "ends_with"}
_SIDES = {"LEADING": "ltrim", "TRAILING": "rtrim"}


def concat(parts: Sequence[str]) -> str:
    """Texts joined; a NULL among them is nothing."""
    return f"concat({', '.join(parts)})"


def concat_ws(parts: Sequence[str]) -> str:
    """Texts joined by the first of them."""
    return f"concat_ws({', '.join(parts)})"


def replaced(text: str, old: str, new: str) -> str:
    return f"replace({text}, {old}, {new})"


def substring(parts: Sequence[str]) -> str:
    """A text from a place on, and no longer than the third part says."""
    return f"substring({', '.join(parts)})"


def trimmed(parts: Sequence[str], side: str) -> str:
    """A text without blanks, or the characters of the second part, at its ends or one of them."""
    return f"{_SIDES.get(side, 'trim')}({', '.join(parts)})"


def padded(text: str, size: int, fill: str, *, left: bool) -> str:
    return f"{'lpad' if left else 'rpad'}({text}, {size}, {fill})"


def translated(parts: Sequence[str]) -> str:
    return f"translate({', '.join(parts)})"


def in_lower_case(text: str) -> str:
    return f"lower({text})"


def text_test(name: str, text: str, part: str) -> str:
    """``contains``, ``startsWith`` or ``endsWith``, whatever the case of the letters."""
    return f"{_TESTS[name]}({in_lower_case(text)}, {in_lower_case(part)})"


# --- patterns ---------------------------------------------------------------------------------------------------


def matches_wholly(text: str, form: str) -> str:
    """Whether the whole of a text is of a form, line breaks counted as characters."""
    return f"regexp_full_match({text}, {form}, 's')"


def part_of_match(text: str, form: str, group: int | None = None) -> str:
    """What a form matches of a text, or a group of that; empty without a match."""
    return f"regexp_extract({text}, {form})" if group is None else f"regexp_extract({text}, {form}, {group})"


def matched(text: str, form: str) -> str:
    """Whether a form matches anything of a text."""
    return f"regexp_matches({text}, {form})"


def matched_part(text: str, form: str, group: int | None = None) -> str:
    """The same as :func:`part_of_match`; NULL without a match."""
    return f"(CASE WHEN {matched(text, form)} THEN {part_of_match(text, form, group)} END)"


def replaced_matches(text: str, form: str, new: str, flags: str) -> str:
    option = f", '{flags}'" if flags else ""
    return f"regexp_replace({text}, {form}, {new}{option})"
