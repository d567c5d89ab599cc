"""Kinds told by which rows they have: *destinations from JFK but not from LGA*, *airlines without cancellations*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..plans.plan import Condition, Measure, Plan
from ..schema.metadata import Metadata
from ..turning.rules import applied, said_so
from ..words.numbers import number_word
from ..words.text import singular, stem
from .kinds_read import BY, GOING, THAT, Kinds, Read, grouped, is_kind, kinds_of, relation_of
from .theirs import named

__all__ = ["kinds_by_rows"]

_LONGEST = 160  # letters
_TURNED = {"in": "not in", "=": "!=", "true": "false", "false": "true", "not in": "in", "!=": "="}
_TIMES = frozenset({"period", "not period"})
_MANY = said_so(r"^how many (?P<who>\w)")
_ASKED = r"^(?:(?:which|what|list|show|give) (?:me )?(?:are |of )?)?(?:all )?(?:the )?"
_ONE = r"(?:one|1|a single)"
_RULES = (
    (said_so(rf"\bonly (?P<deed>\w+) (?P<by>{BY}) {_ONE} "), r"\g<deed> \g<by> only one "),
    (said_so(rf"\b(?P<by>{BY}) (?:just|exactly|precisely|no more than) {_ONE} "), r"\g<by> only one "),
    (said_so(rf"{THAT} (?:{GOING}) {BY} only one (?=\w+\W*$)"), " with only one "),
)
_ONLY = said_so(rf"^(?P<head>.+ \w+) (?P<only>only|exclusively|solely) (?P<what>(?:(?:{GOING}) )?{BY} \w.*?)\W*$")
_BOTH = said_so(r"^(?P<head>.*?)\bboth (?P<one>[^,]+?) and (?P<rest>\w[^,]*?)\W*$")
_BUT_NOT = said_so(
    rf"^(?P<head>.+?) (?P<by>{BY}) (?P<one>[^,]+?),? (?:but|and) (?:not|never)"
    rf"(?: (?P<other>{BY}))? (?P<two>\w.*?)\W*$"
)
_NONE = said_so(
    rf"{_ASKED}(?P<who>\w+(?: \w+)??)(?: (?:that|which|who))? "
    r"(?:(?:have|has|had|with|having) (?:no|zero|0|not a single)|without(?: any| a single| an?)?) (?P<what>\w.*?)\W*$"
)
_ALL = said_so(
    rf"{_ASKED}(?P<who>\w+(?: \w+)??)(?: (?:that|which|who))?"
    rf"(?: (?:{GOING}|are|is|have|has|use|used|had|were)(?: there)?)?(?: {BY})? all (?:of )?(?:the |our )?"
    r"(?:(?P<many>\w+) )?(?P<what>\w+)(?P<rest> (?:in|during|since) .+?)?\W*$"
)
_LAST = 3  # words of the second of two names


def kinds_by_rows(question: str, metadata: Metadata, read: Read) -> Plan | None:
    """The plan of kinds that have rows of one sort and none of another; None where nothing is said so.

    ``read`` gives the plan of a question that is answered, and of which nothing is left out.
    """
    text = " ".join(question.split())
    if len(text) > _LONGEST:
        return None
    plain = applied(_RULES, _MANY.sub(r"which \g<who>", text))  # those that are named are counted as well
    found = (way(plain, metadata, read) for way in (_only, _both, _but_not, _none, _all))
    return next((plan for plan in found if plan is not None), read(plain) if applied(_RULES, text) != text else None)


def _only(text: str, metadata: Metadata, read: Read) -> Plan | None:
    """``destinations served only from JFK``: some rows are so, and none is otherwise."""
    said = _ONLY.match(text)
    every = kinds_of(f"{said['head']} {said['what']}", metadata, read) if said is not None else None
    if every is None or every.measure is not None:
        return None
    inner = [c for c in every.conditions if c.operator not in _TIMES]
    if len(inner) != 1 or inner[0].operator not in _TURNED:
        return None
    outer = tuple(c for c in every.conditions if c is not inner[0])
    other = replace(inner[0], operator=_TURNED[inner[0].operator])
    some, none = replace(every, conditions=(inner[0],)), replace(every, conditions=(other,))
    return _made(every, outer, ((some.rows, ">"), (none.rows, "=")))


def _both(text: str, metadata: Metadata, read: Read) -> Plan | None:
    """``both UA and DL``: rows of one, and rows of the other."""
    said = _BOTH.match(text)
    if said is None:
        return None
    words = said["rest"].split()
    for size in range(min(_LAST, len(words)), 0, -1):
        behind = " ".join(words[size:])
        texts = [f"{said['head']}{name} {behind}" for name in (said["one"], " ".join(words[:size]))]
        one, two = (kinds_of(each, metadata, read) for each in texts)
        if one is not None and two is not None and (plan := _of_two(one, two, ">", 1)) is not None:
            return plan
    return None


def _but_not(text: str, metadata: Metadata, read: Read) -> Plan | None:
    """``from JFK but not from LGA``: rows of one, and none of the other."""
    said = _BUT_NOT.match(text)
    if said is None:
        return None
    one = kinds_of(f"{said['head']} {said['by']} {said['one']}", metadata, read)
    two = kinds_of(f"{said['head']} {said['other'] or said['by']} {said['two']}", metadata, read) if one else None
    return _of_two(one, two, "=") if one is not None and two is not None else None


def _none(text: str, metadata: Metadata, read: Read) -> Plan | None:
    """``airlines without cancelled flights in July``: no row of theirs is so."""
    said = _NONE.match(text)
    found = kinds_of(f"{said['who']} with {said['what']}", metadata, read) if said is not None else None
    if said is None or found is None or found.path not in named(said["who"], metadata):
        return None
    if found.measure is not None:
        return _made(found, found.conditions, ((found.measure, "="),))
    return _made(found, (), ((found.rows, "="),)) if found.conditions else None


def _all(text: str, metadata: Metadata, read: Read) -> Plan | None:
    """``from all three airports``: as many different ones as there are."""
    said = _ALL.match(text)
    if said is None or (many := number_word(said["many"]) if said["many"] else 0) is None:
        return None
    who = [path for path in named(said["who"], metadata) if is_kind(path, metadata)]
    for path in _called(said["what"], relation_of(who[0]), bool(many), metadata) if who else ():
        there_are = metadata.profile(path).distinct
        if there_are > 1 and many in (0, there_are) and path not in who:
            within = kinds_of(f"{said['who']}{said['rest']}", metadata, read) if said["rest"] else None
            if said["rest"] and within is None:
                return None
            plan, conditions = (within.plan, within.conditions) if within else (Plan(scope=(relation_of(path),)), ())
            counted = Measure(path, "count_distinct", conditions)
            return grouped(plan, who[0], (), ((counted, "=", float(there_are)),))
    return None


def _called(noun: str, relation: str, loosely: bool, metadata: Metadata) -> list[str]:
    """The columns of a relation that a noun is for; ``loosely`` those too whose name ends in it."""
    last = singular(noun.lower())
    if relation in metadata.kind_names.rows.get(stem(last), ()):
        return []
    whole = [path for path in named(noun, metadata) if relation_of(path) == relation]
    ending = [m.path for m in metadata.relation(relation).members.values() if metadata.parts(m.path)[-1:] == (last,)]
    return whole or [path for path in ending if loosely and is_kind(path, metadata)]


def _of_two(one: Kinds, two: Kinds, operator: str, most: int = 2) -> Plan | None:
    """Kinds with rows of the first sort, and none or some of the second; what is said of both is said of all rows."""
    if one.path != two.path or one.plan.scope != two.plan.scope or one.measure or two.measure:
        return None
    shared = tuple(c for c in one.conditions if c in two.conditions)
    own, other = (tuple(c for c in kinds.conditions if c not in shared) for kinds in (one, two))
    if not (0 < len(own) <= most and 0 < len(other) <= most):
        return None
    first, second = replace(one, conditions=own), replace(two, conditions=other)
    return _made(one, shared, ((first.rows, ">"), (second.rows, operator)))


def _made(kinds: Kinds, of_all: Sequence[Condition], bounds: Sequence[tuple[Measure, str]]) -> Plan:
    return grouped(kinds.plan, kinds.path, of_all, [(measure, operator, 0.0) for measure, operator in bounds])
