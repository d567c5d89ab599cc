"""Summaries: of a table, of one day, of what is followed over time."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from ..... import patterns as re
from ...plans.plan import Plan
from ...schema.metadata import Metadata
from ...words.text import tokenize
from ..journeys_asked import journey_of
from ..overview import overview
from ..periods import one_period
from ..subject import main_number
from .analysis import Analysis, Reader, about
from .words import counts_rows, without

__all__ = ["followed", "of_a_day", "summarised"]

_HAPPENED = re.compile(
    r"^\W*(?:so |and )?what(?:['’]?s)? (?:was )?happen(?:ed|ing)? (?P<when>on .+?)\W*$", re.IGNORECASE
)
_SUMMARY = re.compile(
    r"^\s*(please\s+|can you\s+)?(summari[sz]e|(give me |show me )?(an? |the )?(quick |short |brief )?"
    r"(summary|overview)( of|\s*[?.!]?\s*$)|describe|(what can you |can you )?tell me (something )?about"
    r"|what (do|can) (you|we) (know|say) about)",
    re.IGNORECASE,
)


def of_a_day(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader
) -> Analysis | None:
    """``what happened on 8 February``: what the rows of that day say, since the day before is no measure of it."""
    said = _HAPPENED.match(question)
    tokens = tokenize(said["when"]) if said is not None else []
    found = one_period(tokens, now, year, fiscal) if tokens else None
    facts = next((name for name in metadata.catalog.relations if metadata.times([name])), None)
    if said is None or found is None or facts is None:
        return None
    (period, (first, last)), fact = found, metadata.main_facts() or facts
    words = metadata.relation(fact).title.lower()
    whole = last == len(tokens) and all(token.lower in ("on", "the") for token in tokens[:first])
    return (
        summarised(f"summarize {words} {said['when']}", metadata, read)
        if whole and period.high - period.low == timedelta(days=1)
        else None
    )


def followed(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    """``retention of customers``, ``funnel from view to purchase``: what rows are events of, followed over time."""
    found = journey_of(question, metadata, read)
    return about(found.plan, metadata, found.words, found.recipe) if found is not None else None


def summarised(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    if not _SUMMARY.match(question):
        return None
    rest = without(_SUMMARY, question)
    bare = re.sub(r"^(the|all|our|my)\b|\b(table|data|dataset)\b\s*$", " ", rest, flags=re.IGNORECASE).strip()
    plan = read(f"how many {bare}") or read(bare) if bare else None
    main = main_number(metadata)
    if plan is None and main is not None:  # "summary of 2025": a period says no rows of its own
        words = " ".join(metadata.words_of(main.scope[0]))
        plan = read(f"how many {words} in {bare}") if bare else Plan(main.scope)
    if main is not None and (plan is None or not _is_of_rows(plan, metadata)) and any(map(str.isdigit, bare)):
        # "plane N14": of what it did, where the words alone are only its name
        plan = read(f"how many {' '.join(metadata.words_of(main.scope[0]))} for {bare}")
    if plan is None or not _is_of_rows(plan, metadata):
        return None
    if plan.conditions and (facts := metadata.facts_of(plan.scope[0])) is not None:  # of one thing: what its rows say
        plan = plan.with_(scope=metadata.scope([facts, *plan.scope], prefer=[facts]) or plan.scope, measures=())
    return Analysis(plan, f"A summary of {bare or 'the data'}", partial(overview, plan, metadata))  # it says so itself


def _is_of_rows(plan: Plan, metadata: Metadata) -> bool:
    """Whether it says which rows are meant, and no more."""
    return not plan.dimensions and plan.limit is None and all(counts_rows(m, metadata) for m in plan.measures)
