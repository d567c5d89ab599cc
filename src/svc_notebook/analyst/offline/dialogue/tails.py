"""What a turn says besides what it asks: an order at its end (``by store, biggest first``), ``one line per shop``."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ...base import PastTurn, Turn
from ..forms import to_sql
from ..schema.metadata import Metadata
from .editing import Unfit
from .hearing import Heard, hear
from .lexicon import load_discourse
from .outcome import Between, Followed, Unmet
from .wishes import wished

__all__ = [
    "as_answered", "content", "in_turn", "returned_and_more", "sorted_too", "then_sorted", "undone_and_more",
]  # fmt: skip

_ORDERS = ("ascending", "descending", "best_first", "worst_first", "alphabetical")
_LONGEST_ORDER = 6  # words
_PLAIN = re.compile(r"(?:desc|asc|descending|ascending|alphabetically)\b", re.IGNORECASE)
_SORTS = re.compile(
    r"\b(?:sort|sorted|ordered|rank|ranked|arrange|arranged)\b|^\W*order\b", re.IGNORECASE
)  # by what, too


def content(text: str) -> list[str]:
    """The words of a text that say more than that it goes on."""
    empty = load_discourse().empty
    return [word for word in re.findall(r"[\w%]+", text.lower()) if word not in empty and len(word) > 1]


def returned_and_more(heard: Heard) -> tuple[Heard, str]:
    """``back to those ten, I need their addresses``: where it goes back to, and what is asked there."""
    there, comma, more = heard.rest.partition(",")
    if not comma or not content(there) or len(content(more)) < 1:
        return heard, ""
    return replace(heard, rest=there), more.strip()


_NO = re.compile(r"^\W*(?:(?:no|nope|sorry|ok|okay|wait|hm+|actually)\b[\s,;–-]*)+", re.IGNORECASE)
_FIRST_PART = re.compile(r"^(?P<undo>[^,;:–]{4,40}?)\s*[,;:–]\s*(?P<more>\S.*)$")


def undone_and_more(text: str) -> str:
    """What is said behind ``no, undo that, …``: an edit of what was there before; empty where it is no such turn."""
    said = _FIRST_PART.match(_NO.sub("", text))
    if said is None or hear(said["undo"]).wants != "undo":
        return ""
    return said["more"]


def sorted_too(text: str) -> tuple[str, str] | None:
    """``by store, biggest first``: what is said before the order, and the order."""
    turns, words = load_discourse().turns, list(re.finditer(r"\S+", text))
    for word in words[1:][-_LONGEST_ORDER:]:
        head, tail = text[: word.start()].rstrip(" ,;–-"), text[word.start() :]
        want = next((name for name in _ORDERS if turns[name].find(tail)), "")
        told = " " in tail.strip() or _PLAIN.match(tail)
        if want and told and content(head) and not (_SORTS.search(head) or hear(head).wants or hear(text).wants):
            return re.sub(r"\W+and$", "", head), want
    return None


_BREAK = re.compile(r"\s*(?:[,;]\s*(?:and\s+)?|\s+(?:and then|then)\s+)")


_FEW = re.compile(
    r"^\W*(?:(?:just|only|the|show|and|me|but)\s+)*(?:top|first|bottom|best|worst)\s+(?:\d+|two|three|four|five|six|seven|eight"
    r"|nine|ten)\W*$",
    re.IGNORECASE,
)


def in_turn(text: str) -> tuple[str, str] | None:
    """Two edits said in one breath, each of which says what is done: ``only Hill, split by agent``; else None."""
    said = _BREAK.search(text)
    if said is None or _BREAK.search(text, said.end()) is not None:
        return None
    first, then = text[: said.start()], text[said.end() :]
    one, other = hear(first), hear(then)
    acts, others = set(one.acts) - {"lead", "and"}, set(other.acts) - {"lead", "and"}
    if not content(one.rest) or not (content(other.rest) or other.wants) or acts & {"correct", "compare", "back"}:
        return None
    few = _FEW.match(then) is not None
    if not (acts or one.is_group) or not (others or other.is_group or other.wants or few) or one.wants:
        return None
    if one.is_group and other.is_group or one.points or other.points or others & {"correct", "instead", "compare"}:
        return None
    if then.lower().startswith("not "):
        return None  # "by month, not week": the one in the place of the other
    return (first, then) if acts != others or other.is_group or few else None


def as_answered(turn: Turn, made: Followed) -> PastTurn:
    """The first of two edits, as if it had been answered."""
    return PastTurn(turn.question, memory={"reading": to_sql(made.form), "chart": made.chart, "sure": made.sure})


def then_sorted(made: Followed | Unmet | Between, want: str, metadata: Metadata) -> Followed | Unmet | Between:
    """An edit with what was wished of it besides."""
    try:
        if isinstance(made, Followed) and not made.claim:
            form = wished(want, made.form, metadata)
            return replace(made, form=form) if form is not None else made
        if isinstance(made, Between):
            forms = [wished(want, form, metadata) for form in made.forms]
            return replace(made, forms=tuple(form for form in forms if form is not None))
    except Unfit as reason:
        return Unmet(str(reason))
    return made
