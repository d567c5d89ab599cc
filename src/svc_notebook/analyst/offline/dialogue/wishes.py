"""Turns that are nothing but a phrase about the form before: ``ascending``, ``as a share``, ``how many is that``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from .... import patterns as re
from ..forms import (
    ROWS,
    Aggregate,
    Clause,
    Compare,
    Condition,
    Expression,
    Form,
    Limit,
    Member,
    Missing,
    OneOf,
    Order,
    Output,
    Over,
    Ratio,
)
from ..forms.walking import has_aggregate
from ..grammar.changes import running
from ..plans.plan import Measure
from ..reading.reading import Reading
from ..schema.member_kinds import AMOUNTS, kind_of
from ..schema.metadata import Metadata
from ..schema.money import amounts
from ..schema.rates import rate_of
from ..words.leads import LEAD
from ..words.shares_said import SHARE
from ..words.text import singular
from .conditions import conditions_of, negated, says_so, says_whose, with_conditions
from .differing import difference, side_by_side, together
from .editing import Unfit, aggregate_of, is_bad, main_number, shown_numbers
from .expressing import is_named, is_time, paths_of, relations_of, with_function
from .grouping import all_but_shown
from .hearing import Heard
from .moving import other_way
from .numbers import adds_up, as_rate, as_share, counts_rows, is_amount
from .places import placed
from .rows import behind, listed, moment
from .thread import Earlier
from .whole_periods import all_time, days, whole_quarter, whole_year

__all__ = ["all_but", "counted_by", "names_others", "of_their_own", "rate_of_rows", "wished"]


def wished(want: str, form: Form, metadata: Metadata, older: Form | None = None) -> Form | None:
    """The form with what the phrase wants; None where the phrase is no wish about a form.

    Raises
    ------
    Unfit
        If it is one that has no place in this form.
    """
    if want in ("share", "rate") and (form.groups == () or want == "rate"):
        known = conditions_of(older) if older is not None and _goes_on(form, older) else []
        return rate_of_rows(form, metadata, known or _whose(form, metadata))
    if want == "others":
        return _others(form, older)
    if want == "difference":
        return difference(form, older, metadata)
    if want == "side_by_side":
        return side_by_side(form, older, metadata)
    if want == "together":
        return together(form, older)
    wish = _WISHES.get(want)
    return wish(form, metadata) if wish is not None else None


def _goes_on(form: Form, older: Form) -> bool:
    """Whether a form is of some of the rows that an older one was of, or of rows that were told apart alike."""
    some = conditions_of(form)
    return older.groups == form.groups or not form.groups and all(one in some for one in conditions_of(older))


def _all(form: Form, metadata: Metadata) -> Form:
    if form.limit is None:
        raise Unfit("all is shown already")
    return form.with_(limit=None)


def _unfiltered(form: Form, metadata: Metadata) -> Form:
    if not form.where:
        raise Unfit("there is no filter")
    return form.with_(where=())


def _overall(form: Form, metadata: Metadata) -> Form:
    if not form.groups or not form.measures or form.having:
        raise Unfit("it is one number already")
    return form.with_(groups=(), order=(), limit=None)


def _count(form: Form, metadata: Metadata) -> Form:
    """How many rows a list has, or how many groups there are."""
    if form.columns and form.limit is None:
        return form.with_(columns=(), order=(), measures=(Clause(ROWS),))
    if form.groups and all(_is_single(clause.expression, form) for clause in form.groups):  # one group: its rows
        return form.with_(groups=(), order=(), measures=(Clause(ROWS),), having=(), limit=None)
    if form.groups and form.limit is None:
        return Form(form.with_(order=()), measures=(Clause(ROWS),))
    if form.measures and all(adds_up(number, metadata) for number in shown_numbers(form)):
        return form  # how many that is was said
    raise Unfit("nothing to count")


def _is_single(group: Expression, form: Form) -> bool:
    """Whether the conditions leave one value of a group."""
    return any(
        isinstance(condition, Compare) and condition.operator == "=" and condition.left == group
        for condition in conditions_of(form)
    )


def _total(form: Form, metadata: Metadata) -> Form:
    """``how many is that in total``: the groups together, or the rows of a list."""
    if form.columns:
        return _count(form, metadata)
    if not all(adds_up(number, metadata) for number in shown_numbers(form)):
        raise Unfit("numbers that do not add up")
    return _overall(form, metadata)


def _summed(form: Form, metadata: Metadata) -> Form:
    """``the total``: the groups together; of averages of what adds up, the totals: an average of all is none."""
    numbers = shown_numbers(form)
    averaged = [one for one in numbers if aggregate_of(one, metadata) == "avg" and is_amount(one, metadata)]
    if form.groups and averaged and len(averaged) == len(numbers):
        changed = [with_function(clause, "sum", metadata) for clause in form.measures]
        made = tuple(clause for clause in changed if clause is not None)
        if not made or len(made) < len(changed):
            raise Unfit("numbers that do not add up")
        return form.with_(measures=made, order=(), limit=None)
    return _overall(form, metadata)


def _sum(form: Form, metadata: Metadata) -> Form:
    """``how much is that in total``: the number of the groups together, or of the rows of a list."""
    if not form.columns and (amount := _amount_of(form, metadata)):
        return form.with_(measures=(Clause(Aggregate("sum", Member(amount))),))
    if not form.columns:
        return _total(form, metadata)
    return _of_list("sum", form, metadata)


def _sum_of_one(form: Form, metadata: Metadata) -> Form:
    """``what's her total`` after the first of her orders: all of hers, and not those few."""
    return _sum(form.with_(limit=None, order=()) if form.columns else form, metadata)


def _of_list(function: Literal["sum", "avg"], form: Form, metadata: Metadata) -> Form:
    """The number of the rows of a list, put together: what they are ranked by, or the last one."""
    shown = [clause.expression for clause in form.columns]
    numbers = [one for one in shown if isinstance(one, Member) and kind_of(metadata, one.path) == "number"]
    if not numbers:
        raise Unfit("there is no number in it that could be put together")
    ranked = main_number(form)
    number = ranked if ranked in numbers else numbers[-1]
    if form.limit is None:
        return form.with_(columns=(), order=(), measures=(Clause(Aggregate(function, number)),))
    return Form(form, measures=(Clause(Aggregate(function, Output(number))),))


def _amount_of(form: Form, metadata: Metadata) -> str:
    """What the rows that were only counted brought, where one of their numbers says so: ``how much is that``."""
    root = (relations_of(form) or ("",))[0]
    numbers = shown_numbers(form)
    if form.groups or form.having or not numbers or not all(counts_rows(one, metadata) for one in numbers):
        return ""
    found = [path for path in amounts(metadata) if path.split(".", 1)[0] == root]
    return found[0] if len(found) == 1 else ""


def _rate_of_all(form: Form, metadata: Metadata) -> Form:
    """``in percent of all sessions``: of the rows that are not restricted, group by group; else of the total."""
    try:
        return as_rate(form, metadata)
    except Unfit:
        return as_share(form, metadata)


def _running(form: Form, metadata: Metadata) -> Form:
    """Each period with all before it."""
    if not all(adds_up(number, metadata) for number in shown_numbers(form)):
        raise Unfit("numbers that do not add up")
    made = next(running(form.with_(limit=None)), None)
    if made is None:
        raise Unfit("it has no periods that could be added up one after the other; ask for it by month first")
    return made[0]


def _average(form: Form, metadata: Metadata) -> Form:
    """``the average of that``: of the rows that are averaged in each group; else of the numbers that were shown."""
    numbers = shown_numbers(form)
    if not form.groups or not numbers:
        return _mean(form, metadata) if numbers else _of_list("avg", form, metadata)
    if form.limit is None and not form.having and all(aggregate_of(one, metadata) == "avg" for one in numbers):
        return _overall(form, metadata)
    told = form if form.limit is not None else form.with_(order=())
    return Form(told, measures=tuple(Clause(Aggregate("avg", Output(one))) for one in numbers))


def _mean(form: Form, metadata: Metadata) -> Form:
    changed = [with_function(clause, "avg", metadata) for clause in form.measures]
    made = tuple(clause for clause in changed if clause is not None)
    if not made or len(made) < len(changed):
        raise Unfit("no number that can be put together so")
    return form.with_(measures=made, order=(), limit=None)


def all_but(before: Earlier, older: Form | None) -> Earlier:
    """An earlier answer over the rows that it was not about: all but the few it showed, or but what was picked out.

    Raises
    ------
    Unfit
        If nobody was picked out.
    """
    known = conditions_of(before.form)
    if before.form.limit is None and known and _leaves_out(known[-1]):
        return replace(before, focus=())  # the others are looked at already
    form = all_but_shown(before) or _others(before.form, older)
    return replace(before, form=form, focus=())


_OTHER_ONES = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|now|then|show|give|list|me|us|what|how|about|is|are|was|were|it|that|the|for|of|in|with"
    r"|all|numbers?|figures?|values?|same)\s+)*(?:other|remaining)\s+(?P<what>\w+(?:\s+\w+)?)\W*$",
    re.IGNORECASE,
)


def names_others(text: str, form: Form, metadata: Metadata) -> bool:
    """Whether a turn asks for the groups that were not shown, by their name: ``and the other agents?``"""
    said = _OTHER_ONES.match(text)
    return said is not None and any(is_named(clause.expression, said["what"], metadata) for clause in form.groups)


def _leaves_out(condition: Condition) -> bool:
    denied = isinstance(condition, OneOf) and condition.negated
    return denied or isinstance(condition, Compare) and condition.operator == "!="


def _others(form: Form, older: Form | None) -> Form:
    """``everyone else``: all but the rows that were looked at last."""
    every = conditions_of(form)
    joined = [condition for condition in every if isinstance(condition, Missing) and condition.negated]
    known = [condition for condition in every if condition not in joined]
    before = conditions_of(older) if older is not None else []
    last = [condition for condition in known if condition not in before] or known[-1:]
    if len(last) != 1:
        raise Unfit("nobody was picked out before, so that there are no others")
    rest = [condition for condition in known if condition not in last]
    gone = paths_of(last[0])
    several = isinstance(last[0], OneOf) and len(last[0].values) > 1
    kept = [c for c in form.groups if several or not paths_of(c.expression) & gone or len(form.groups) == 1]
    return with_conditions(form, [*rest, *joined, negated(last[0])]).with_(groups=tuple(kept))


def _share(form: Form, metadata: Metadata) -> Form:
    """``in percent``: what each group has of the total; of rows that are so, month by month, how many are."""
    if not form.groups or _is_of_some(form, metadata) and _is_along_time(form, metadata):
        return rate_of_rows(form, metadata)
    return as_share(form, metadata)


def _is_of_some(form: Form, metadata: Metadata) -> bool:
    """Whether the rows are counted of which something is so: cancelled ones, by a flag or by a count of the model."""
    numbers = shown_numbers(form)
    if len(numbers) != 1 or aggregate_of(numbers[0], metadata) not in ("rows", "count"):
        return False
    return not counts_rows(numbers[0], metadata) or any(says_so(one, metadata) for one in conditions_of(form))


def _is_along_time(form: Form, metadata: Metadata) -> bool:
    return all(is_time(clause.expression, metadata) for clause in form.groups)


def _absolute(form: Form, metadata: Metadata) -> Form:
    """``in absolute numbers``: what the shares are of; numbers that are no shares are shown as they are."""
    counts = [counted_by(clause.expression, metadata) for clause in form.measures]
    if not counts or any(count is None for count in counts):
        raise Unfit("it is not a share of something that is counted")
    renamed = dict(zip(shown_numbers(form), counts, strict=True))
    order = tuple(replace(o, by=renamed.get(o.by) or o.by) for o in form.order)
    return form.with_(
        measures=tuple(Clause(count) for count in dict.fromkeys(counts) if count is not None), order=order
    )


def counted_by(number: Expression, metadata: Metadata) -> Expression | None:
    """What a number counts: of a share its part, of a rate of the model the count that is called as it is."""
    if isinstance(number, Over) and number.function == "share":
        return number.of
    if isinstance(number, Ratio) and (number.percent or number.below == ROWS):
        return number.above
    if adds_up(number, metadata):
        return number
    path = number.of.path if isinstance(number, Aggregate) and isinstance(number.of, Member) else ""
    known = metadata.members.get(path)
    if known is None or known.kind != "measure" or not str(known.format or "").startswith("percent"):
        return None
    named = set(metadata.parts(path)) - _RATED
    relation = metadata.relation(path.split(".", 1)[0])
    found = [m.path for m in relation.members.values() if m.agg_type == "count" and _kind(metadata, m.path) == named]
    return Aggregate("measure", Member(found[0])) if named and len(found) == 1 else None


_OF_THEIRS = re.compile(
    LEAD + r"(?:(?:what|how much|how many|is|are|that|this|it|those)\s+)*"
    rf"(?:as|in|what)\s+(?:an?\s+)?{SHARE}\s+of\s+"
    r"(?:(?:all\s+(?:of\s+)?)?(?:their|its|his|her|each one['’]?s)\s+(?:own\s+|total\s+)*(?P<rows>\w+)"
    r"|(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<all>\w+)\s+(?:of|in|on|for|with|at|from|to|by)\s+"
    r"(?:that|this|the same|each|every)\s+(?P<group>\w+(?:\s+\w+)?))"
    r"(?:\s+(?:is|are|was|were) (?:that|this|those))?\W*$",
    re.IGNORECASE,
)


def of_their_own(heard: Heard, form: Form, alone: Reading, metadata: Metadata) -> Form | None:
    """``as a percentage of their flights`` after the delayed ones by airline: of all rows of each group.

    Raises
    ------
    Unfit
        If it is not some of these rows that were counted.
    """
    text = heard.rest if set(heard.acts) <= _CORRECTING else heard.text
    said, root = _OF_THEIRS.match(text), (relations_of(form) or ("",))[0]
    if said is None or not root or not _calls_rows(said["rows"] or said["all"], root, alone, metadata):
        return None
    if said["group"] and not _is_told_apart_by(said["group"], form, metadata):
        return None
    whose = [one for one in conditions_of(form) if says_whose(one, metadata)]
    if len(form.measures) != 1 or not (form.groups or whose):
        raise Unfit("it shows no rows of groups of which a share could be taken")
    return rate_of_rows(form, metadata, whose)


def _whose(form: Form, metadata: Metadata) -> list[Condition]:
    """The conditions that pick out whose rows are looked at, where others say which of them were counted."""
    known = conditions_of(form)
    counted = any(says_so(one, metadata) or _is_bound(one) for one in known)
    return [one for one in known if says_whose(one, metadata)] if counted else []


def _is_bound(condition: Condition) -> bool:
    return isinstance(condition, Compare) and condition.operator in ("<", "<=", ">", ">=")


def _is_told_apart_by(words: str, form: Form, metadata: Metadata) -> bool:
    """Whether the groups that are shown, or the one that is looked at, are called so."""
    picked = [one.left for one in conditions_of(form) if isinstance(one, Compare) and says_whose(one, metadata)]
    return any(is_named(of, words, metadata) for of in (*(clause.expression for clause in form.groups), *picked))


def rate_of_rows(form: Form, metadata: Metadata, given: Sequence[Condition] = ()) -> Form:
    """How much of all rows, group by group, those are that were counted: as the model defines it, where it does.

    ``given``: conditions that say of which rows, and not which of them.

    Raises
    ------
    Unfit
        If it is not some of these rows that were counted.
    """
    if not form.measures:
        raise Unfit("a list has no number of which this is a share")
    number = form.measures[0].expression
    path = number.of.path if isinstance(number, Aggregate) and isinstance(number.of, Member) else ""
    known = metadata.members.get(path)
    if known is None or known.agg_type != "count" or metadata.plain(Measure(path, "measure")).aggregate == "count":
        return as_rate(form, metadata, given)
    own = rate_of(path, metadata)
    rate = Aggregate("measure", Member(own)) if own else Ratio(number, ROWS, True)
    order = tuple(replace(one, by=rate) if one.by == number else one for one in form.order)
    return form.with_(measures=(Clause(rate),), order=order)


_CORRECTING = frozenset({"lead", "and", "correct"})


def _calls_rows(word: str, root: str, alone: Reading, metadata: Metadata) -> bool:
    """Whether a word is for the rows of a relation: by its name, or by what they are called otherwise."""
    if singular(word.lower()) == singular(metadata.words_of(root)[-1]):
        return True
    named = [name for item in alone.items if item.text.lower() == word.lower() for name in item.names]
    return any(name.member is None and name.relation == root for name in named)


_RATED = frozenset({"share", "rate", "percentage", "percent", "ratio", "proportion"})


def _kind(metadata: Metadata, path: str) -> set[str]:
    return set(metadata.parts(path)) - {"count", "number", "total"} if path in metadata.members else set()


def _rate(form: Form, metadata: Metadata) -> Form:
    return rate_of_rows(form, metadata)


def _sorted(descending: bool) -> Callable[[Form, Metadata], Form]:
    def sort(form: Form, metadata: Metadata) -> Form:
        return _ordered(form, main_number(form), descending)

    return sort


def _ordered(form: Form, by: Expression | None, descending: bool) -> Form:
    if by is None or not (form.groups or form.columns):
        raise Unfit("nothing to sort by")
    return form.with_(order=(Order(by, descending),))


def _by_last(form: Form, metadata: Metadata) -> Form:
    """``sort by that``: by what was named last."""
    return _ordered(form, form.measures[-1].expression if form.measures else main_number(form), True)


def _quality(best: bool) -> Callable[[Form, Metadata], Form]:
    """Whether much of a number is good goes by its name."""

    def sort(form: Form, metadata: Metadata) -> Form:
        number = main_number(form)
        return _ordered(form, number, best != (number is not None and is_bad(number, metadata, form)))

    return sort


def _judged(best: bool) -> Callable[[Form, Metadata], Form]:
    """``and the worst?``: the first of them by what their number means."""

    def first(form: Form, metadata: Metadata) -> Form:
        return _quality(best)(form, metadata).with_(limit=Limit(1))

    return first


def _reversed(form: Form, metadata: Metadata) -> Form:
    if (turned := other_way(form, metadata)) is not None:
        return turned
    if not form.order:
        return _ordered(form, main_number(form), False)
    return form.with_(order=tuple(replace(order, descending=not order.descending) for order in form.order))


def _alphabetical(form: Form, metadata: Metadata) -> Form:
    texts = [
        clause.expression for clause in (*form.groups, *form.columns)
        if isinstance(clause.expression, Member) and clause.expression.path in metadata.members
        and metadata.members[clause.expression.path].type == "string"
    ]  # fmt: skip
    return _ordered(form, texts[0] if texts else None, False)


def _chronological(form: Form, metadata: Metadata) -> Form:
    shown = [c.expression for c in (*form.groups, *form.columns) if not has_aggregate(c.expression)]
    return _ordered(form, next((e for e in shown if is_time(e, metadata)), None), False)


def _put_together(function: str, descending: bool) -> Callable[[Form, Metadata], Form]:
    """``the maximum``: of each number, or the first where numbers cannot be put together so."""

    def change(form: Form, metadata: Metadata) -> Form:
        changed = [with_function(clause, function, metadata) for clause in form.measures]
        made = [clause for clause in changed if clause is not None]
        if not made or len(made) < len(changed):
            return _extreme(descending)(form, metadata)
        return form.with_(measures=tuple(made), order=(), limit=None)

    return change


def _extreme(descending: bool, skip: int = 0) -> Callable[[Form, Metadata], Form]:
    def first(form: Form, metadata: Metadata) -> Form:
        wider, number = _without_the_one(form) if skip else form, main_number(form)
        if form.columns and isinstance(number, Member) and kind_of(metadata, number.path) not in AMOUNTS:
            raise Unfit("nothing says what the rows are ranked by")
        return _ordered(wider, number, descending).with_(limit=Limit(1, skip=skip))

    return first


def _at(place: int) -> Callable[[Form, Metadata], Form]:
    """``the second one``: of what was shown, in its order; of groups without one, by their number."""

    def change(form: Form, metadata: Metadata) -> Form:
        if not (form.groups or form.columns):
            raise Unfit("one number was shown, and no rows of which one could be meant")
        wider = _without_the_one(form)
        if not form.order and form.groups and form.measures and not _in_time(form, metadata):
            return _extreme(True, place)(form, metadata)
        return _in_order(wider, metadata).with_(limit=Limit(1, skip=place))

    return change


def _last(form: Form, metadata: Metadata) -> Form:
    """``the last one``: of what was shown, in its order; of a list that was cut, its last row."""
    if form.limit is not None and form.limit.count > 1 and not form.limit.per:
        return form.with_(limit=Limit(1, skip=form.limit.count + form.limit.skip - 1))
    if form.groups and form.measures and not form.order and not _in_time(form, metadata):
        return _extreme(False)(form, metadata)
    made = _in_order(form, metadata)
    if not made.order:
        raise Unfit("these rows stand in no order; say by what the last one is the last")
    return _reversed(made, metadata).with_(limit=Limit(1))


def _in_time(form: Form, metadata: Metadata) -> bool:
    return any(is_time(clause.expression, metadata) for clause in form.groups)


def _in_order(form: Form, metadata: Metadata) -> Form:
    """The form in the order in which it was shown: periods one after the other where no other was said."""
    times = [clause.expression for clause in form.groups if is_time(clause.expression, metadata)]
    return form if form.order or not times else form.with_(order=(Order(times[0], False),))


def _without_the_one(form: Form) -> Form:
    """The form over all groups, where it was about the first of them: another one is asked for."""
    groups = [clause.expression for clause in form.groups]
    left = [
        one for one in conditions_of(form)
        if not (isinstance(one, Compare) and one.operator == "=" and one.left in groups)
    ]  # fmt: skip
    return with_conditions(form, left) if len(left) < len(conditions_of(form)) else form


_WISHES: dict[str, Callable[[Form, Metadata], Form | None]] = {
    "all": _all, "unfiltered": _unfiltered, "overall": _overall, "summed": _summed,
    "share": _share, "rate": _rate, "absolute": _absolute,
    "count": _count,
    "ascending": _sorted(False), "descending": _sorted(True), "best_first": _quality(True),
    "worst_first": _quality(False), "reversed": _reversed, "alphabetical": _alphabetical,
    "chronological": _chronological, "extreme": _extreme(True), "least": _extreme(False),
    "second": _extreme(True, 1), "second_least": _extreme(False, 1),
    "maximum": _put_together("max", True), "minimum": _put_together("min", False), "whole_year": whole_year,
    "all_time": all_time, "whole_quarter": whole_quarter, "best": _judged(True), "worst": _judged(False),
    "total": _total, "sum": _sum, "sum_of_one": _sum_of_one, "rate_of_all": _rate_of_all, "running": _running,
    "mean": _mean, "average": _average,
    "workdays": days(1, 2, 3, 4, 5), "weekends": days(6, 7), "list": listed, "behind": behind, "when": moment,
    "where": placed, "sorted": _by_last,
    "third": _extreme(True, 2), "at_first": _at(0), "at_second": _at(1), "at_third": _at(2), "at_last": _last,
}  # fmt: skip
