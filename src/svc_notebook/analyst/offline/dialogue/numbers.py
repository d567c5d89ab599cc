"""Numbers that a turn adds, takes away or puts in the place of others, and their shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..forms import (
    ROWS,
    Aggregate,
    And,
    Clause,
    Condition,
    Expression,
    Form,
    Holds,
    Member,
    Missing,
    Order,
    Output,
    Over,
    Part,
    Ratio,
    Truncated,
)
from ..forms.other_units import as_kept
from ..forms.walking import parts
from ..grammar.clauses import Grouped, Measured, Shown, Subject, Tested
from ..plans.plan import Measure
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..schema.money import amounts
from ..words.leads import LEAD
from ..words.text import stem
from .conditions import added, conditions_of, with_conditions
from .editing import (
    Edit,
    Unfit,
    aggregate_of,
    clauses_of,
    like_before,
    number_of,
    number_words,
    reach,
    shown_numbers,
)
from .expressing import is_named, paths_of, relations_of, with_function
from .grouping import different, focused, says_by, says_how

_TOGETHER = re.compile(r"\b(?:combined|together|taken together|in one)\W*$", re.IGNORECASE)

_THEIRS = re.compile(r"\b(?:their|its)\b", re.IGNORECASE)
_WHEN = re.compile(r"^\W*(?:at|during)\b", re.IGNORECASE)
_OF_EACH = re.compile(r"\beach\b", re.IGNORECASE)
_WITH = re.compile(r"^\W*(?:along |together )?with\b", re.IGNORECASE)  # "with the fees": beside what is shown
_FOLD_ALONE = re.compile(
    LEAD + r"(?:(?:what(?:['’]s| is| was) )?(?:the |their )?(?:average|mean|median)|on average|averaged)"
    r"(?: of (?:that|those|them|these|all(?: of them)?))?\W*$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many (?:different |other |distinct )?(?P<noun>[a-z]+)\b", re.IGNORECASE)
_PER = re.compile(r"\w\s+per\s+\w", re.IGNORECASE)

_PUT_TOGETHER = frozenset(("sum", "avg", "min", "max", "median"))

__all__ = ["adds_up", "as_rate", "as_share", "counts_rows", "is_amount", "number", "share", "with_share"]


def number(edit: Edit) -> None:
    if says_by(edit) and any(kind_of(edit.metadata, c.path or "") == "number" for c in clauses_of(edit, Measured)):
        raise Unfit("a group is named, and not a number")
    new = _named(edit)
    if new and _WHEN.match(edit.heard.rest):
        raise Unfit("rows of some time are meant, and no number of them")
    named = [c.path for c in (*clauses_of(edit, Measured), *clauses_of(edit, Shown)) if c.path]
    if any(_made_of(path, edit.metadata) in _tested(edit) for path in named):
        raise Unfit("the same word as a number that is shown, and as one that rows are compared by")
    if len(new) > 1 and _PER.search(edit.heard.rest) and not clauses_of(edit, Grouped):
        raise Unfit("one number per another has to be asked for in a whole question")
    new = new or _by_function(edit)
    if not new:
        return
    if edit.form.columns:
        if edit.form.limit is not None:
            raise Unfit("a number of a list that was cut")
        edit.form = edit.form.with_(columns=(), order=(), measures=tuple(Clause(e) for e in new))
    elif edit.says("remove"):
        _taken_away(edit, new, named)
    elif (edit.says("add", "and") or _WITH.match(edit.heard.rest)) and not edit.says("instead", "follow"):
        _liked(edit, new)
        _come_to(edit, new)
        _added(edit, new, named)
    elif (one := _shown_already(edit, named)) is not None:
        edit.form = edit.form.with_(measures=one, order=_left_of(edit.form.order, edit.form.measures, one))
    else:
        _replaced(edit, new)


def _shown_already(edit: Edit, named: Sequence[str]) -> tuple[Clause, ...] | None:
    """``only the fees`` of fees and renewals: the numbers that are named, as they are shown; None where others are."""
    if not named or says_how(edit) or len(edit.form.measures) < 2:
        return None
    made = {path: _made_of(path, edit.metadata) for path in named}
    of = {
        path: [c for c in edit.form.measures if paths_of(plainly(c.expression, edit.metadata)) == {made[path]}]
        for path in named
    }
    return tuple(found[0] for found in of.values()) if all(len(found) == 1 for found in of.values()) else None


def _left_of(order: Sequence[Order], old: Sequence[Clause], new: Sequence[Clause]) -> tuple[Order, ...]:
    """An order without what is shown no longer."""
    gone = {clause.expression for clause in old} - {clause.expression for clause in new}
    return tuple(one for one in order if one.by not in gone)


def _named(edit: Edit) -> list[Expression]:
    """The numbers that are named; all rows, where those are to go."""
    new = [_counted(edit, clause) or number_of(edit, clause) for clause in clauses_of(edit, Measured)]
    if ROWS in new and _counts_values(edit):
        raise Unfit("rows are not what is counted")
    if not says_by(edit):
        told = (c.path for c in clauses_of(edit, Shown) if kind_of(edit.metadata, c.path) in ("number", "measure"))
        made = [_said_so(edit, path) or (None if edit.form.columns else like_before(edit, path)) for path in told]
        new += [number for number in made if number is not None]  # of a list, a column that is only named is shown
    if not new and edit.says("remove") and _names_rows(edit):
        new = [ROWS]
    if counted := different(edit):
        reach(edit, counted)
        new = [Aggregate("count_distinct", Member(counted))]
    return new


def _counts_values(edit: Edit) -> bool:
    """``and how many destinations?`` of a column that is called so: its values, and no rows that have one."""
    said = _HOW_MANY.search(edit.heard.text)
    noun = stem(said["noun"].lower()) if said is not None else ""
    known = edit.metadata.kind_names
    kinds = [kind for kind in known.called.get((noun,), ()) if kind.path is not None]
    return bool(kinds) and not known.rows.get(noun)


def _by_function(edit: Edit) -> list[Expression]:
    """Where no number is named: all rows are counted, or a function is put over what is shown."""
    if edit.partial.counting and not all(_counts(e, edit.metadata) for e in shown_numbers(edit.form)):
        return [ROWS]  # "how many is that per week"
    if edit.partial.aggregates and not _TOGETHER.search(edit.heard.text):
        _each_of_periods(edit)
        _aggregated(edit, edit.partial.aggregates[-1])
    return []


def _taken_away(edit: Edit, numbers: list[Expression], named: list[str]) -> None:
    form, said = edit.form, {plainly(e, edit.metadata) for e in numbers}
    left = tuple(c for c in form.measures if plainly(c.expression, edit.metadata) not in said)
    if len(left) == len(form.measures):
        left = _less(edit, named)
    if not left or len(left) == len(form.measures):
        raise Unfit("that number is not shown" if left else "nothing would be shown any more")
    edit.form = form.with_(measures=left)


def _added(edit: Edit, numbers: list[Expression], named: list[str]) -> None:
    form = edit.form
    shown = {plainly(e, edit.metadata) for e in shown_numbers(form)}
    more = [Clause(e) for e in numbers if plainly(e, edit.metadata) not in shown]
    again = {path for e in shown for path in paths_of(e)} >= {_made_of(path, edit.metadata) for path in named}
    if not more or named and again and not says_how(edit):
        raise Unfit("it is shown already")
    edit.form = form.with_(measures=(*form.measures, *more))


def _said_so(edit: Edit, path: str) -> Expression | None:
    """A number that was named, put together as was said of nothing else: ``how are they rated on average``."""
    said = edit.partial.aggregates
    if not said or kind_of(edit.metadata, path) != "number":
        return None
    return number_of(edit, Measured(0, said[-1], path))


def plainly(number: Expression, metadata: Metadata) -> Expression:
    """A number of the model as what it is put together of, where that is known: the same however it was said."""
    if not isinstance(number, Aggregate) or number.function != "measure" or not isinstance(number.of, Member):
        return number
    plain = metadata.plain(Measure(number.of.path, "measure"))
    if plain.aggregate == "measure":
        return number
    if plain.member is None:
        return ROWS
    return replace(number, function=plain.aggregate, of=Member(plain.member))  # type: ignore[arg-type]  # an aggregate


def _less(edit: Edit, named: Sequence[str]) -> tuple[Clause, ...]:
    """The numbers without the one that is made of what was named, whatever is done with it: ``drop the fees``."""
    gone = {_made_of(path, edit.metadata) for path in named}
    made = [clause for clause in edit.form.measures if paths_of(plainly(clause.expression, edit.metadata)) & gone]
    return (
        tuple(clause for clause in edit.form.measures if clause not in made) if len(made) == 1 else edit.form.measures
    )


def _tested(edit: Edit) -> set[str]:
    """The members that rows are compared by."""
    return {clause.path for clause in clauses_of(edit, Tested) if clause.path and not clause.function}


def _made_of(path: str, metadata: Metadata) -> str | None:
    """The member that a number of the model puts together, or the number itself."""
    return metadata.plain(Measure(path, "measure")).member if kind_of(metadata, path) == "measure" else path


def _counts(number: Expression, metadata: Metadata) -> bool:
    return aggregate_of(number, metadata) in ("rows", "count", "count_distinct")


def _each_of_periods(edit: Edit) -> None:
    """``average per month`` of a total: of each row, or of the months' totals."""
    grained = any(clause.grain for clause in clauses_of(edit, Grouped))
    if grained and any(adds_up(number, edit.metadata) for number in shown_numbers(edit.form)):
        raise Unfit("an average per unit of time of numbers that add up has to be asked for in a whole question")


def _counted(edit: Edit, clause: Measured) -> Expression | None:
    """``how many were overdue``: rows of which something holds."""
    known = edit.metadata.members.get(clause.path or "")
    if known is None or known.type != "boolean" or clause.function not in ("count", "count_distinct"):
        return None
    reach(edit, known.path)
    edit.form = with_conditions(edit.form, added(conditions_of(edit.form), [Holds(Member(known.path))]))
    return ROWS


def _liked(edit: Edit, new: list[Expression]) -> None:
    """Speak for numbers that are put together as those that are shown: "the departure delay" after an average."""
    old, metadata = shown_numbers(edit.form), edit.metadata
    of = aggregate_of(old[0], metadata) if old else ""
    ranked = of == "count" and edit.partial.best is not None  # "in which month did it cancel the most"
    if (of in _PUT_TOGETHER or ranked) and all(_is_put_together(e, of, metadata) for e in new):
        edit.cost -= 6.0


def _is_put_together(number: Expression, of: str, metadata: Metadata) -> bool:
    """Whether a number is so, by its function or, where the model defines it otherwise, by its name."""
    return of in (aggregate_of(number, metadata), *number_words(number, metadata))


def _come_to(edit: Edit, new: list[Expression]) -> None:
    """Speak for what rows come to, beside how many there are: ``and the fees``."""
    old = shown_numbers(edit.form)
    if old and all(counts_rows(e, edit.metadata) for e in old) and all(_flows(e, edit.metadata) for e in new):
        edit.cost -= 3.0


def _names_rows(edit: Edit) -> bool:
    """Whether nothing is named but the rows of a form, which shows how many there are beside another number."""
    root, said = (relations_of(edit.form) or ("",))[0], edit.partial.clauses
    rows = [one for one in said if isinstance(one, Subject) and one.relation == root]
    return len(rows) == len(said) == 1 and len(edit.form.measures) > 1


def is_amount(number: Expression, metadata: Metadata) -> bool:
    """Whether what a number is made of is what many rows come to."""
    plain = plainly(number, metadata)
    path = plain.of.path if isinstance(plain, Aggregate) and isinstance(plain.of, Member) else ""
    return path in metadata.members and (metadata.is_flow(path) or path in amounts(metadata))


def _flows(number: Expression, metadata: Metadata) -> bool:
    """Whether a number is what many rows come to."""
    return is_amount(number, metadata) and adds_up(number, metadata)


def _replaced(edit: Edit, new: list[Expression]) -> None:
    """Other numbers in the place of those that were shown; what was ranked by one is ranked by the other."""
    form = edit.form
    old = shown_numbers(form)
    points = (
        edit.heard.points and not edit.says("follow", "and") and edit.partial.clauses and not clauses_of(edit, Grouped)
    )
    by = any(clause not in edit.before.form.groups for clause in form.groups)
    if points and form.groups and new == [ROWS] and not (by or _OF_EACH.search(edit.heard.text)):
        if form.having or form.limit is not None:
            raise Unfit("rows of some groups only")
        form = form.with_(groups=(), order=(), limit=None)
    _liked(edit, new)
    if edit.says("instead"):
        _come_to(edit, new)
    kept = _kept(edit, new)
    if kept is not None:
        edit.form = form.with_(measures=kept)
        return
    if edit.heard.points and form.limit is not None and (focus := focused(edit)):  # of those that were shown
        form = with_conditions(form, [*conditions_of(form), *focus]).with_(limit=None, order=())
    order = tuple(replace(o, by=new[0]) if o.by in old else o for o in form.order)
    # A bound on a number that is shown no longer would leave groups out unseen.
    having = tuple(f for f in form.having if not any(paths_of(f.condition) & paths_of(e) for e in old))
    edit.form = form.with_(measures=tuple(Clause(e) for e in new), order=order, having=having)


def _kept(edit: Edit, new: list[Expression]) -> tuple[Clause, ...] | None:
    """The numbers with the one that was named (``replace fines with renewals``) exchanged; None: all are."""
    form = edit.form
    gone = [c for c in form.measures if is_named(c.expression, edit.heard.swapped, edit.metadata)]
    if len(form.measures) < 2 or len(gone) != 1 or len(new) != 1:
        return None
    return tuple(Clause(new[0]) if clause is gone[0] else clause for clause in form.measures)


def _aggregated(edit: Edit, function: str) -> None:
    """``and the median?``"""
    if _THEIRS.search(edit.heard.text) and _of_them_all(edit, function):
        return
    changed = [with_function(clause, function, edit.metadata) for clause in edit.form.measures]
    if not changed or any(clause is None for clause in changed):
        edit.form = _of_each_shown(edit, function)
        return
    made = [clause for clause in changed if clause is not None]
    if edit.says("add") and not edit.says("instead"):
        edit.form = edit.form.with_(measures=(*edit.form.measures, *made))
        return
    renamed = dict(zip(shown_numbers(edit.form), (clause.expression for clause in made), strict=True))
    order = tuple(replace(o, by=renamed.get(o.by, o.by)) for o in edit.form.order)
    edit.form = edit.form.with_(measures=tuple(made), order=order)


def _of_each_shown(edit: Edit, function: str) -> Form:
    """``on average`` of how many flights each plane made: of the numbers of all of them."""
    form, shown = edit.form, shown_numbers(edit.form)
    counts = bool(form.groups) and all(counts_rows(one, edit.metadata) for one in shown)
    alone = _FOLD_ALONE.match(edit.heard.text) is not None  # "what do they loan on average" is of something else
    if not alone or not counts or form.limit is not None or form.having:
        raise Unfit("no number that can be put together so")
    folded = tuple(Clause(Aggregate(function, Output(one))) for one in shown)  # type: ignore[arg-type]  # an aggregate
    named = [clause.expression for clause in form.groups if isinstance(clause.expression, Member)]
    unnamed = [one for one in named if edit.metadata.profile(one.path).missing]  # rows without a plane are of none
    known = [*conditions_of(form), *(Missing(one, negated=True) for one in unnamed)]
    return Form(with_conditions(form, known).with_(order=()), measures=folded)


def _of_them_all(edit: Edit, function: str) -> bool:
    """``and their average`` of a list, or of a number of each: one number of all that are shown."""
    form = edit.form
    if form.limit is not None or form.having or len(form.groups) > 1:
        return False
    if form.columns:
        shown = [clause.expression for clause in form.columns]
        numbers = [one for one in shown if isinstance(one, Member) and kind_of(edit.metadata, one.path) == "number"]
        if len(numbers) != 1:
            raise Unfit("it is not clear which number of them is meant")
        made: tuple[Clause, ...] = (Clause(Aggregate(function, numbers[0])),)  # type: ignore[arg-type]  # an aggregate
    else:
        told = [clause for clause in form.measures if aggregate_of(clause.expression, edit.metadata) == "avg"]
        changed = [with_function(clause, function, edit.metadata) for clause in told]
        made = tuple(clause for clause in changed if clause is not None)
        if not form.groups or not made or len(made) < len(form.measures) or not _is_of_rows(form):
            return False
    edit.form = form.with_(groups=(), columns=(), measures=made, order=())
    return True


def _is_of_rows(form: Form) -> bool:
    """Whether the groups are of the relation whose numbers are shown."""
    roots = {path.split(".", 1)[0] for path in paths_of((form.groups, form.measures))}
    return len(roots) == 1


def share(edit: Edit) -> None:
    if not edit.partial.percent:
        return
    before = conditions_of(edit.before.form)
    new = [c for c in conditions_of(edit.form) if c not in before]
    asked = [c for c in new if isinstance(c, Holds)]
    if new and before and not edit.form.groups and _OF_THEM.search(edit.heard.text):
        edit.form = _rate_among(edit.form, new, before)
    elif len(asked) == 1 and not edit.says("only", "keep", "remove", "follow"):  # "the share that was finished"
        edit.form = as_rate(edit.form.with_(measures=(Clause(ROWS),), order=(), limit=None), edit.metadata, before)
    else:
        of = edit.before.form.measures
        if len(of) > 1 and _members_in(of, edit.metadata) == _members_in(edit.form.measures, edit.metadata):
            edit.form = edit.form.with_(measures=of)  # "of the total": of what was shown, and no other number of it
        edit.form = as_share(edit.form, edit.metadata)


_OF_THEM = re.compile(r"\b(?:of|among) (?:all (?:of )?)?(?:them|those|these)\b", re.IGNORECASE)


def _rate_among(form: Form, some: Sequence[Condition], every: Sequence[Condition]) -> Form:
    """How much of the rows that were counted before meets what is said now: ``of them, what percentage was late``."""
    wanted = some[0] if len(some) == 1 else And(tuple(some))
    ratio = Ratio(Aggregate("rows", where=wanted), ROWS, True)
    return with_conditions(form, every).with_(measures=(Clause(ratio),), order=(), limit=None)


def _members_in(measures: Sequence[Clause], metadata: Metadata) -> set[str]:
    """The members of rows that numbers are made of."""
    return {path for clause in measures for path in paths_of(plainly(clause.expression, metadata))}


def as_share(form: Form, metadata: Metadata) -> Form:
    """Each number as its share of the total.

    Raises
    ------
    Unfit
        If the numbers of the groups do not add up to one.
    """
    if not form.groups:
        return as_rate(form, metadata)
    whole = [clause.expression for clause in form.measures if _makes_a_whole(clause.expression, metadata)]
    if not whole:
        raise Unfit("numbers that do not add up")
    shares = {number: Over("share", as_kept(number)) for number in whole}
    order = tuple(replace(o, by=shares.get(o.by, o.by)) for o in form.order)
    return form.with_(measures=tuple(Clause(share) for share in shares.values()), order=order)


def _makes_a_whole(number: Expression, metadata: Metadata) -> bool:
    """Whether groups have shares of a number; the average of a level beside it has none."""
    return adds_up(as_kept(number), metadata) and (adds_up(number, metadata) or is_amount(number, metadata))


def as_rate(form: Form, metadata: Metadata, known: Sequence[Condition] = ()) -> Form:
    """How much of all rows meets the conditions that are not about time, nor ``known`` before the others.

    Raises
    ------
    Unfit
        If rows are not counted, or nothing is asked of them.
    """
    old = shown_numbers(form)
    if len(old) != 1 or not counts_rows(old[0], metadata):
        raise Unfit("only rows have a rate")
    grouped = {path for clause in form.groups for path in paths_of(clause.expression)}
    kept: list[Condition] = []
    asked: list[Condition] = []
    for condition in conditions_of(form):
        before = condition in known and len(known) < len(conditions_of(form))
        (kept if before or _timed(condition) or paths_of(condition) & grouped else asked).append(condition)
    if not asked and any(not _timed(condition) for condition in known):
        return as_rate(form, metadata)  # a time is said last: the share is of what was said before it
    if not asked:
        raise Unfit("nothing to take a share of")
    wanted = asked[0] if len(asked) == 1 else And(tuple(asked))
    ratio = Ratio(Aggregate("rows", where=wanted), ROWS, True)
    order = tuple(replace(o, by=ratio) if o.by == old[0] else o for o in form.order)
    return with_conditions(form, kept).with_(measures=(Clause(ratio),), order=order)


def with_share(form: Form, metadata: Metadata) -> Form:
    """Each number with how much of all that is, beside it.

    Raises
    ------
    Unfit
        If it is not of numbers that add up, or not some of all rows that were counted.
    """
    made = as_share(form.with_(limit=None), metadata) if form.groups else as_rate(form, metadata)
    shares = [clause.expression for clause in made.measures]
    old = [of.above if isinstance(of, Ratio) else of.of for of in shares if isinstance(of, (Ratio, Over))]
    both = [of for pair in zip(old, shares, strict=True) for of in pair if of is not None]
    return made.with_(measures=tuple(Clause(of) for of in both), order=form.order, limit=form.limit)


def counts_rows(expression: Expression, metadata: Metadata) -> bool:
    """Whether a number is how many rows there are, by itself or by the model's measure."""
    if expression == ROWS:
        return True
    if (
        not isinstance(expression, Aggregate)
        or expression.function != "measure"
        or not isinstance(expression.of, Member)
    ):
        return False
    plain = metadata.plain(Measure(expression.of.path, "measure"))
    return plain.aggregate == "count" and plain.member is None


def _timed(condition: Condition) -> bool:
    return any(isinstance(part, (Part, Truncated)) for part in parts(condition, inner=False)) or any(
        hasattr(getattr(part, "value", None), "isoformat") for part in parts(condition, inner=False)
    )


def adds_up(expression: Expression, metadata: Metadata) -> bool:
    """Whether numbers of groups make that of the whole together."""
    if not isinstance(expression, Aggregate):
        return False
    if expression.function == "measure" and isinstance(expression.of, Member):
        known = metadata.members.get(expression.of.path)
        return known is not None and known.agg_type in ("sum", "count")
    return expression.function in ("rows", "count", "sum")
