"""Groups, and columns of a list, that a turn adds, takes away or puts in the place of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from .... import patterns as re
from ..assembly.namesakes import is_shared_name
from ..calendar.units import shift
from ..forms import ROWS, Clause, Compare, Condition, Expression, Form, Member, OneOf, Or, Over, Part, Range, Truncated
from ..forms.names import column_names
from ..forms.walking import changed, has_aggregate, parts
from ..grammar.clauses import Best, Grouped, Shown, Subject, Tested
from ..lexicon import load_lexicon
from ..schema.derivations import expression_of
from ..schema.directions import fit_of
from ..schema.member_kinds import is_of_days, kind_of, labels_of
from ..schema.metadata import Metadata
from ..walk.times import auto_grain
from .conditions import added, among, conditions_of, ends_of, negated, with_conditions
from .editing import Edit, Unfit, aggregate_of, clauses_of, is_weak, reach
from .expressing import group_clauses, is_named, is_time, members_of, paths_of, relations_of, with_function
from .hours import are_hours_of_many_days
from .thread import Earlier

__all__ = [
    "all_but_shown",
    "different",
    "focus_of",
    "focused",
    "group",
    "is_pinned",
    "looked_at",
    "says_by",
    "says_how",
]

_FOCUSED = 20
_ALSO = re.compile(r"\b(?:also|too|as well|add|additionally|their|its)\b", re.IGNORECASE)
_SAME = re.compile(
    r"^\W*(?:(?:and|now|please|ok|okay|then|show|do|give|me)\s+)*(?:the\s+)?same(?:\s+thing)?\s+"
    r"(?:for|by|but by|with|but for)\b",
    re.IGNORECASE,
)  # "top 5 start zones": "same for end zones"
_UNITS = frozenset(("day", "week", "month", "quarter", "year"))
_FILTER = re.compile(r"\b(?:filters?|conditions?|restrictions?)\W*$", re.IGNORECASE)
_HAVING = re.compile(r"^\W*(?:the ones |those )?(?:with|having|that have|which have|who have)\b", re.IGNORECASE)
_ONES = re.compile(r"\w\s+ones?\W*$", re.IGNORECASE)
_APART = re.compile(r"\band\b|[,/&+]|\bby\b.*\bby\b|\bper\b.*\bper\b", re.IGNORECASE)
_SHOW = re.compile(
    r"^\W*(?:(?:and|also|now|please|can you|could you|i (?:need|want)|so|ok|okay)\W+)*"
    r"(?:show|give|list|tell|add|see|get)\b",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"^\W*(?:(?:and|also|now|please|can you|could you|i (?:need|want)|so|ok|okay)\W+)*"
    r"(?:(?:show|give|list|tell|add|see|get)\b|what(?:['’]?s| is| are| were| was)?\b|and\b|with\b)?.*"
    r"\b(?:their|its|his|her)\s+\w",
    re.IGNORECASE,
)
_BY = re.compile(r"^\W*(?:by|per|for each|for every)\b", re.IGNORECASE)
_WHICH_END = re.compile(r"^\W*(?P<end>from|to)\s+(?:which|what)\b", re.IGNORECASE)
_ASKED = re.compile(r"^\W*(?:which|what|who|list|by|per|for each|for every)\b", re.IGNORECASE)
_GROUPING = re.compile(r"\b(?:by|per|each|every)\b", re.IGNORECASE)
_BESIDE = 2  # words apart
_FAR = 1000
_BARS = 100  # values of a number that groups are made of as they are


def different(edit: Edit) -> str:
    """The member whose different values are to be counted in the place of a number: ``unique agents instead``."""
    wanted = edit.says("instead", "replace", "follow", "add", "too", "correct") and not edit.says("split", "remove")
    if not (edit.partial.distinct and wanted and edit.form.measures) or says_by(edit):
        return ""
    said = [c for c in edit.partial.clauses if isinstance(c, (Grouped, Shown, Subject))]
    if len(said) != 1 or len(said) != len(edit.partial.clauses):
        return ""
    relation = said[0].relation if isinstance(said[0], (Grouped, Subject)) else ""
    return (edit.metadata.key_of(relation) or "") if relation else getattr(said[0], "path", "")


def group(edit: Edit) -> None:
    if different(edit):
        return
    owners = _owners(edit)
    new = [
        expression
        for clause in clauses_of(edit, Grouped)
        if clause.relation not in owners
        for expression in (*group_clauses(clause, edit.form, edit.metadata), *_key_beside(clause, edit.metadata))
    ]
    new += [expression for clause in clauses_of(edit, Shown) for expression in _shown_as_group(edit, clause)]
    subjects = [clause for clause in clauses_of(edit, Subject) if clause.relation not in owners]
    new += [Member(path) for clause in subjects for path in _subject(edit, clause)]
    if not new and edit.says("split") and edit.form.measures:  # "into open and closed"
        tested = [clause.path for clause in clauses_of(edit, Tested) if clause.path and not clause.function]
        new = [expression_of(path) for path in tested]
    if _is_told_of_rows(edit):
        _beside_their_names(edit)
        return
    if edit.form.columns and edit.form.limit is None and edit.partial.counting:
        edit.form = edit.form.with_(columns=(), order=(), measures=(Clause(ROWS),))
    if not new:
        if edit.form.columns:
            _columns(edit)
        return
    rows_of = edit.says("only") and not _BY.match(edit.heard.rest)
    if rows_of and (is_weak(edit.partial) or _HAVING.match(edit.heard.rest) or _ONES.search(edit.heard.rest)):
        raise Unfit("only some of the rows are meant, and no value is called so")
    if _are_rows(edit) and edit.form.measures:
        _of_each_row(edit)
        return
    new = list(dict.fromkeys(new))
    if ("grain:weekend:alone", 1.0) in edit.partial.features and not _BY.match(edit.heard.rest):
        raise Unfit("only one of both halves of the week is said, so that nothing is told apart by them")
    if any(_is_hour_of_days(one, edit.metadata) for one in new):
        raise Unfit("these rows have days and no hours")
    if _leads_elsewhere(edit, new):
        raise Unfit("it is of the other end of the way")
    if (kind := _kind_of_value(edit, new)) and edit.form.measures:
        raise Unfit(f"{kind} says of what kind the value beside it is")
    if edit.form.measures:
        new = [_as_grouped(one, edit) for one in _in_units(new, edit.metadata)]
    reach(edit, *(member.path for member in members_of(tuple(new))))
    if edit.form.columns:
        _listed(edit, new)
    else:
        _regrouped(edit, new)


def _key_beside(clause: Grouped, metadata: Metadata) -> list[Expression]:
    """What tells namesakes apart, where rows are spoken of that are called by names: ``per customer``."""
    if not clause.relation:
        return []
    label, key = metadata.label_of(clause.relation), metadata.key_of(clause.relation)
    if label is None or key is None or key == label or key not in metadata.members:
        return []
    return [Member(key)] if is_shared_name(label, metadata) else []


def _leads_elsewhere(edit: Edit, new: Sequence[Expression]) -> bool:
    """``from which airports``: of where a way begins, and not of where it ends."""
    said = _WHICH_END.match(edit.heard.rest)
    if said is None:
        return False
    paths = [path for path in paths_of(tuple(new)) if path in edit.metadata.members]
    return any(fit_of(edit.metadata, path, said["end"].lower()) < 0 for path in paths)


def _is_hour_of_days(of: Expression, metadata: Metadata) -> bool:
    """Whether a group is the hour of what has none: ``add their hours`` is of no time of day."""
    hour = isinstance(of, Truncated) and of.grain == "hour" or isinstance(of, Part) and of.part == "hour"
    return hour and any(is_of_days(metadata, path) for path in paths_of(of) if path in metadata.members)


def _is_told_of_rows(edit: Edit) -> bool:
    """Whether something is told of each of the rows that were counted: ``show their phone numbers``."""
    form, root = edit.form, (relations_of(edit.form) or ("",))[0]
    counted = [aggregate_of(clause.expression, edit.metadata) for clause in form.measures]
    if form.groups or not counted or not set(counted) <= {"rows", "count"} or form.having:
        return False
    if says_by(edit) or says_how(edit) or _THEIRS.match(edit.heard.text) is None:
        return False
    told = _told_of_them(edit)
    if len(told) != len(edit.partial.clauses):
        if _SHOW.match(edit.heard.text):
            raise Unfit("each of them is asked for, and no number of them all")
        return False
    names = labels_of(edit.metadata, root)
    each = _SHOW.match(edit.heard.text) or any(_tells_apart(path, edit.metadata) for path in told if path not in names)
    own = all(path.split(".", 1)[0] == root and kind_of(edit.metadata, path) != "measure" for path in told)
    return bool(told and own and (each or set(told) <= set(names)))


def _tells_apart(path: str, metadata: Metadata) -> bool:
    """Whether almost each row has a value of its own, by which no rows are grouped."""
    profile = metadata.profile(path)
    return kind_of(metadata, path) != "number" and (profile.unique or 2 * profile.distinct > profile.rows > 0)


def _told_of_them(edit: Edit) -> list[str]:
    plain = (one for one in clauses_of(edit, Grouped) if not (one.grain or one.relation or one.test))
    return [clause.path for clause in (*clauses_of(edit, Shown), *plain)]


def _beside_their_names(edit: Edit) -> None:
    root = (relations_of(edit.form) or ("",))[0]
    told = _told_of_them(edit)
    shown = dict.fromkeys([*(labels_of(edit.metadata, root) or (edit.metadata.key_of(root),)), *told])
    columns = tuple(Clause(Member(path)) for path in shown if path)
    edit.form = edit.form.with_(columns=columns, measures=(), order=())


def _owners(edit: Edit) -> set[str]:
    """The relations that are named beside one of their columns, and only say whose it is: ``per guest town``."""
    if not edit.form.measures or _APART.search(edit.heard.rest):
        return set()
    named = {clause.relation for clause in (*clauses_of(edit, Grouped), *clauses_of(edit, Subject)) if clause.relation}
    columns = [c.path for c in (*clauses_of(edit, Grouped), *clauses_of(edit, Shown)) if "." in (c.path or "")]
    return named & {path.split(".", 1)[0] for path in columns}


def _kind_of_value(edit: Edit, new: Sequence[Expression]) -> str:
    """What was named of a value beside it, and is no group: ``for cargo bikes``, of a ``bike_type``."""
    if edit.says("split", "add") or says_by(edit) or _ASKED.match(edit.heard.rest) or _GROUPING.search(edit.heard.rest):
        return ""
    shown = (*clauses_of(edit, Grouped), *clauses_of(edit, Shown))
    named = {c.path: c.place for c in shown if c.path and "." in c.path}  # rows themselves are of no column
    for clause in clauses_of(edit, Tested):
        beside = abs(named.get(clause.path or "", _FAR) - clause.place) <= _BESIDE
        if beside and clause.operator == "=" and len(clause.values) == 1 and Member(clause.path or "") in new:
            return edit.metadata.words_of(clause.path or "")[-1]
        if (of_same := _of_the_same_noun(edit, clause, named)) and Member(of_same) in new:
            return edit.metadata.words_of(of_same)[0]
    return ""


def _of_the_same_noun(edit: Edit, clause: Tested, named: Mapping[str, int]) -> str:
    """The column right behind a value whose noun is that of the value's own column: ``trade customers``, of a
    ``customer_type``, are no group by ``customer_name``.
    """
    own = edit.metadata.parts(clause.path) if clause.path else ()
    behind = (path for path, place in named.items() if 0 < place - clause.place <= _BESIDE and path != clause.path)
    return next((path for path in behind if len(own) > 1 and edit.metadata.parts(path)[:1] == own[:1]), "")


def _as_grouped(new: Expression, edit: Edit) -> Expression:
    """``peak hour`` of hours of the day: what was grouped so is ranked, and no hour of one day; nor is ``by hour`` of
    many days.
    """
    if isinstance(new, Truncated) and new.grain == "hour" and are_hours_of_many_days(new.of, edit):
        return Part(new.of, "hour")
    ranked = edit.partial.best is not None or bool(clauses_of(edit, Best))
    for clause in edit.form.groups if ranked and isinstance(new, Truncated) else ():
        old = clause.expression
        if isinstance(old, Part) and isinstance(new, Truncated) and (old.of, old.part) == (new.of, new.grain):
            return old
    return new


def _in_units(new: list[Expression], metadata: Metadata) -> list[Expression]:
    """Moments as units of time: each moment of its own says nothing, and beside its month it says too much."""
    units = {one.of for one in new if isinstance(one, (Truncated, Part))}
    found: list[Expression] = []
    for one in new:
        path = one.path if isinstance(one, Member) else ""
        if path not in metadata.members or not metadata.is_time(path) or metadata.profile(path).distinct <= _BARS:
            found.append(one)
        elif one not in units:
            found.append(Truncated(one, auto_grain(metadata, path)))  # type: ignore[arg-type]  # one of the grains
    return list(dict.fromkeys(found))


def _are_rows(edit: Edit) -> bool:
    """Whether the rows that are counted are named as the group: ``per lesson``."""
    said = clauses_of(edit, Grouped)
    root = (relations_of(edit.form) or ("",))[0]
    return bool(root) and len(said) == len(edit.partial.clauses) == 1 and said[0].relation == root


def _of_each_row(edit: Edit) -> None:
    """A sum for each row is an average; what is one for each row says nothing."""
    if any(aggregate_of(clause.expression, edit.metadata) != "sum" for clause in edit.form.measures):
        raise Unfit("each of these is a row of its own; name what they should be grouped by")
    made = [with_function(clause, "avg", edit.metadata) for clause in edit.form.measures]
    if any(clause is None for clause in made):
        raise Unfit("no number that can be put together so")
    renamed = {old.expression: new.expression for old, new in zip(edit.form.measures, made, strict=True) if new}
    order = tuple(replace(one, by=renamed.get(one.by, one.by)) for one in edit.form.order)
    edit.form = edit.form.with_(measures=tuple(clause for clause in made if clause), order=order)


def _shown_as_group(edit: Edit, clause: Shown) -> list[Expression]:
    kind = kind_of(edit.metadata, clause.path)
    if edit.form.columns or kind == "measure" or kind == "number" and not says_by(edit):
        return []
    if kind == "number" and edit.heard.step is None and edit.metadata.profile(clause.path).distinct > _BARS:
        raise Unfit("it has too many values to group by as they are; say it in steps of some size")
    return [expression_of(clause.path)]


@cache
def _aggregate() -> re.Pattern[str]:
    """What says how a number is put together, or ranked."""
    words = load_lexicon().saying("aggregate", "count", "superlative", "percent")
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))}|number)(?!\w)", re.IGNORECASE
    )


def says_by(edit: Edit) -> bool:
    """Whether a turn names nothing but groups: ``what about by age``."""
    return bool(_BY.match(edit.heard.rest)) and not says_how(edit)


def says_how(edit: Edit) -> bool:
    """Whether a turn says how a number is put together, or ranked."""
    return _aggregate().search(edit.heard.rest) is not None


def _subject(edit: Edit, clause: Subject) -> tuple[str, ...]:
    """The labels of rows that are asked for, unless they are the ones looked at."""
    known = relations_of(edit.form) or ()
    if edit.form.measures and _is_of_value(edit, clause):
        return ()
    if known and clause.relation == known[0] or edit.form.columns and clause.relation in known:
        return ()
    if edit.form.columns or edit.partial.best is not None or clauses_of(edit, Best) or edit.form.measures:
        edit.cost += 0.4
        return labels_of(edit.metadata, clause.relation)
    raise Unfit("rows of another kind")


def _is_of_value(edit: Edit, clause: Subject) -> bool:
    """Whether rows are named behind a value of theirs that says which: ``just Korean films``."""
    ranked = edit.partial.best is not None or bool(clauses_of(edit, Best))
    asked = _ASKED.match(edit.heard.rest) is not None
    behind = edit.says("only", "keep", "follow")  # "just guests from Wales"
    said = [c for c in clauses_of(edit, Tested) if c.path and not c.function and (behind or c.place < clause.place)]
    return not (ranked or asked) and any((c.path or "").split(".", 1)[0] == clause.relation for c in said)


def _regrouped(edit: Edit, new: list[Expression]) -> None:
    form = edit.form
    if not form.measures:
        _told_apart_by(edit, new)
        return
    old = [clause.expression for clause in form.groups]
    if edit.says("remove"):
        if _FILTER.search(edit.heard.text):
            _unfiltered(edit, paths_of(tuple(new)))
            return
        gone = [e for e in old if paths_of(e) & paths_of(tuple(new))]
        if not gone:
            _unfiltered(edit, paths_of(tuple(new)))
            return
        _group_by(edit, [e for e in old if e not in gone])
        return
    one = form.limit is not None and form.limit.count == 1 and bool(_BY.match(edit.heard.rest))
    if form.limit is not None and not edit.says("instead") and (edit.says("split") or edit.heard.points or one):
        focus = focused(edit)
        if focus:
            edit.form = with_conditions(edit.form, added(conditions_of(edit.form), focus))
            kept = [] if form.limit.count == 1 else old
            edit.form = edit.form.with_(limit=None)
            _group_by(edit, list(dict.fromkeys([*kept, *new])))
            return
    told = edit.heard.points or edit.says("add")
    if told and not _BY.match(edit.heard.rest) and _tells_of(new, old, edit.metadata):
        _group_by(edit, list(dict.fromkeys([*old, *new])))
        edit.form = edit.form.with_(order=form.order, limit=form.limit)  # they are as many, and in their order
        return
    gone = [e for e in old if is_named(e, edit.heard.swapped, edit.metadata)]
    if len(gone) == 1 and len(old) > 1:
        place = old.index(gone[0])
        _group_by(edit, [*old[:place], *new, *old[place + 1 :]])
        return
    if edit.says("split", "add") and not edit.says("instead") and not _is_of_another_kind(edit, new, old):
        slots = {_slot(e, edit.metadata) for e in new}
        kept = [e for e in old if _slot(e, edit.metadata) not in slots]
        _group_by(edit, [*kept, *new])
    else:
        apart = [
            one
            for one in _set_beside(edit, old)
            if _slot(one, edit.metadata) not in {_slot(e, edit.metadata) for e in new}
        ]
        _group_by(edit, [*apart, *_in_place(old, new, edit.metadata)])


def _is_of_another_kind(edit: Edit, new: list[Expression], old: list[Expression]) -> bool:
    """``and per team?`` after the five best players: no group within them, since each has one team alone."""
    said = "and" in edit.heard.acts and _ALSO.search(edit.heard.text) is None
    labels = [one.path for one in old if isinstance(one, Member)]
    owners = {path.split(".", 1)[0] for path in labels if path in labels_of(edit.metadata, path.split(".", 1)[0])}
    kinds = {one.relation for one in new if isinstance(one, Member) and one.path not in labels}
    return said and edit.form.limit is not None and len(old) == len(labels) and bool(kinds) and kinds <= owners


def _set_beside(edit: Edit, groups: Sequence[Expression]) -> list[Expression]:
    """The group that tells apart what was set beside each other: of both together nobody asked."""
    if edit.says("instead", "correct") or not groups:
        return []
    known = conditions_of(edit.before.form)
    both = [one for one in known if isinstance(one, Or) or edit.before.compares and _is_of_several(one)]
    return [groups[0]] if any(paths_of(groups[0]) & paths_of(one) for one in both) else []


def _is_of_several(condition: Condition) -> bool:
    """Whether a condition holds several values, or periods one after the other."""
    return isinstance(condition, Range) or isinstance(condition, OneOf) and not condition.negated


def _tells_of(new: list[Expression], old: list[Expression], metadata: Metadata) -> bool:
    """Whether something is told of each of those who are shown: ``their emails`` beside their names."""
    if len(new) != 1 or len(old) != 1 or not isinstance(new[0], Member) or not isinstance(old[0], Member):
        return False
    relation = old[0].relation
    known = (metadata.label_of(relation), metadata.key_of(relation), *labels_of(metadata, relation))
    return new[0].relation == relation and old[0].path in known and new[0].path not in known


def _told_apart_by(edit: Edit, new: list[Expression]) -> None:
    """What a list of different values shows besides them, or no longer."""
    old = [clause.expression for clause in edit.form.groups]
    if not edit.says("add", "and", "too", "remove", "instead", "correct"):
        raise Unfit("nothing to group")
    gone = edit.says("remove")
    left = [one for one in old if one not in new] if gone else list(dict.fromkeys([*old, *new]))
    if not old or not left or gone and len(left) == len(old):
        raise Unfit("nothing to group")
    shown = new if edit.says("instead", "correct") else left
    edit.form = edit.form.with_(groups=tuple(Clause(one) for one in shown))


def _unfiltered(edit: Edit, paths: set[str]) -> None:
    """``drop the genre filter``."""
    known = conditions_of(edit.form)
    left = [condition for condition in known if not paths_of(condition) & paths]
    if len(left) == len(known):
        raise Unfit("it is not grouped by that")
    edit.form = with_conditions(edit.form, left)


def _slot(expression: Expression, metadata: Metadata) -> object:
    return "time" if is_time(expression, metadata) else expression


def _in_place(old: list[Expression], new: list[Expression], metadata: Metadata) -> list[Expression]:
    """The groups that were said; a grain of time takes the place of the one that was there, others stay beside it."""
    times = [e for e in new if is_time(e, metadata)]
    if len(new) == 1 and times and any(is_time(e, metadata) for e in old):
        return [times[0] if is_time(e, metadata) else e for e in old]
    return new


def _open(edit: Edit, groups: Sequence[Expression]) -> None:
    """Groups that are new, of which the rows before were of one alone: ``by species`` after dogs is of all species."""
    said = {condition for condition in conditions_of(edit.form) if condition not in conditions_of(edit.before.form)}
    new = [one for one in groups if one not in [clause.expression for clause in edit.form.groups]]
    known = conditions_of(edit.form)
    left = [
        one for one in known
        if one in said
        or not (_is_one(one, new) or isinstance(one, Compare) and one.operator == "=" and one.left in new)
    ]  # fmt: skip
    if len(left) < len(known):
        edit.form = with_conditions(edit.form, left)


def _is_one(condition: Condition, groups: Sequence[Expression]) -> bool:
    """Whether a period leaves one unit of time of a group: ``per year`` after 2024 is of all years."""
    ends = ends_of(condition)
    if ends is None or not isinstance(condition, Range):
        return False
    units = [one.grain for one in groups if isinstance(one, Truncated) and one.of == condition.of]
    low, high = (end.isoformat()[:10] for end in ends)
    return any(unit in _UNITS and shift(ends[0], unit, 1).isoformat()[:10] >= high > low for unit in units)


def is_pinned(condition: Condition, group: Expression) -> bool:
    """Whether a condition leaves a group one value alone."""
    return _is_one(condition, [group]) or isinstance(condition, Compare) and (condition.operator, condition.left) == (
        "=", group,
    )  # fmt: skip


def _group_by(edit: Edit, groups: list[Expression]) -> None:
    _open(edit, groups)
    form = edit.form
    known = {clause.expression: clause for clause in form.groups}
    clauses = tuple(known.get(e, Clause(e)) for e in dict.fromkeys(groups))
    measures = tuple(clause for clause in form.measures if not (isinstance(clause.expression, Over) and not clauses))
    measures = tuple(_along(clause, [each.expression for each in clauses], edit.metadata) for clause in measures)
    numbers = {clause.expression for clause in measures}
    order = tuple(o for o in form.order if (o.by in numbers and clauses) or any(o.by == c.expression for c in clauses))
    timed = any(is_time(c.expression, edit.metadata) for c in clauses if c not in form.groups)
    same = _SAME.match(edit.heard.text) is not None and len(clauses) == len(form.groups) and not timed
    if clauses != form.groups and (form.limit is not None or not clauses or timed) and not same:
        order = ()
    limit = form.limit if clauses == form.groups or same else None
    edit.form = form.with_(groups=clauses, measures=measures, order=order, limit=limit)
    if not clauses and form.having:
        edit.form = edit.form.with_(having=())


def _along(clause: Clause, groups: Sequence[Expression], metadata: Metadata) -> Clause:
    """A number that goes from period to period: along those that are grouped by now, in each of the other groups."""
    if not any(isinstance(one, Over) and one.order for one in parts(clause.expression)):
        return clause
    times = [one for one in groups if is_time(one, metadata)]
    if len(times) != 1:
        raise Unfit("it goes from one period to the next; say by which unit of time as well")
    rest = tuple(one for one in groups if one not in times)

    def step(one: Any) -> Any:
        if not isinstance(one, Over) or not one.order:
            return one
        return replace(one, order=tuple(replace(sort, by=times[0]) for sort in one.order), within=rest)

    return replace(clause, expression=changed(clause.expression, step))


def focused(edit: Edit) -> list[Condition]:
    """That rows belong to what the earlier result showed."""
    return focus_of(edit.before)


def focus_of(before: Earlier) -> list[Condition]:
    """That rows belong to the few that a result showed."""
    form = before.form
    names = dict(zip(column_names(form.shown), (clause.expression for clause in form.shown), strict=True))
    found = []
    for name, values in before.focus:
        # Parts of a time have a name of their own in the model's query; what is grouped comes first there.
        of = names.get(name) or (form.groups[0].expression if form.groups else None)
        if of is None or has_aggregate(of) or len(values) > _FOCUSED:
            continue
        condition = among(of, values)
        if condition is not None:
            found.append(condition)
    return found


def looked_at(before: Earlier) -> Earlier | None:
    """The earlier answer over nothing but the few that it showed; None where it was not cut to a few."""
    focus = focus_of(before)
    if not focus or before.form.limit is None:
        return None
    order = before.form.order if before.form.columns else ()
    form = with_conditions(before.form, added(conditions_of(before.form), focus))
    measures = tuple(_of_those_alone(clause) for clause in form.measures)
    form = form.with_(limit=None, order=order, having=(), measures=measures)
    return replace(before, form=form, focus=())


def _of_those_alone(clause: Clause) -> Clause:
    """The number that a share is of: of a few alone the shares are other ones."""
    of = clause.expression
    if isinstance(of, Over) and of.function == "share" and of.of is not None:
        return Clause(of.of)
    return clause


def all_but_shown(before: Earlier) -> Form | None:
    """``the others``: an earlier answer over all but the few that it showed; None where it was not cut to a few."""
    focus = focus_of(before)
    if len(focus) != 1 or before.form.limit is None or before.form.limit.per:
        return None
    return with_conditions(before.form, [*conditions_of(before.form), negated(focus[0])]).with_(limit=None)


def _columns(edit: Edit) -> None:
    new = [expression_of(clause.path) for clause in clauses_of(edit, Shown)]
    if new:
        reach(edit, *(member.path for member in members_of(tuple(new))))
        _listed(edit, new)


def _listed(edit: Edit, new: list[Expression]) -> None:
    """Further columns of a list; those that name its rows stay."""
    form = edit.form
    old = [clause.expression for clause in form.columns]
    if edit.says("remove"):
        left = [e for e in old if e not in new]
        if not left or len(left) == len(old):
            raise Unfit("it is not shown")
        shown = left
    elif edit.says("instead", "correct"):
        shown = new
    else:
        labels = [e for e in old if isinstance(e, Member) and _is_label(e.path, edit.metadata)]
        kept = old if edit.says("add") or len(old) <= 2 else labels or old[:2]
        shown = list(dict.fromkeys([*kept, *new]))
    edit.form = form.with_(columns=tuple(Clause(e) for e in shown))


def _is_label(path: str, metadata: Metadata) -> bool:
    return path in labels_of(metadata, path.split(".", 1)[0])
