"""How long something took by what was done: *average delivery time* is of days from order to delivery."""

from __future__ import annotations

from .... import patterns as re
from ..linking.ends import End, end_at, spans_to
from ..linking.span_words import EXTREMES
from ..schema.metadata import Metadata
from ..schema.spans import Span
from ..turning.rules import said_so
from ..words.text import stem, tokenize

__all__ = ["time_of_deed"]

_TIME = said_so(
    r"\b(?:(?P<fold>average|avg|mean|typical|median|longest|shortest|slowest|fastest|quickest|maximum|minimum|max|min)"
    r" )?"
    r"(?P<deed>[a-z]{4,}) (?:times?|duration)\b(?! (?:of (?:day|the day)|zone|slot)s?\b)"
    r"(?:,? in (?P<unit>minutes|hours|days|weeks))?"
)
_BOUNDED = said_so(
    r"\b(?:(?:that |which )?(?:had|have|has)|with|having|whose|where) (?:an? |the )?",
    r"(?P<deed>[a-z]{4,}) time(?: is| was)? ",
    r"(?P<bound>(?:of )?(?:over|above|under|below|(?:more|less|longer|shorter) than|at least|at most|within)) ",
    r"(?P<size>[\w.]+ (?:minutes?|hours?|days?|weeks?))",
)
_CLOCKED = frozenset(
    "arrival departure start starting end begin check pickup opening closing close birth order first last this that "
    "same each every long many what which full part real some most more best free date over between down".split()
)
"""Before *time*, what happens at a time of the clock, and words that are no deed."""
_WHICH = said_so(r"^\W*(?:which|what|whose) (?!is |are |was |were )")


def time_of_deed(question: str, metadata: Metadata) -> str:
    """A question for the time that something took, as one for the time between two times of a row."""
    question = _BOUNDED.sub(lambda said: _bounded(said, metadata), question)
    for said in _TIME.finditer(question):
        span = _span(said["deed"].lower(), metadata)
        if span is None:
            continue
        fold, unit = (said["fold"] or "average").lower(), said["unit"] or f"{span.unit}s"
        if fold in EXTREMES:  # of groups it is that of their averages
            fold = f"{EXTREMES[fold]} average" if _WHICH.match(question) else EXTREMES[fold]
        ends = _ends(span, metadata)
        return f"{question[: said.start()]}{fold} {unit} from {ends[0]} to {ends[1]}{question[said.end() :]}"
    return question


def _bounded(said: re.Match[str], metadata: Metadata) -> str:
    """``with a delivery time over 10 days``: delivered so long after the beginning."""
    span = _span(said["deed"].lower(), metadata)
    if span is None:
        return said[0]
    start, end = _ends(span, metadata)
    return f"{end} {said['bound'].lower().removeprefix('of ')} {said['size']} after {start}"


def _ends(span: Span, metadata: Metadata) -> list[str]:
    """What both ends are called, as the model does."""
    return [" ".join(metadata.parts(path)) for path in span.members]


def _span(deed: str, metadata: Metadata) -> Span | None:
    """The one time up to what was done, from the beginning of its row; none that the model has as a number."""
    if deed in _CLOCKED or _is_known(deed, metadata):
        return None
    tokens = tokenize(deed)
    end = end_at(tokens, 0, metadata)
    done = _ended(end) if end is not None else None
    spans = spans_to(done, None, metadata) if done is not None else []
    return spans[0] if len(spans) == 1 else None


def _ended(end: End) -> End | None:
    """An end by the one time that a word names itself."""
    own = tuple(phase for phase in end.phases if not phase.rows and not phase.moment.event)
    best = tuple(phase for phase in own if phase.quality == own[0].quality)
    return End(best, end.stop, end.gone, end.fold) if len(best) == 1 else None


def _is_known(deed: str, metadata: Metadata) -> bool:
    """Whether a number or a time of the model is called so: *delivery_time_minutes*, *delivery_time*."""
    words = {stem(deed), stem("time")}
    return any(words <= {stem(part) for part in metadata.parts(path)} for path in metadata.members)
