"""One question read: link, compose, rank, decide. The reading of the rules is one of those that are ranked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial

from msgspec import Struct

from ... import patterns as re
from .assembly.namesakes import of_those_there_are, told_apart
from .assembly.row_keys import beside_key
from .budget import Budget, ReadingTooLong
from .checks.accounts import unaccounted
from .checks.asked_otherwise import tests_unsaid_flags
from .checks.average_lost import is_average_lost
from .checks.counted_twice import counts_twice
from .checks.coverage import leaves_out_a_deed, left_out
from .checks.of_forms import is_form_refuted
from .checks.refuted import is_refuted
from .forms import Aggregate, CannotWrite, Case, Difference, Form, Member, Part, Ratio, Role, SetOf, to_sql
from .forms.walking import parts
from .grammar import Candidate, compose
from .linking import link
from .linking.lattice import Lattice
from .lists import list_in
from .plans.forms_as_plans import plan_of
from .plans.plan import Plan
from .plans.sql import write_sql
from .ranking.model import Ranking, evidence, load_ranking, probability
from .ranking.outcome import FAILED, UNKNOWN, Outcome, agreeing, outcomes
from .ranking.same_rows import as_one
from .ranking.standing import Standing, known_plan, standing, standings
from .reading.by_code import row_of_code
from .reading.read_back import read_back
from .reading.reading import Reading, read
from .reading.theirs import theirs_in
from .schema.derivations import summed as summed_of
from .schema.member_kinds import labels_of
from .schema.metadata import Metadata
from .schema.superiors import deeds_to_own
from .walk.draft import Draft
from .words.text import tokenize

__all__ = [
    "Decision", "assumes", "choose", "decide", "forms_of", "is_weak", "is_writable", "outcome_of", "relations_of",
]  # fmt: skip


_HALVES = re.compile(r"\bweekdays?\b.*\bweekends?\b|\bweekends?\b.*\bweekdays?\b", re.IGNORECASE)
_HALF_SURE = 0.15  # where both halves of the week are named, which leaves little else to read
_SPAN_SURE = 0.3  # where a time between two times is asked for, and both of them are known
_AGAINST = re.compile(r"\b(vs|versus)\b|^\W*compar(e|ing|ison)\b", re.IGNORECASE)
_PER = re.compile(r"\b(?:per|a|an|each|every|daily|weekly|monthly)\b", re.IGNORECASE)
_ALSO = re.compile(r",|\bwith (?:their|its|the|his|her)\b", re.IGNORECASE)  # columns
_ASKS_WHETHER = re.compile(r"^\W*(do|does|did|is|are|was|were|has|have)\b", re.IGNORECASE)
CLEARLY = 0.7  # how likely a form must be to take the place of what the rules read
_WEAK = 0.25  # a name that fits less well is read in part only
_ASSUMED = ("best:by:assumed", "best:by:rows-assumed")


class Decision(Struct, frozen=True):
    """What was decided: the plan to answer with, or where no plan can say it, the form; how sure that is.

    ``ranked`` are the readings there were, the likeliest first, whatever was decided.
    """

    plan: Plan | None
    sure: float
    form: Form | SetOf | None = None
    unread: tuple[str, ...] = ()
    ranked: tuple[Standing, ...] = ()


def forms_of(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, budget: Budget
) -> list[Candidate]:
    """The forms a question may mean, the likeliest first."""
    return _halved(question, _composed(link(question, metadata, now, year, fiscal, budget), metadata, budget))


def _composed(lattice: Lattice, metadata: Metadata, budget: Budget) -> list[Candidate]:
    return compose(lattice, metadata, load_ranking().weights, budget)


def _halved(question: str, forms: list[Candidate]) -> list[Candidate]:
    """Where both halves of the week are named, the forms that show both and leave nothing of it out."""
    return [c for c in forms if _halves_week(c.form)] if _HALVES.search(question) else forms


def _by_halves(plan: Plan) -> bool:
    """Whether the only groups are the halves of the week."""
    return [dimension.grain for dimension in plan.dimensions] == ["weekend"]


def _halves_week(form: Form) -> bool:
    split = any(isinstance(part, Case) for clause in form.groups for part in parts(clause.expression))
    return split and not any(isinstance(part, Part) and "weekday" in part.part for part in parts(form.where))


def choose(
    question: str,
    metadata: Metadata,
    now: datetime,
    year: int | None,
    fiscal: int,
    before: Reading,
    budget: Budget,
    rows_of: Callable[[str], Outcome | None] = lambda sql: UNKNOWN,
    lists: bool = True,
) -> Decision:
    """The likeliest reading of a question, where it is likely enough.

    ``rows_of`` tells what SQL gives: of the likeliest, where they are not sure. A form that no plan can say is not
    answered where that is nothing. ``lists``: plain lists are read word by word before anything else.
    """
    coded = row_of_code(before.tokens, metadata)
    if coded is not None:
        return Decision(coded, coded.confidence)
    listed = _listed(question, metadata, now, year, fiscal, budget.apart()) if lists else None
    if listed is not None and not (before.draft is not None and _is_list_of_others(listed, before)):
        return Decision(beside_key(listed, question, metadata), listed.confidence)
    if _HALVES.search(question) and not (before.plan is not None and _by_halves(before.plan)):
        before = replace(before, plan=None)  # weekdays against weekends: one of them alone is no answer
    lattice = link(question, metadata, now, year, fiscal, budget)
    if lattice.spans and before.plan is not None:
        rules = read_back(write_sql(before.plan, metadata).sql, metadata)
        before = before if _lasts_so(rules, lattice) else replace(before, plan=None)
    known = known_plan(before)
    if known is not None and (_pictured(known) or _is_of_own_kind(question, known, metadata)):
        return Decision(known, known.confidence)
    ranking = load_ranking()
    forms = _halved(question, _composed(lattice, metadata, budget))
    # Where two readings differ in a number that is there twice, there is one.
    forms = [c for c in forms if not counts_twice(c.form, metadata)]
    per = _PER.search(question) is not None
    if lattice.spans:
        forms = [c for c in forms if _lasts_so(c.form, lattice) and (per or not _is_rate(c.form))]
    found = standings(forms, before, lattice, metadata, budget)
    gives = partial(outcome_of, known=known, metadata=metadata, rows_of=cache(rows_of))
    ordered = standing(found, ranking.standing)
    if not _ASKS_WHETHER.search(question):  # a list is no answer to that, however it is shown
        ordered = as_one(ordered, partial(_names_of, metadata=metadata))
    order, sure = decide(ordered, len(before.tokens), ranking, gives)
    offered = tuple(one for one in order if per or not _is_rate(one.form))  # nobody asked for so much a day
    nothing = Decision(None, sure, ranked=offered)
    if not order or known is None and _misses(order[0], before):
        return nothing
    taken = order[0]
    if not taken.by_rules and _AGAINST.search(question) and (_is_single(taken.form) or gives(taken) is None):
        return nothing  # it sets nothing against anything
    halved = sure >= _HALF_SURE and not taken.unread and _HALVES.search(question)
    summed = sure >= _HALF_SURE and not taken.unread and _adds_up(taken.form) and _pairs(lattice)
    summed = summed or sure >= _SPAN_SURE and not taken.unread and bool(lattice.spans)
    if not ranking.answers(sure, taken) and not halved and not summed:
        return nothing
    theirs = theirs_in(question, metadata)
    if theirs is not None and not taken.by_rules and not theirs.shown(_columns_of(taken.form)):
        return nothing
    plan = known if taken.by_rules else plan_of(taken.form, metadata) if isinstance(taken.form, Form) else None
    if plan is None and (
        not isinstance(taken.form, Form) or not is_writable(taken.form) or gives(taken) in (None, FAILED)
        or before.draft is not None and is_form_refuted(taken.form, before.draft)
    ):  # fmt: skip
        return nothing
    if (
        plan is not None
        and not taken.by_rules
        and before.draft is not None
        and _is_no_answer(plan, taken, before.draft)
    ):
        return nothing
    if plan is not None:
        chart = known.chart if known is not None else plan.chart
        plan = plan.with_(confidence=round(sure, 3), unread=taken.unread, chart=chart)
        if not taken.by_rules and rows_of(write_sql(plan, metadata).sql) == FAILED:
            return nothing
        apart = beside_key(told_apart(of_those_there_are(plan, metadata), before.draft), question, metadata)
        if apart is not plan:  # what is offered beside it knows of no namesakes, and of no columns beside a key
            same = (apart.columns, apart.conditions) == (plan.columns, plan.conditions)
            form = taken.form if same else None
            return Decision(apart, sure, form, taken.unread)
    return Decision(plan, sure, taken.form, taken.unread, offered)


def _listed(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, budget: Budget
) -> Plan | None:
    """The plan of a plain list; what it takes to find that it is none is not taken from the question."""

    def whole(text: str) -> Plan | None:
        reading = read(text, metadata, now, (), year, nearby=False, fiscal=fiscal, budget=budget)
        if not (reading.unfit or reading.missed or reading.lost or reading.unread):
            return reading.plan
        return choose(text, metadata, now, year, fiscal, reading, budget, lists=False).plan

    try:
        return list_in(question, metadata, whole)
    except ReadingTooLong:
        return None


def _is_list_of_others(listed: Plan, before: Reading) -> bool:
    """Whether a list leaves something out, or has those without what the rules read as had: *cats with insurance*."""
    if before.draft is None:
        return False
    rules = before.plan.conditions if before.plan is not None and not before.unfit else ()
    had = {c.member for c in rules if c.operator == "not null"} - {c.member for c in listed.conditions}
    if any(char.isdigit() for word in left_out(before.draft, listed) for char in word):
        return True
    lone = len(had) == 1 and listed.columns[-1:] == (*had,) and not _ALSO.search(before.question)
    return lone or is_refuted(listed, before.draft) or bool(unaccounted(listed, before.draft))


def _is_no_answer(plan: Plan, taken: Standing, draft: Draft) -> bool:
    """Whether a form's plan is none to what was asked; numbers are in its units, where ``five hours`` are 300."""
    places = [place for place, item in enumerate(draft.items) if item.kind == "number"]
    numbers = {item.text for place in places for item in draft.items[place : place + 2] if item.kind != "name"}
    certain = unaccounted(plan, draft)
    if tests_unsaid_flags(plan, draft) or leaves_out_a_deed(draft, taken.unread) or is_average_lost(plan, draft):
        return True
    return is_refuted(plan, draft) or any(word not in numbers or word in certain for word in left_out(draft, plan))


def _adds_up(form: Form | SetOf | None) -> bool:
    """Whether all that a form shows of rows is one number of each group of them."""
    return isinstance(form, Form) and len(form.measures) == 1 and not form.columns and not form.having


def _pairs(lattice: Lattice) -> bool:
    """Whether two numbers of a row are spoken of as one, which leaves little else to read."""
    return any(summed_of(named.member) for at in lattice.starting for m in at for named in m.names if named.member)


def _lasts_so(form: Form | SetOf | None, lattice: Lattice) -> bool:
    """Whether a form takes the time between two times that is asked for."""
    taken = [part for part in parts(form) if isinstance(part, Difference)]
    between = [{part.path for part in parts(one) if isinstance(part, Member)} for one in taken]
    return any(paths.issuperset(span.members) for span in lattice.spans for paths in between)


def _is_rate(form: Form | SetOf | None) -> bool:
    """Whether a number is divided by how long all rows go on: so much for each day of them."""
    below = [part.below for part in parts(form) if isinstance(part, Ratio)]
    ends = (part for of in below for part in parts(of) if isinstance(part, Difference))
    return any(isinstance(one.start, Aggregate) and isinstance(one.end, Aggregate) for one in ends)


def _columns_of(form: Form | SetOf | None) -> set[str]:
    """The members that a form shows."""
    clauses = (*form.columns, *form.groups, *form.measures) if isinstance(form, Form) else ()
    return {part.path for clause in clauses for part in parts(clause.expression) if isinstance(part, Member)}


def _names_of(relation: str, metadata: Metadata) -> tuple[str, ...]:
    """What the rows of a relation are known by."""
    known = (metadata.label_of(relation), metadata.key_of(relation), *labels_of(metadata, relation))
    return tuple(path for path in known if path is not None)


def outcome_of(
    reading: Standing, known: Plan | None, metadata: Metadata, rows_of: Callable[[str], Outcome | None]
) -> Outcome | None:
    """What a reading gives: that of the rules by its plan."""
    if reading.by_rules and known is not None:
        return rows_of(write_sql(known, metadata).sql)
    return (
        rows_of(to_sql(reading.form.settled()))
        if isinstance(reading.form, Form) and is_writable(reading.form)
        else UNKNOWN
    )


def decide(
    found: Sequence[Standing], words: int, ranking: Ranking, outcome_of: Callable[[Standing], Outcome | None]
) -> tuple[list[Standing], float]:
    """The readings with the one first that is to be answered if it is likely enough, and how likely it is to be right.

    What the rules read whole stands; what they read in part gives way to a form that is clearly right.
    """
    order = list(found)
    if not order:
        return order, 0.0
    sure = _sure(order, words, ranking, outcome_of)
    rules = next((s for s in order if s.by_rules), None)
    if rules is not None and not order[0].by_rules and not (rules.unread and sure >= CLEARLY):
        order = [rules, *(s for s in order if s is not rules)]
        sure = _sure(order, words, ranking, outcome_of)
    return order, sure


def _sure(
    order: Sequence[Standing], words: int, ranking: Ranking, outcome_of: Callable[[Standing], Outcome | None]
) -> float:
    """How likely the first reading is right: where it is not clearly, what the first ones give is looked at, if they
    are run at all.
    """
    facts = evidence(order, words)
    sure = probability(ranking.sure, facts)
    given = outcomes(order, outcome_of) if sure < CLEARLY else []
    if not given or given[0] == UNKNOWN:
        return sure
    return probability(ranking.seen, facts | agreeing(order, given))


def _misses(taken: Standing, before: Reading) -> bool:
    """Whether a form leaves out, or reads in part only, what the rules know to be asked for; or goes by a number that
    nobody named for what is best.
    """
    assumed = assumes(taken) and not any(name == "best:bare" for name, _ in taken.features)
    left = before.missed or before.unread
    return bool(set(taken.unread) & set(before.missed)) or assumed or bool(left) and is_weak(taken)


def _is_single(form: Form | SetOf | None) -> bool:
    return isinstance(form, Form) and not form.groups and not form.columns and len(form.measures) == 1


def assumes(reading: Standing) -> bool:
    """Whether what is best goes by a number that nobody named."""
    return any(name.startswith(_ASSUMED) for name, _ in reading.features)


def is_weak(reading: Standing) -> bool:
    """Whether names are read in part only."""
    return any(name == "link:part" or name == "link:weak" and value > _WEAK for name, value in reading.features)


def _is_of_own_kind(question: str, plan: Plan, metadata: Metadata) -> bool:
    """``who was trained by Ann``: of one table in two roles, whose sides the rules know apart."""
    if plan.unread or len(plan.scope) < 2:
        return False
    return not deeds_to_own(metadata).isdisjoint(token.lower for token in tokenize(question))


def _pictured(plan: Plan) -> bool:
    """Whether the question says what stands on which axis of a picture: the rules read those."""
    return bool(plan.chart.channels) or plan.chart.mark is not None


def is_writable(form: Form) -> bool:
    """Whether SQL over the model can say a form."""
    try:
        to_sql(form)
    except CannotWrite:
        return False
    return True


def relations_of(form: Form) -> tuple[str, ...]:
    """The relations that a form reads, its root first."""
    return tuple(dict.fromkeys(part.relation for part in parts(form) if isinstance(part, Role)))
