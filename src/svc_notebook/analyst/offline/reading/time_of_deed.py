"""How long something took by what was done: *average delivery time* is of days from order to delivery."""

from __future__ import annotations

from .... import patterns as re
from ..linking.ends import End, end_at, spans_to
from ..linking.span_words import EXTREMES
from ..schema.metadata import Metadata
from ..schema.spans import Span
from ..turning.rules import said_so
from ..words.text import stem, tokenize

__all__ = ["doer_of", "ends_of", "span_up_to", "time_of_deed"]

_TIME = said_so(
    r"\b(?:(?P<fold>average|avg|mean|typical|median|longest|shortest|slowest|fastest|quickest|maximum|minimum|max|min"
    r"|best|worst) )?(?P<order>(?:first|initial|last|final) )?"
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
_WHICH = said_so(r"^\W*(?:which|what|whose|who) (?!is |are |was |were )")
_WHO = said_so(r"^\W*who (?=(?:has|had|have) the $)")
_FOLDS = {**EXTREMES, "best": "lowest", "worst": "highest"}  # of how long something takes


def time_of_deed(question: str, metadata: Metadata) -> str:
    """A question for the time that something took, as one for the time between two times of a row."""
    question = _BOUNDED.sub(lambda said: _bounded(said, metadata), question)
    for said in _TIME.finditer(question):
        deed = said["deed"].lower()
        span = span_up_to(deed, metadata) if deed not in _CLOCKED else None
        if span is None:
            continue
        fold, unit = (said["fold"] or "average").lower(), said["unit"] or f"{span.unit}s"
        if fold in _FOLDS:  # of groups it is that of their averages
            fold = f"{_FOLDS[fold]} average" if _WHICH.match(question) else _FOLDS[fold]
        ends = ends_of(span, metadata)
        order = said["order"] or ""
        # The first reply may be what the model calls it, or the first of several.
        kept = "" if order.lower().strip() in ends[1].split() else order
        before = _WHO.sub(f"{' '.join(doer_of(span, metadata)) or 'who'} ", question[: said.start()])
        return f"{before}{kept}{fold} {unit} from {ends[0]} to {ends[1]}{question[said.end() :]}"
    return question


def _bounded(said: re.Match[str], metadata: Metadata) -> str:
    """``with a delivery time over 10 days``: delivered so long after the beginning."""
    deed = said["deed"].lower()
    span = span_up_to(deed, metadata) if deed not in _CLOCKED else None
    if span is None:
        return said[0]
    start, end = ends_of(span, metadata)
    return f"{end} {said['bound'].lower().removeprefix('of ')} {said['size']} after {start}"


def ends_of(span: Span, metadata: Metadata) -> list[str]:
    """What both ends are called, as the model does."""
    return [" ".join(metadata.parts(path)) for path in span.members]


def span_up_to(deed: str, metadata: Metadata, *, whole: bool = False) -> Span | None:
    """The one time up to what was done, from the beginning of its row; none that the model has as a number. ``whole``:
    from the beginning even where something else comes between.
    """
    if _is_known(deed, metadata):
        return None
    tokens = tokenize(deed)
    end = end_at(tokens, 0, metadata)
    done = _ended(end) if end is not None else None
    spans = spans_to(done, None, metadata) if done is not None else []
    return spans[0] if len(spans) == 1 or whole and spans else None


def _ended(end: End) -> End | None:
    """An end by the one time that a word names itself."""
    own = tuple(phase for phase in end.phases if not phase.rows and not phase.moment.event)
    best = tuple(phase for phase in own if phase.quality == own[0].quality)
    return End(best, end.stop, end.gone, end.fold) if len(best) == 1 else None


def _is_known(deed: str, metadata: Metadata) -> bool:
    """Whether a number or a time of the model is called so: *delivery_time_minutes*, *delivery_time*."""
    words = {stem(deed), stem("time")}
    return any(words <= {stem(part) for part in metadata.parts(path)} for path in metadata.members)


def doer_of(span: Span, metadata: Metadata) -> list[str]:
    """Who does it: those whom a column of the rows names, or the one kind of others that the rows belong to."""
    rows = span.start.relation
    named = [column.path for column in metadata.person_columns if column.relation == rows]
    if len(named) == 1:
        return ["which", *metadata.parts(named[0])]
    whose = [other for other in metadata.edges.get(rows, ()) if metadata.leads_to(rows, other)] if not named else []
    return ["which", *metadata.words_of(whose[0])] if len(whose) == 1 else []
