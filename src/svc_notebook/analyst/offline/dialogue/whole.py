"""Whether a turn is a whole sentence: what stands for something stands for what it names, and it says of what."""

from __future__ import annotations

from itertools import pairwise

from .... import patterns as re
from ..reading.reading import Reading
from ..schema.nouns import is_plural
from ..walk.segments import Item
from ..words.leads import LEAD
from ..words.text import singular

__all__ = ["asked_behind", "asks_of_them", "binds_itself", "is_list_of_its_own"]

_NAMING = frozenset(("name", "value", "quoted"))
_STANDS = re.compile(
    r"\b(?P<many>they|them|their|theirs)\b|\b(?:he|she|him|his|her|hers|its)\b|\bthere\W*$", re.IGNORECASE
)
_ASKS = re.compile(
    r"^\W*(?:(?:please|can you|could you|pls|ok|okay|so|i (?:need|want) to know|tell me|give me|show me|hey)[\s,]+)*"
    r"(?:how|what|which|who|whose|where|when|show|list|give|display|return|find|count|compare|are|is|do|does|did|has"
    r"|have|any|top|bottom|for)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;]|\b(?:and|or|but|who|whose|which|that|when|where|if|than|with|without|including|plus|no|nothing"
    r"|as well as|along with|by (?:what|how)"
    r"|(?:what|how many|how much|how often|how long)(?=\s+(?:\w+\s+)?(?:do|does|did|has|have|had)\b))\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"\b(?:do|does|did|have|has|had|are|is|were|was)\s+$", re.IGNORECASE)
_JOINING = re.compile(r"\W|by\b|and\b|than\b|if\b|with\b|without\b|including\b|plus\b", re.IGNORECASE)
"""Right before *they*; the other words there (*that*, *who*, *where*) are said of a noun before them."""
_ASKING = re.compile(r"\W*(?:how|what|when|where|which|who)\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\b(?:does|did|has|had|is|was)\s*$", re.IGNORECASE)
_DESCRIBED = frozenset(("name", "names", "id", "ids", "title", "titles", "code", "codes", "number", "numbers"))
_ASKED_OF_THEM = re.compile(
    LEAD + r"(?:which|what)\s+(?:kind\s+of\s+|type\s+of\s+)?\w+\s+"
    r"(?:are|do|did|were|have|had)\s+they\b",
    re.IGNORECASE,
)  # "which countries are they from": they are no countries
_BEHIND = re.compile(
    r"^\W*(?:by|per|for|in|with|without|from|to|on|at|since|until|before|after|during|between|above|below|over|under)\b"
    r"(?:\s+[\w'’-]+){1,5}?\s*,\s*"
    r"(?P<asked>(?:how (?:many|much|often|long)|what|which|who|where|when)\s+\S+\s+\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LISTED = re.compile(
    r"^\W*(?:(?:please|can you|could you|pls)\s+)*"
    r"(?:show|list|give|display|return|find|what are|which are)\s+(?:me\s+|us\s+)?"
    r"(?:all|every|(?:all\s+)?(?:the\s+)?(?:different|distinct|unique))\b",
    re.IGNORECASE,
)
_ROWS = re.compile(r"\b(?:of|for)\s+(?P<rows>\w+)$", re.IGNORECASE)
_RELATIVE = frozenset(("who", "whose", "that", "which", "that have", "who have"))


def asked_behind(text: str) -> str:
    """The question that stands behind what it is put under (``in total, how many …``), or none."""
    found = _BEHIND.match(text)
    return found["asked"] if found is not None else ""


def asks_of_them(text: str) -> bool:
    """Whether a turn asks of which kind *they* are: it says of nobody who they are."""
    return _ASKED_OF_THEM.match(text) is not None


def binds_itself(text: str, alone: Reading) -> bool:
    """Whether what stands for something stands for what the sentence names before it, in a clause before its own.

    ``any shelves with nothing on them``, ``top 10 members by what they paid``, ``towns and the counties they lie in``,
    but not ``how many rides do they have``. ``They`` are several of one kind; a value may be whoever ``his`` is.
    """
    stands = _STANDS.search(text)
    if stands is None or not (_ASKS.match(text) or _begins_with_rows(alone)) or _ASKED_OF_THEM.match(text):
        return False
    bound = _clause_of(text, stands.start())
    for item in alone.items:
        if item.kind not in _NAMING:
            continue
        start = alone.tokens[item.start].start
        if item.kind != "name" and (start < bound or start < stands.start() and _SUBJECT.search(text[:start])):
            return True
        if start < bound and (not stands["many"] or _is_of_many(item, alone)):
            return True
    return False


def _begins_with_rows(alone: Reading) -> bool:
    """Whether a turn's first word names several of one kind: ``planes with their seats``."""
    first = alone.items[0] if alone.items else None
    return first is not None and first.kind == "name" and first.start == 0 and _is_of_many(first, alone)


def _clause_of(text: str, end: int) -> int:
    """Where the clause begins that ends there; one that asks what ``they`` do begins with what asks it."""
    asked = _AUXILIARY.search(text[:end]) is not None
    ends = [one for one in _CLAUSE.finditer(text, 0, end) if text[one.end() : end].strip() or _JOINING.match(one[0])]
    if asked:
        asking = [one for one in ends if _ASKING.match(text, one.start()) or _ASKING.match(text, one.end())]
        return asking[-1].start() if asking else 0
    return ends[-1].start() if ends else 0


def _is_of_many(item: Item, alone: Reading) -> bool:
    """Whether a name is of several things of one kind, and of no number or column that describes them."""
    words = item.text.lower().split()
    last = words[-1] if len(words) == 1 or words[-1] not in _DESCRIBED else words[-2]  # "member names" are of members
    if not is_plural(words[-1]) or last in _DESCRIBED or alone.draft is None:
        return False
    known = alone.draft.metadata
    return any(one.member is None or known.is_category(one.member) for one in item.names)


def is_list_of_its_own(text: str, alone: Reading) -> bool:
    """Whether a sentence says whose columns it wants: all there are (``show all type codes``), of rows that it names
    without an article (``dates of trips``), or of those of which it says what they are (``the guide who left last``).
    """
    draft = alone.draft
    if draft is None or not _ASKS.match(text):
        return False
    items = [item for item in draft.items if not (item.kind == "cue" and item.text in ".?!")]
    named = [item for item in items if item.kind == "name"]
    if _LISTED.match(text) and len(named) == 1 and items[-1] is named[0] and is_plural(named[0].text):
        return True
    rows = {singular(draft.metadata.words_of(name)[-1]) for name in draft.metadata.catalog.relations}
    of = [found["rows"].lower() for item in named if (found := _ROWS.search(item.text)) is not None]
    if any(is_plural(one) and singular(one) in rows for one in of):
        return True
    return any(
        one.kind == "name" and two.kind == "cue" and two.text.lower() in _RELATIVE for one, two in pairwise(items[:-1])
    )
