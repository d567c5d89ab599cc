"""A list cut into its pieces: the rows, what is shown of them, and the order that it is asked for in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .... import patterns as re
from ....records import dataclass
from .frames import Framed
from .orders import Sorting, sorting_at_end

__all__ = ["Asked", "ways_to_cut"]

_BESIDE = re.compile(
    r"(?:,?\s+(?:(?:along |together )?with|w/|showing|including|incl\.?|plus|and)|\s*:|\s+[-–]|"
    r",(?= [^,]+(?:,| and )))\s+"
    r"(?:(?:please |pls )?(?:show|give|list|tell)(?: me| us)?\s+)?"
    r"(?P<own>(?:also )?(?:(?:their|its|the|his or her|his|her)\s+|(?=(?:when|where|what|who|how|which)\b)))?",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(r"^(?:(?:which|what|who)(?:'s|s| is| are| was| were)|which|what)\s+", re.IGNORECASE)
_LOOKED_UP = re.compile(
    r"^(?:(?P<how>when|where|what|which [a-z]+|how (?:long|heavy|big|large|tall|far|fast|much))"
    r"|how many (?P<unit>[a-z]+)) (?:did|does|do|was|were|is|are|has) "
    r"(?P<core>.+?)(?: (?P<verb>[a-z]+)(?: (?:to|at|in|from|for|on|over))?)?$",
    re.IGNORECASE,
)
_OF = re.compile(r"\s+(?P<word>of|for|from)\s+", re.IGNORECASE)
_EACH = re.compile(r"^(?:(?:all|every|each|the|our|my|those|any|of)\s+)*", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?P<out>except|except for|excluding|but not|without)(?: for)? (?:those|the ones|the one)\b", re.IGNORECASE
)
_ALL_BUT = re.compile(r"^(?P<all>(?:all|every|any|every\w+)\b[\w\s]*?) but (?!not |only |just )", re.IGNORECASE)
_NO_LIST = re.compile(
    r"^(?:but|except|only|just|and|or|also|same|what about)\b|"
    r"\b(?:how (?:many|much|often)|number of|average|mean|median|total|sum|percentage|percent|share|most|fewest|top|"
    r"per|trend|chart|plot|graph|histogram|compare|versus|vs|why|also|same|them|those|these|it|its|their|"
    r"first|last \d+|latest|second|third)\b",
    re.IGNORECASE,
)
_PLEASE = re.compile(r"\s+(?:pls|plz|please)(?=\s*[-–:,])", re.IGNORECASE)
_PIECES = 4  # behind the rows
_AHEAD, _BEHIND = 9, 12  # words that name columns, before the rows and behind them


@dataclass(frozen=True, slots=True)
class Asked:
    """The pieces of a list; ``joint``: the word between columns that are named first, and the rows; ``single``: of one
    row, by its name; ``unit``: the one number of it that is kept in that; ``heads``: columns stand behind a colon.
    """

    core: str
    beside: tuple[str, ...] = ()
    sorting: Sorting | None = None
    joint: str = ""
    unit: str = ""
    single: bool = False
    heads: bool = False


def ways_to_cut(framed: Framed) -> Iterator[Asked]:
    """The ways to cut a question that may be a list, those with the most pieces first."""
    if (said := _LOOKED_UP.match(framed.text)) is not None:
        yield from _looked_up(said)
    text = _QUESTION_WORD.sub("", framed.text) if framed.asks else framed.text
    text = _PLEASE.sub("", text)
    text = _EXCEPT.sub(r"\g<out>", _ALL_BUT.sub(r"\g<all> except ", text))
    yield from _may_be(_cut(_EACH.sub("", text), framed.lists, ()))
    for place in list(_OF.finditer(text))[:2]:
        ahead, behind = text[: place.start()], _EACH.sub("", text[place.end() :])
        if len(ahead.split()) <= _AHEAD and not _NO_LIST.search(ahead):
            cut = (replace(one, beside=(ahead, *one.beside), joint=place["word"]) for one in _cut(behind, True, ()))
            yield from _may_be(cut)


def _looked_up(said: re.Match[str]) -> Iterator[Asked]:
    """What one row is asked for: *when did Ada Ash join*, *how many kilos does the Tern weigh*."""
    core, verb = _EACH.sub("", said["core"]), said["verb"] or ""
    if said["unit"]:
        yield Asked(core, unit=said["unit"], single=True)
    else:
        yield Asked(core, (f"{said['how']} {verb}",), single=True)
        yield Asked(f"{core} {verb}", (said["how"],), single=True)


def _may_be(ways: Iterator[Asked]) -> Iterator[Asked]:
    return (asked for asked in ways if asked.core and not _NO_LIST.search(asked.core))


def _cut(
    text: str, listing: bool, beside: tuple[str, ...], sorting: Sorting | None = None, depth: int = 0
) -> Iterator[Asked]:
    """A text with an order or columns taken off its end, again and again; last as it is."""
    if depth < _PIECES:
        listing = listing or bool(beside)
        found = sorting_at_end(text, listing=listing) if sorting is None else None
        if found is not None:
            yield from _cut(found.head, listing, beside, found, depth + 1)
        for place in _BESIDE.finditer(text):
            joined = place.group().strip(" ,").lower().startswith(("and", "plus"))
            tail = text[place.end() :]
            if place.start() and len(tail.split()) <= _BEHIND and not (joined and place["own"] is None):
                ways = _cut(text[: place.start()], listing, (tail, *beside), sorting, depth + 1)
                heads = place.group().strip()[:1] in (":", "-", "–", ",")
                yield from (replace(one, heads=True) for one in ways) if heads else ways
    yield Asked(text, beside, sorting)
