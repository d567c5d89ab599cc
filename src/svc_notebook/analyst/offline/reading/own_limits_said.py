"""``events over budget``: those that cost more than they were to; ``rooms on the second floor``: where the floor is 2;
``total spend`` of a column ``spent``.
"""

from __future__ import annotations

from ..calendar.units import UNITS
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular, stem

__all__ = ["in_own_columns"]

_OVER = said_so(
    r"\b(?P<rows>[a-z]+)(?: (?:that|which|who))?(?: (?:are|is|were|was|went|go|goes|came|ran|run))? ",
    r"(?P<way>over|above|under|below|within|beyond) (?:the |their |its )?(?P<limit>budget|target|plan|quota|estimate",
    r"|capacity|limit|allowance|goal)\b(?! (?:of|than|by \d|\d))",
)
_ACTUAL = frozenset(
    "spent actual used cost spend expense final achieved sold reached people attendance attendee guest passenger "
    "occupied".split()
)
_SIGNS = {"over": "above", "above": "above", "beyond": "above", "within": "no more than"}
_NOT_MORE = said_so(r"\bnot (?P<more>more|less|fewer) than\b(?= [a-z])")
_NTH = said_so(r"\b(?P<at>on|of|in|at) the (?P<nth>first|second|third|fourth|fifth|sixth) (?P<noun>[a-z]+)\b")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_FEW = 40  # floors there are at most
_SPEND = said_so(
    r"(?P<before>^|\b(?!(?:we|they|you|i|to|do|does|did|who|people|that)\b)[a-z]+ )spend(?:ing)?\b",
    r"(?! (?:on|more|less)\b)",
)
_FOLDED = said_so(
    r"\b(?:total|overall|average|avg|mean|median|highest|lowest|biggest|largest|smallest|least|most|max|min",
    r"|maximum|minimum)\b",
)


def in_own_columns(question: str, metadata: Metadata) -> str:
    """The question in the words that columns of the rows have for it."""
    question = _NOT_MORE.sub(r"no \g<more> than", question)
    return _spent(_nth(_over(question, metadata), metadata), metadata)


def _over(question: str, metadata: Metadata) -> str:
    said = _OVER.search(question)
    rows = metadata.kind_names.rows.get(stem(singular(said["rows"].lower())), ()) if said is not None else ()
    if said is None or len(rows) != 1:
        return question
    own = [metadata.parts(path) for path in metadata.number_names.paths if path.split(".", 1)[0] == rows[0]]
    limits = [parts for parts in own if said["limit"].lower() in parts]
    actual = [parts for parts in own if parts not in limits and _ACTUAL & {singular(part) for part in parts}]
    if len(limits) != 1 or len(actual) != 1:
        return question
    way = _SIGNS.get(said["way"].lower(), "below")
    put = f"{said['rows']} with {' '.join(actual[0])} {way} {' '.join(limits[0])}"
    return f"{question[: said.start()]}{put}{question[said.end() :]}"


def _nth(question: str, metadata: Metadata) -> str:
    said = _NTH.search(question)
    noun = said["noun"].lower() if said is not None else ""
    if said is None or noun in UNITS or metadata.kind_names.are_rows(noun):
        return question
    paths = [p for p in metadata.number_names.called.get((stem(noun),), ()) if not metadata.is_key(p)]
    if len(paths) != 1 or metadata.profile(paths[0]).distinct > _FEW:
        return question
    number = _ORDINALS.index(said["nth"].lower()) + 1
    return f"{question[: said.start()]}{said['at']} {noun} {number}{question[said.end() :]}"


def _spent(question: str, metadata: Metadata) -> str:
    """What is called *spent* there, where nothing is called spend."""
    names = metadata.number_names.paths
    if "spend" in metadata.vocabulary or not any("spent" in metadata.parts(path) for path in names):
        return question
    folded = "" if _FOLDED.search(question) else "total "
    return _SPEND.sub(rf"\g<before>{folded}spent", question, count=1)
