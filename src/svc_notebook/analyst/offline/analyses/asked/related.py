"""Two numbers that go together."""

from __future__ import annotations

from functools import partial

from ..... import patterns as re
from ...plans.phrases import describe
from ...plans.plan import Plan
from ...schema.kept_units import own_unit
from ...schema.metadata import Metadata
from ...words.numbers import dimension_of
from ...words.text import stem
from ..relation import relation
from .analysis import Analysis, Reader, about
from .spoken import spoken
from .words import SMALL_WORDS, numbers_of, without

__all__ = ["related"]

_RELATED = re.compile(
    r"\b(correlat(e[sd]?|ion|ed)|relation(ship)?|related|relates?\s(?=to\b)|link(ed)?|connect(ed|ion)"
    r"|affects?|influences?|impacts?|causes?"
    r"|depends? on|associat(ed|ion)|(affected|influenced|driven|explained) by"
    r"|(var(y|ies)|chang(e|es)|ris(e|es)|grows?|increases?|decreases?|falls?) (along )?with)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:link|relation(?:ship)?|correlation|connection|association)\s+between\s+(.+?)\s+and\s+(.+?)\W*$",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:effect|impact|influence)s? (?:of|that|does|do|did) (.+?) (?:has |have )?(?:up)?on\b", re.IGNORECASE
)
_LEADS_TO = re.compile(
    r"^\W*(?:do|does|did|will)\s+(?:more |higher |bigger |larger |longer |an? |the )?(.+?)\s+"
    r"(?:lead to|leads to|mean|result in|bring|cause|drive|increase|raise|boost|reduce|lower)\s+"
    r"(?:more |higher |bigger |larger |longer |fewer |lower |better |an? |the )?(.+?)\W*$",
    re.IGNORECASE,
)
_GOES_WITH = re.compile(
    r"^\W*(?:do|does|did|is|are)\s+(?:an?\s+|the\s+)?(?P<so>more|\w+er|[a-z]+)\s+(?P<one>[a-z][\w ]*?)\s+"
    r"(?:(?:tends?|seems?)\s+to\s+)?(?:usually\s+|often\s+|always\s+)?(?:go|goes|going|come|comes|coming)\s+"
    r"(?:along\s+|together\s+|hand\s+in\s+hand\s+)?with\s+"
    r"(?:an?\s+|the\s+)?(?P<than>more|less|fewer|\w+er)\s+(?P<other>[a-z][\w ]*?)\W*$",
    re.IGNORECASE,
)
_TIMED = frozenset("slower faster quicker later earlier sooner slow fast quick late early".split())
"""What is so of times alone: no amount is paid slower."""
_ON_SECOND = re.compile(
    r"\b(depends? on|(var(y|ies)|chang(e|es)|ris(e|es)|grows?|increases?|decreases?|falls?) (along )?with"
    r"|(affected|influenced|driven|explained) by)\b",
    re.IGNORECASE,
)


def related(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    question = _LEADS_TO.sub(r"\1 affects \2", _EFFECT.sub(r"\1 affects", question))
    if (together := _GOES_WITH.match(question)) is not None:
        sides = ((together["so"], together["one"]), (together["than"], together["other"]))
        return _together(sides, metadata, read)
    if not _RELATED.search(question):
        return None
    between = _BETWEEN.search(question)
    if between is not None and (both := _spoken(between[1], between[2], metadata, read)) is not None:
        return _of_pair(both, metadata)
    rest = without(_RELATED, question, " and ")
    # The word of relating stood between both names, and is left as an "and" between, before or behind.
    bare = re.sub(r"^(\s*and\b)+|(\band\s*)+$", "", without(SMALL_WORDS, rest), flags=re.IGNORECASE)
    bare = re.sub(r"(\s+and\b)+", " and", bare, flags=re.IGNORECASE)
    halves = [part for part in re.split(r"\band\b|,", bare) if part.strip()]
    plans = [read(part.strip()) for part in halves] if len(halves) == 2 else []
    plans = [_number_of(part.strip(), plan, metadata, read) for part, plan in zip(halves, plans, strict=False)]
    numbers = [
        (numbers_of(plan, metadata) or _measured(plan, metadata))[:1]
        for plan in plans
        if plan is not None and not plan.conditions
    ]
    pair = [path for found in numbers for path in found]
    if len(pair) != 2 or pair[0] == pair[1]:
        return None
    if _ON_SECOND.search(question):  # what depends on the other stands upright
        pair.reverse()
    return _of_pair(pair, metadata)


def _together(sides: tuple[tuple[str, str], ...], metadata: Metadata, read: Reader) -> Analysis | None:
    """``does a warmer fridge go along with more demerits``: of two numbers by their names, or by a part of them."""
    pair = [_named(words, metadata, read) or _in_part(words, metadata) for _, words in sides]
    known = [
        path
        for path, (so, _) in zip(pair, sides, strict=True)
        if path is not None and (so.lower() not in _TIMED or dimension_of(own_unit(metadata, path) or "") == "time")
    ]
    return _of_pair(known, metadata) if len(known) == len(pair) else None


def _in_part(words: str, metadata: Metadata) -> str | None:
    """The one number whose name begins or ends so."""
    stems = tuple(stem(word) for word in words.lower().split())
    found = [
        p for p in metadata.number_names.partly.get(stems, ()) if metadata.relation(p.split(".", 1)[0]).kind == "cube"
    ]
    return found[0] if len(found) == 1 else None


def _spoken(one: str, other: str, metadata: Metadata, read: Reader) -> list[str] | None:
    """Two numbers of which one or both are spoken of without their names."""
    said = [spoken(words, metadata, read) for words in (one, other)]
    if not any(said):
        return None
    found = [path or _named(words, metadata, read) for path, words in zip(said, (one, other), strict=True)]
    known = [path for path in found if path is not None]
    return known if len(known) == len(found) else None


def _named(words: str, metadata: Metadata, read: Reader) -> str | None:
    plan = _number_of(words, read(words), metadata, read)
    paths = (
        (numbers_of(plan, metadata) or _measured(plan, metadata)) if plan is not None and not plan.conditions else []
    )
    return paths[0] if paths else None


def _of_pair(pair: list[str], metadata: Metadata) -> Analysis | None:
    """How two numbers go together."""
    pair = _of_the_same_rows(pair, metadata)
    scope = metadata.scope([path.split(".", 1)[0] for path in pair])
    if scope is None or pair[0] == pair[1]:
        return None
    plan = Plan(scope, shape="rows", columns=(pair[0], pair[1]))
    words = f"How {describe(plan, metadata).removeprefix('a list of ')} go together"
    return about(plan, metadata, words, partial(relation, plan, pair[0], pair[1], metadata))


def _number_of(words: str, plan: Plan | None, metadata: Metadata, read: Reader) -> Plan | None:
    """What a word says as a number of rows: ``delay`` beside another number is how long, not whether."""
    if plan is not None and numbers_of(plan, metadata) and not plan.conditions:
        return plan
    return read(f"average {words}")


def _of_the_same_rows(pair: list[str], metadata: Metadata) -> list[str]:
    """Two numbers, each as the rows of the other know it where they are of different rows that nothing joins."""
    homes = [path.split(".", 1)[0] for path in pair]
    if metadata.scope(homes) is not None:
        return pair
    for home in reversed(homes):  # what is affected is of the rows that are asked about
        there = [f"{home}.{path.split('.', 1)[1]}" for path in pair]
        if all(path in metadata.members for path in there):
            return there
    return pair


def _measured(plan: Plan, metadata: Metadata) -> list[str]:
    """The numbers that measures are made of which leave rows out: each row has the number all the same."""
    paths = [measure.member for measure in plan.measures if measure.member is not None]
    # The model's own average of a column may count some rows only; the column beneath has a value for all.
    named = (path.replace(f".{metadata.members[path].agg_type}_", ".", 1) for path in paths if path in metadata.members)
    return [path for path in named if path in metadata.members and metadata.is_number(path)]
