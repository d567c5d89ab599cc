"""Question in, plan out: segments, resolution, walk, assembly, confidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ....records import dataclass
from ..assembly.as_listed import as_listed
from ..assembly.assemble import assemble
from ..assembly.both_had import both_had
from ..assembly.bounded_each import bounded_each
from ..assembly.most_kinds import by_most_kinds
from ..assembly.of_all_times import without_months
from ..assembly.of_each_row import of_each_row
from ..budget import Budget
from ..checks.coverage import left_out, stranded
from ..checks.leftover import unknown_words
from ..checks.refuted import is_refuted, ranked_by_itself
from ..checks.second_number import is_second_number_lost
from ..checks.unknown import missed_words
from ..plans.plan import Plan
from ..schema.metadata import Metadata
from ..walk.draft import Draft
from ..walk.resolve import resolve
from ..walk.segments import Item, segment
from ..walk.walk import walk
from ..words.text import Token, singular
from ..words.thesaurus import FILLER
from .all_and_some import all_and_some
from .foreign import is_statement
from .near import near_plans, near_words
from .quotients import quotient
from .theirs import theirs_in, with_theirs

__all__ = ["ENOUGH", "MOST_WORDS", "Reading", "read"]

ENOUGH = 0.4
_BOTH = 2  # numbers
MOST_WORDS = 30  # of a question that is read in pieces, each of them by itself
_MISSED = 0.35  # at most as sure as this where the subject of a question was not understood


@dataclass(frozen=True)
class Reading:
    """What came of a question; ``plan`` is None when it could not be read, ``unread`` names the words that stood in
    the way. Of ``unread``, ``missed`` are those that stand for what was asked: nothing is answered in their place. What
    was read and has no place in the plan is ``lost``; ``sure`` is the confidence apart from that. ``unfit``: the plan
    cannot be what was asked, whoever makes it.
    """

    question: str
    tokens: Sequence[Token]
    items: Sequence[Item]
    draft: Draft | None
    plan: Plan | None
    unread: tuple[str, ...]
    missed: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    sure: float = 0.0
    unfit: bool = False


def read(
    question: str,
    metadata: Metadata,
    now: datetime,
    prefer: Sequence[str] = (),
    default_year: int | None = None,
    nearby: bool = True,
    fiscal: int | None = None,
    budget: Budget | None = None,
) -> Reading:
    """Read one question against a model; ``prefer`` are the relations of the turn before, ``nearby`` looks for other
    readings about as near, ``fiscal`` is the month a fiscal year begins in where the model does not say so.

    Raises
    ------
    ReadingTooLong
        If it takes more than ``budget`` (one of its own, where none is given).
    """
    budget = budget or Budget()
    tokens, items = segment(question, metadata, now, default_year, metadata.fiscal_start or fiscal or 1, budget)
    if is_statement(question):
        return Reading(question, tokens, items, None, None, ())

    def again(text: str) -> Reading:
        return read(text, metadata, now, prefer, default_year, nearby=False, budget=budget)

    divided = quotient(question, tokens, items, metadata, lambda text: again(text).plan)
    resolution = resolve(items, metadata, prefer, budget)
    if resolution is None:
        unknown = unknown_words(items)
        return Reading(question, tokens, items, None, None, unknown or _content(tokens), unknown)
    draft = walk(tokens, items, resolution, metadata, budget)
    plan = assemble(draft)
    if plan is not None:
        plan = bounded_each(of_each_row(plan, draft), draft)
        plan = both_had(plan, draft) or by_most_kinds(as_listed(without_months(plan, draft), draft), draft)
    theirs = theirs_in(question, metadata)
    if theirs is not None and (plan is None or not theirs.shown(_shown(plan))):
        plan = with_theirs(theirs, metadata, again)
        lost = () if plan is not None else theirs.words
        sure = plan.confidence if plan is not None else 0.0
        return Reading(question, tokens, items, draft, plan, lost, lost, lost, sure, plan is None)
    single = plan is None or len(plan.measures) < _BOTH or is_second_number_lost(plan, draft)
    single = single and len(tokens) <= MOST_WORDS
    both = all_and_some(question, metadata, again) if nearby and single else None
    if both is not None:
        chart = plan.chart if plan is not None else both.chart
        return Reading(question, tokens, items, draft, both.with_(chart=chart), (), sure=both.confidence)
    if divided is not None:
        chart = plan.chart if plan is not None else divided.chart
        return Reading(question, tokens, items, draft, divided.with_(chart=chart), ())
    if plan is None:
        return Reading(question, tokens, items, draft, None, tuple(dict.fromkeys(draft.unread)) or _content(tokens))
    told = _RATES if any(m.aggregate == "share_true" for m in plan.measures) else frozenset()  # "no-show rate"
    unread = tuple(word for word in dict.fromkeys(plan.unread) if word.lower() not in told)
    missed = tuple(dict.fromkeys((*missed_words(draft, plan), *stranded(draft, plan, unread))))
    missed = tuple(word for word in missed if word.lower() not in told)
    lost = left_out(draft, plan)
    unfit = bool(lost) or is_refuted(plan, draft)
    sure = _confidence(draft, unread, missed)
    plan = ranked_by_itself(plan).with_(unread=unread, confidence=min(sure, _MISSED) if unfit else sure)
    if nearby:
        plan = plan.with_(near=_near(plan, draft, now, default_year, budget))
    return Reading(question, tokens, items, draft, plan, unread, missed, lost, sure, unfit)


def _shown(plan: Plan) -> set[str]:
    return {
        *plan.columns,
        *(d.member for d in plan.dimensions if d.bin is None),
        *(m.member for m in plan.measures if m.member),
    }


_RATES = frozenset({"rate", "rates"})


def _near(plan: Plan, draft: Draft, now: datetime, year: int | None, budget: Budget) -> tuple[str, ...]:
    """Questions for the other readings, each of which is read as just that."""
    words = []
    for other in near_plans(plan, list(draft.items), draft.resolution, draft.metadata):
        question = near_words(other, draft.metadata)
        again = read(question, draft.metadata, now, (), year, nearby=False, budget=budget).plan
        if again is not None and _asks(again) == _asks(other):
            words.append(question)
    return tuple(words)


def _asks(plan: Plan) -> tuple[object, ...]:
    conditions = [(c.member, c.operator, c.values, c.part) for c in plan.conditions]
    return plan.measures, plan.dimensions, conditions, plan.limit, plan.order


def _confidence(draft: Draft, unread: Sequence[str], missed: Sequence[str]) -> float:
    """How much of what carries meaning was understood, and how surely."""
    understood = sum(1 for item in draft.items if item.kind in ("name", "value", "period", "grain", "number", "quoted"))
    doubtful = 1.0 - 0.15 * (draft.resolution.margin < 0.05)
    if draft.unmet:
        doubtful *= 0.35
    sure = doubtful * understood / max(1, understood + 1.2 * len(unread))
    return round(min(sure, _MISSED) if missed or _misses(draft, unread) else sure, 3)


def _misses(draft: Draft, unread: Sequence[str]) -> bool:
    """Whether what was left unread is what was asked for: the subject, or a number that nothing was compared with."""
    if not unread:
        return False
    if "comparison" in draft.doubts and any(word[:1].isdigit() for word in unread):
        return True
    named = [item for item in draft.items if item.kind in ("name", "grain", "quoted") or item.is_cue("count")]
    if not named:
        rows = len(unread) == 1 and singular(unread[0].lower()) != unread[0].lower()
        one = rows and len(draft.metadata.catalog.relations) == 1  # "cars from Italy" of one table of parking
        return not (one and any(item.kind == "value" for item in draft.items))
    unknown = set(unread)
    first = next(
        (item for item in draft.items if item.text in unknown or item.kind in ("name", "value", "grain")), None
    )
    leads = [
        item for item in draft.items if item.kind == "word" and item.text in unknown and item.start < named[0].start
    ]
    return first is not None and first.text in unknown and len(leads) >= 2


def _content(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(t.text for t in tokens if t.kind == "word" and t.stem not in FILLER and len(t.lower) > 1)
    )
