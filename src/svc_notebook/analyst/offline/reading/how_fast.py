"""How fast something is done: *how fast do we reply*, *which agent closes tickets fastest*, *who pays slowest*."""

from __future__ import annotations

from .... import patterns as re
from ..linking.span_words import EXTREMES
from ..schema.metadata import Metadata
from ..schema.spans import Span
from ..turning.rules import said_so
from ..words.text import stem
from .time_of_deed import doer_of, ends_of, span_up_to

__all__ = ["how_fast"]

_QUICKLY = said_so(
    r"^\W*how (?:fast|quick|quickly|soon|slow|slowly) (?:do|does|did|are|were) (?:we|they|you|people) ",
    r"(?:usually |normally |typically )?(?P<deed>[a-z]{3,})(?: (?:to )?(?P<rows>[a-z]+))?(?= on average|\W*$)",
)
_MOST_SO = said_so(
    r"^\W*(?P<lead>who|(?:which|what) [\w -]+?) (?P<done>[a-z]{3,}(?: (?:to |the |their |our )?[a-z]+)?) (?:the )?",
    r"(?P<most>fastest|quickest|slowest|soonest)\b(?=\W*$| in | on | this | last | since )",
)
_ENDS = {**EXTREMES, "soonest": "lowest"}
_SMALL = frozenset({"to", "the", "their", "our"})
_BEING = frozenset({"is", "are", "was", "were"})


def how_fast(question: str, metadata: Metadata) -> str:
    """The question as one for the average time from the beginning of a row up to what a verb says."""
    said = _QUICKLY.match(question)
    if said is not None:
        span = _of_verb([said["deed"], *([said["rows"]] if said["rows"] else [])], metadata)
        return question if span is None else f"average {_between(span, metadata)}{question[said.end() :]}"
    said = _MOST_SO.match(question)
    return question if said is None else _most_so(said, metadata)


def _most_so(said: re.Match[str], metadata: Metadata) -> str:
    lead, words = said["lead"].split(), [word for word in said["done"].split() if word.lower() not in _SMALL]
    span = _of_verb(words, metadata)
    if span is None and len(words) > 1:  # "which support agent replies fastest": the verb is the last word
        lead, span = [*lead, words[0]], _of_verb(words[1:], metadata)
    if span is None or lead[0].lower() != "who" and len(lead) < len(("which", "rows")):
        return said.string
    whose = lead if lead[0].lower() != "who" else doer_of(span, metadata)
    if not whose or _BEING & {word.lower() for word in whose}:
        return said.string
    end = _ENDS[said["most"].lower()]
    return f"{' '.join(whose)} has the {end} average {_between(span, metadata)}{said.string[said.end() :]}"


def _of_verb(words: list[str], metadata: Metadata) -> Span | None:
    """The time up to what a verb says, of the rows that are named behind it if any are."""
    span = span_up_to(words[0].lower(), metadata, whole=True) if words else None  # "who is the slowest": no verb
    rows = metadata.kind_names.rows.get(stem(words[1].lower()), ()) if words[1:] else ()
    return span if span is not None and (not words[1:] or span.start.relation in rows) else None


def _between(span: Span, metadata: Metadata) -> str:
    start, end = ends_of(span, metadata)
    return f"{span.unit}s from {start} to {end}"
