"""Two that are named, and which has more or by how much: ``is the delay longer from A or from B``, ``by how much is it
longer from A than from B``, ``revenue in May, members vs guests``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .... import patterns as re
from .lexicon import load_comparing
from .more_of import AT, more_of
from .said import Said

__all__ = ["of_two"]

_BE = r"(?:is|are|was|were)"
_LEFT = r"(?P<left>(?:the\s+)?\w.+?)"
_HOW_MUCH = r"(?:by\s+)?how\s+(?:much|many\s+\w+)"
_THAN = r"\s*,?\s+(?:than|compared\s+(?:to|with))\s+(?P<other>\w.*)"
_NUMBER = re.compile(
    r"\b(?:average|mean|median|typical|total|number|count|share|percentage|proportion|rate|maximum|minimum|highest"
    r"|lowest|sum|\w+\s+time|duration|price|cost|distance|delay|speed|temperature)\b",
    re.IGNORECASE,
)
"""Words for a number; what is compared holds one, and ``is the food cheaper with or without a card`` does not."""
_COMPARED = re.compile(
    r"^(?:compare|comparing|comparison of)\s+(?P<left>\w.*?)\s+"
    rf"(?P<one>(?:{AT}|of)\s+\w.*?)\s+(?:and|with|to)\s+(?P<other>\w.*)$",
    re.IGNORECASE,
)

_OF = re.compile(r"^of\s+(?:the\s+)?", re.IGNORECASE)
_OFTEN = re.compile(
    r"^(?:do|does|did|has|have|had|is|are|was|were)\s+(?P<one>\w[\w'.&-]*(?:\s+[\w'.&-]+){0,2}?)\s*,?\s+or\s+"
    r"(?P<other>\w[\w'.&-]*(?:\s+[\w'.&-]+){0,2}?)\s+(?P<deed>\w.+?)\s+(?P<so>(?:more|less)\s+(?:often|frequently))$",
    re.IGNORECASE,
)


@cache
def _again() -> re.Pattern[str]:
    """``is the mean distance of cancelled flights shorter than the mean distance of those that flew``."""
    return re.compile(
        rf"^{_BE}\s+(?:the\s+)?(?P<left>\w.*?)\s+of\s+(?P<one>\w.*?)\s+(?P<so>{load_comparing().comparative})"
        r"\s+than\s+(?:the\s+)?(?P<again>\w.*?)\s+of\s+(?P<other>\w.*)$",
        re.IGNORECASE,
    )


@cache
def _frames() -> tuple[re.Pattern[str], ...]:
    so = load_comparing().comparative
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"^{_BE}\s+{_LEFT}\s+(?P<so>{so})\s+(?P<one>{AT}\s+\w.*?)\s*,?\s+or\s+(?P<other>\w.*)$",
            rf"^{_HOW_MUCH}\s+{_BE}\s+{_LEFT}\s+(?P<so>{so})\s+(?P<one>(?!than\b)\w.*?){_THAN}$",
            rf"^{_HOW_MUCH}\s+{_BE}\s+(?P<left>\w.*)\s+(?P<one>{AT}\s+\w.*?)\s+(?P<so>{so}){_THAN}$",
            rf"^{_HOW_MUCH}\s+(?P<so>{so})\s+{_BE}\s+(?P<left>\w.*)\s+(?P<one>{AT}\s+\w.*?){_THAN}$",
        )
    )


def of_two(text: str) -> Iterator[Said]:
    """The ways to take a question about two apart."""
    for frame in _frames():
        found = frame.match(text)
        if found is not None and _NUMBER.search(found["left"]):
            yield Said("", _bare(found["left"]), "", found["one"], found["other"], of_two=True)
    yield from more_of(text)
    often = _OFTEN.match(text)
    if often is not None:
        yield Said(often["so"], often["deed"], "", often["one"], often["other"], of_two=True)
    again = _again().match(text)
    if again is not None and again["again"].lower() in ("that", "those", again["left"].lower()):
        yield Said(again["so"], again["left"], "", again["one"], again["other"], "whether")
    both = _COMPARED.match(text)
    if both is not None:
        yield Said("", _bare(both["left"]), "", _OF.sub("", both["one"]), both["other"])
    against = load_comparing().against.match(text)
    head, comma, one = against["one"].rpartition(",") if against is not None else ("", "", "")
    if against is not None and comma and head.strip() and one.strip():
        yield Said("", _bare(head.strip()), "", one.strip(), against["other"], of_two=True)


def _bare(words: str) -> str:
    return re.sub(r"^the\s+", "", words, flags=re.IGNORECASE)
