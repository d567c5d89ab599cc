"""Conditions on rows and on groups that a turn says of an earlier form."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..forms import Compare, Condition, Expression, Filter, Form, Holds, OneOf, Or, Part, Range, Value
from ..forms.walking import parts
from ..grammar.clauses import SOME_TIME, Grouped, Measured, Shown, Tested, Timed, With
from ..grammar.conditions import condition_of, related_condition, time_condition
from ..grammar.units import converted
from ..linking.mentions import Mention
from ..schema.member_kinds import is_of_days, labels_of
from ..words.text import stem
from .conditions import (
    about,
    added,
    conditions_of,
    ends_of,
    merged,
    negated,
    restored,
    says_so,
    with_conditions,
    without,
    without_others,
)
from .editing import Edit, Unfit, clauses_of, number_of, reach
from .expressing import paths_of, relations_of, time_of
from .grouping import focused
from .moving import last_of, same_thing, swapped_roles, within_period
from .part_of_whole import other_part

_LACKS = re.compile(
    r"\b(?:without|excluding|exclude|except(?: for)?|not counting|not|leav(?:e|ing) out|(?:all|every\w+) but)\b",
    re.IGNORECASE,
)  # "drop" and "remove" may be said of the condition; these are said of the rows
_CONDITION = re.compile(r"\b(?:filter|condition|restriction|selection|limit)s?\b", re.IGNORECASE)

_BARE_NO = re.compile(
    r"^\W*(?:(?:and|but|please|ok|okay)\W+)*no\s+(?!only\b|just\b)[\w-]+(?:\s+[\w-]+)?\W*$", re.IGNORECASE
)
_AGAIN = re.compile(r"\b(?:again|after all|back(?: in)?)\W*$|^\W*(?:and |but )?keep\s.+\sin\W*$", re.IGNORECASE)
_ALL_BUT = re.compile(r"\b(?:all|any\w*|every\w*)\s+(?:but|except|other than|apart from|besides)\b", re.IGNORECASE)

_OF_WHICH = re.compile(r"^\W*(?:for|of|among|in|on|at|with|by|from|to)\b", re.IGNORECASE)

_PARTED = re.compile(
    r"^\W*(?:(?:and|now|then|please|ok|okay)\W+)*"
    r"(?:(?:split|break|broken|divide|group)(?: (?:it|that|this|them))?(?: down| up)? )?"
    r"(?:by|per) (?P<by>\w+(?: \w+)?)\W*$",
    re.IGNORECASE,
)

__all__ = ["compare_again", "conditions_said", "filter_groups", "filter_rows"]


def compare_again(edit: Edit) -> None:
    """``above 950``: another number, perhaps with another operator, in the comparison that is there."""
    number, wanted = edit.partial.number, edit.partial.compare
    for name in ("having", "where"):
        filters = list(getattr(edit.form, name))
        for place, item in reversed(list(enumerate(filters))):
            test = item.condition
            numeric = isinstance(test, Compare) and isinstance(test.right, Value) and _is_number(test.right.value)
            if (
                not numeric
                or number is None
                or number.number is None
                or wanted is not None
                and wanted.argument == "between"
            ):
                continue
            operator = wanted.argument if wanted is not None else test.operator
            filters[place] = Filter(replace(test, operator=operator, right=Value(_in_its_unit(number, test, edit))))
            edit.form = edit.form.with_(**{name: tuple(filters)})
            return
    raise Unfit("a comparison without its number or member")


def _in_its_unit(number: Mention, test: Compare, edit: Edit) -> float:
    """A number as what it is compared with is kept: twenty minutes of what is kept in seconds."""
    paths = paths_of(test.left)
    made = converted(edit.metadata, next(iter(paths)), number) if len(paths) == 1 else iter(())
    return next((value for value, _ in made), _whole(number.number or 0.0))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(number: float) -> float:
    return int(number) if float(number).is_integer() else number


def filter_rows(edit: Edit) -> None:
    said = sorted((c for c in edit.partial.clauses if isinstance(c, (Tested, Timed))), key=lambda c: c.place)
    said = _of_what_is_shown(edit, said)
    before, new = conditions_of(edit.form), set[object]()
    people = _people_left_out(edit, said)
    if people:
        named = [replace(half, operator="=") for one in people for half in one.terms if isinstance(half, Compare)]
        edit.form = with_conditions(edit.form, [*(one for one in before if one not in named), *people])
    apart = _both_ways(edit, said) if edit.says("split") else set()
    for clause in said if not people else ():
        if isinstance(clause, Tested) and (clause.function or clause.path in apart):
            continue
        if isinstance(clause, Tested) and _parted_by_one(edit, clause):
            raise Unfit("that is one of them, and nothing to tell them apart by; say by which column")
        for condition in conditions_said(edit, clause):
            placed = within_period(condition, before, edit.heard.text)
            placed = placed if edit.says("only", "keep") else last_of(placed, before, edit.heard.rest)
            if isinstance(clause, Timed) and about(placed) in new and not edit.says("remove", "opposite"):
                edit.form = with_conditions(edit.form, _in_one_turn(conditions_of(edit.form), placed))
            else:
                _condition(edit, placed, clause)
            new.add(about(placed))
    if said and edit.heard.swapped:
        _swapped_out(edit, new)
    if said and edit.form.limit is not None and edit.says("keep", "those"):
        edit.form = with_conditions(edit.form, [*conditions_of(edit.form), *focused(edit)])
    if edit.says("every"):
        _unfiltered(edit)
    for clause in clauses_of(edit, With):
        found = related_condition(edit.metadata, relations_of(edit.form) or (), clause.relation, clause.negated)
        if found is None:
            raise Unfit("no rows of that relation belong to these")
        edit.form = with_conditions(edit.form, added(conditions_of(edit.form), [found]))


def _of_what_is_shown(edit: Edit, said: list[Tested | Timed]) -> list[Tested | Timed]:
    """A value that several columns hold is of the one that is shown: ``without Old Town`` of average fares by start
    zone, and no rides that end there.
    """
    shown = paths_of(edit.form.groups)
    values = [_value_of(clause) for clause in said]
    kept = {value for clause, value in zip(said, values, strict=True) if value is not None and clause.path in shown}
    return [c for c, value in zip(said, values, strict=True) if value not in kept or c.path in shown]


def _value_of(clause: Tested | Timed) -> Expression | None:
    """What a clause wants a column to be."""
    test = condition_of(clause) if isinstance(clause, Tested) and clause.path and not clause.function else None
    return test.right if isinstance(test, Compare) else None


def _swapped_out(edit: Edit, new: set[object]) -> None:
    """``swap rush jobs for those of schools``: what goes is no condition any more, whatever it is on."""
    gone = {stem(word) for word in edit.heard.swapped.lower().split()}
    known = conditions_of(edit.form)
    left = [one for one in known if about(one) in new or not _said_by(one, gone, edit)]
    edit.form = with_conditions(edit.form, left)


def _said_by(condition: Condition, words: set[str], edit: Edit) -> bool:
    """Whether words say all of a condition: its value, or the name of a flag."""
    if not isinstance(condition, Compare) or condition.operator != "=" or not isinstance(condition.right, Value):
        return False
    value = condition.right.value
    paths = paths_of(condition) & set(edit.metadata.members)
    named = [part for path in paths for part in edit.metadata.parts(path)] if isinstance(value, bool) else []
    told = {stem(word) for word in named or str(value).lower().split()}
    return bool(told) and told <= words


def _parted_by_one(edit: Edit, clause: Tested) -> bool:
    """``split by website``: of one channel, by which nothing is told apart."""
    parted = _PARTED.match(edit.heard.text)
    test = condition_of(clause) if parted is not None else None
    if test is not None and any(about(test) == about(one) for one in conditions_of(edit.form)):
        return False  # "and by card?" after those paid by cheque
    if edit.form.columns and not edit.says("split"):
        return False  # rows of a list are not told apart: "by Petra" are hers
    value = test.right if isinstance(test, Compare) and test.operator == "=" else None
    named = str(value.value) if isinstance(value, Value) and isinstance(value.value, str) else ""
    return parted is not None and parted["by"].lower() in named.lower()


def _both_ways(edit: Edit, said: list[Tested | Timed]) -> set[str]:
    """The columns of which both is said, that it is so and that it is not: ``split into planned and unplanned``."""
    found: dict[str, list[Condition]] = {}
    for clause in said:
        if isinstance(clause, Tested) and clause.path and not clause.function:
            found.setdefault(clause.path, []).extend(conditions_said(edit, clause))
    return {path for path, tests in found.items() if any(negated(one) in tests for one in tests)}


def _people_left_out(edit: Edit, said: list[Tested | Timed]) -> list[Or]:
    """Those who are left out by both halves of their names: ``without Ada Abel``, but not others called Ada."""
    names = [clause for clause in said if isinstance(clause, Tested) and clause.path and not clause.function]
    if len(said) != len(names) or len(names) < 2 or not (edit.says("remove") or all(c.negated for c in names)):
        return []
    halves = labels_of(edit.metadata, (names[0].path or "").split(".", 1)[0])
    pairs = [names[at : at + 2] for at in range(0, len(names), 2)]
    if len(halves) != 2 or any({clause.path for clause in pair} != set(halves) for pair in pairs):
        return []
    found = [[one for clause in pair for one in conditions_said(edit, clause)] for pair in pairs]
    both = [[replace(one, operator="!=") for one in pair if isinstance(one, Compare)] for pair in found]
    return [Or(tuple(pair)) for pair in both] if all(len(pair) == len(halves) for pair in both) else []


def _in_one_turn(known: list[Condition], new: Condition) -> list[Condition]:
    """Another period of the same turn beside the first: ``July and August``; of one within the other, the shorter."""
    for place, condition in enumerate(known):
        one, other = ends_of(condition), ends_of(new)
        if one is None or other is None or about(condition) != about(new):
            continue
        if one[0] <= other[0] and other[1] <= one[1]:
            return [*known[:place], new, *known[place + 1 :]]
        if other[0] <= one[0] and one[1] <= other[1]:
            return known
    return merged(known, new) or added(known, [new])


def _unfiltered(edit: Edit) -> None:
    """``all priorities``: no longer some of them."""
    named = {clause.path for clause in (*clauses_of(edit, Shown), *clauses_of(edit, Grouped))}
    known = conditions_of(edit.form)
    left = [condition for condition in known if not paths_of(condition) & named]
    if len(left) == len(known):
        return
    edit.form = with_conditions(edit.form, left)
    if edit.form.groups:  # they are told apart already, or nobody asks for that
        clauses = tuple(c for c in edit.partial.clauses if getattr(c, "path", None) not in named)
        edit.partial = edit.partial._replace(clauses=clauses)


def conditions_said(edit: Edit, clause: Tested | Timed) -> list[Condition]:
    """What a clause asks of the rows of a form."""
    if isinstance(clause, Tested):
        assert clause.path is not None
        reach(edit, clause.path)
        if clause.operator == "missing":
            edit.cost += 1.5
        if clause.path in paths_of(edit.form.where):
            edit.cost -= 1.0
        elif clause.path not in paths_of(edit.form.groups):
            edit.cost += 0.3 + 2.5 * _in_part(edit)
        return [condition_of(clause)]
    path = time_of(edit.form, edit.metadata) if clause.path == SOME_TIME else clause.path
    if path is None:
        raise Unfit("these rows have no time")
    reach(edit, path)
    found = time_condition(clause, path)
    if is_of_days(edit.metadata, path) and any(
        isinstance(part, Part) and part.part == "hour" for part in parts(tuple(found))
    ):
        raise Unfit("these rows have days and no hours")
    return found


def _in_part(edit: Edit) -> bool:
    """Whether words are only a part of the value they are taken for."""
    return any(name == "value:part" for name, _ in edit.partial.features)


def _condition(edit: Edit, condition: Condition, clause: Tested | Timed) -> None:
    known = _other_names_gone(edit, condition)
    back = restored(known, condition) if edit.says("restore", "add") or _AGAIN.search(edit.heard.text) else None
    if back is not None:
        edit.form = with_conditions(edit.form, back)
    elif edit.says("restore"):
        raise Unfit("it was not left out")
    elif edit.says("remove") and condition in known and _lacks(edit, condition):
        edit.form = with_conditions(edit.form, [*(c for c in known if c != condition), negated(condition)])
    elif edit.says("remove") or _is_bare_no(edit, known, condition):
        if _ALL_BUT.search(edit.heard.text):
            known = without_others(known, negated(condition), conditions_of(edit.before.form))
        edit.form = with_conditions(edit.form, without(known, condition))
    elif clause.negated:
        known = without_others(known, condition, conditions_of(edit.before.form))
        edit.form = with_conditions(edit.form, without(known, negated(condition)))
    elif edit.says("opposite"):
        edit.form = with_conditions(edit.form, added(known, [negated(condition)]))
    elif _is_more(edit) and (both := merged(known, condition) or _beside_twins(edit, known, condition)) is not None:
        edit.form = with_conditions(edit.form, both)
    elif edit.says("too") and not any(about(condition) == about(other) for other in known):
        raise Unfit("nothing of that kind was left out, so that these are counted already")
    elif (part := _other_part(edit, known, condition)) is not None:
        edit.form = part
    else:
        known = _same_thing_gone(edit, _other_role_gone(edit, known, condition), condition)
        joined = isinstance(clause, Tested) and clause.joined == "or"
        both = merged(known, condition) if joined else None
        edit.form = with_conditions(edit.form, both if both is not None else added(known, [condition]))


def _other_part(edit: Edit, known: list[Condition], condition: Condition) -> Form | None:
    """The share of another part, where which part it is of is said of no rows but in the number."""
    if edit.says("keep", "too") or any(about(condition) == about(one) for one in known):
        return None
    plain = edit.says("and") and not (edit.says("only") or _OF_WHICH.match(edit.heard.rest))
    return other_part(edit.form, condition, lambda one: plain and says_so(one, edit.metadata))


def _is_bare_no(edit: Edit, known: list[Condition], condition: Condition) -> bool:
    """``no vans`` in one breath: without them, where nothing of the kind was said that it could correct."""
    of = about(condition)
    return _BARE_NO.match(edit.heard.text) is not None and not any(about(one) == of for one in known)


def _lacks(edit: Edit, condition: Condition) -> bool:
    """``without the dogs`` after ``only dogs``: all but those, where ``drop the dogs`` takes that condition away."""
    said = edit.heard.text
    valued = isinstance(condition, Holds) or isinstance(condition, Compare) and condition.operator == "="
    return valued and _LACKS.search(said) is not None and _CONDITION.search(said) is None


def _is_more(edit: Edit) -> bool:
    """Whether what is said is meant besides what was: ``and science too``, but not ``and science?``."""
    return edit.says("too") or edit.says("add") and not edit.says("follow", "and")


def _other_names_gone(edit: Edit, condition: Condition) -> list[Condition]:
    """The conditions without other parts of the name of whom this one names: ``Margaret`` after ``Steve Johnson``."""
    known, paths = conditions_of(edit.form), paths_of(condition)
    if len(paths) != 1 or edit.says("remove", "add", "restore"):
        return known
    (path,) = paths
    labels = set(labels_of(edit.metadata, path.split(".", 1)[0]))
    if path not in labels or path not in paths_of(tuple(known)):
        return known
    said = {clause.path for clause in clauses_of(edit, Tested)}
    gone = [c for c in known if paths_of(c) and paths_of(c) < labels - {path} and not paths_of(c) & said]
    return [c for c in known if c not in gone]


def _other_role_gone(edit: Edit, known: list[Condition], new: Condition) -> list[Condition]:
    """The conditions without the same value in another role: ``and to Lyon?`` after those from Lyon."""
    return [c for c in known if not (swapped_roles(c, new, edit.metadata) and _right(c) == _right(new))]


def _same_thing_gone(edit: Edit, known: list[Condition], new: Condition) -> list[Condition]:
    """The conditions without what the same thing was called by its other name: ``what about UA?`` after Delta."""
    if isinstance(new, OneOf) and new.negated or edit.says("keep", "add", "too"):
        return known
    return [c for c in known if not _is_twin(c, new, edit)]


def _is_twin(known: Condition, new: Condition, edit: Edit) -> bool:
    """Whether a condition names the same kind of thing, by whatever column; so does each one of several."""
    terms = known.terms if isinstance(known, Or) else (known,)
    return all(_is_akin(one, new, edit) for one in terms) and (
        isinstance(known, Or) or same_thing(known, new, edit.metadata) is not None
    )


def _is_akin(one: Condition, other: Condition, edit: Edit) -> bool:
    return about(one) == about(other) or same_thing(one, other, edit.metadata) is not None


def _beside_twins(edit: Edit, known: list[Condition], new: Condition) -> list[Condition] | None:
    """``add Newark`` to an airport that was named by its code: one of them all; None where none is of its kind."""
    for place, condition in enumerate(known):
        if _is_twin(condition, new, edit):
            terms = condition.terms if isinstance(condition, Or) else (condition,)
            return [*known[:place], Or((*terms, new)), *known[place + 1 :]]
    return None


def _right(condition: Condition) -> object:
    return condition.right if isinstance(condition, Compare) else None


def filter_groups(edit: Edit) -> None:
    """Conditions on groups."""
    for clause in (c for c in clauses_of(edit, Tested) if c.function):
        if not edit.form.groups:
            raise Unfit("there are no groups to compare")
        number = number_of(edit, Measured(clause.place, clause.function, clause.path, clause.relation))
        test = condition_of(replace(clause, path=clause.path or "", function=""))
        if isinstance(test, Compare):
            condition: Condition = replace(test, left=number)
        elif isinstance(test, Range):
            condition = replace(test, of=number)
        else:
            raise Unfit("a comparison of groups")
        rest = [f for f in edit.form.having if about(f.condition) != about(condition)]
        edit.form = edit.form.with_(having=(*rest, Filter(condition)))
