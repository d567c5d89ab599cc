"""Several numbers of each group in a list: *per driver: number of deliveries, total km and how many were late*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Form
from ..plans.plan import Measure
from ..plans.sql import write_sql
from ..schema.nouns import plural
from ..words.text import stem
from .one_number import LONGEST, OneNumber, one_number, together
from .read_back import read_back

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["beside", "several_numbers"]

_LIST = re.compile(
    r"^\W*(?:per|for each|for every|by|each)\s+(?P<group>[\w -]{2,40}?)(?:\s+(?:pls|plz|please))?\s*:\s*"
    r"(?P<list>.+?)\W*$",
    re.IGNORECASE,
)
_LIST_FIRST = re.compile(
    r"^\W*(?P<list>[\w .'-]+(?:,[\w .'-]+)+?(?:(?:,|&|\+|\band\b)[\w .'-]+?)?)\s+"
    r"(?:by|per|for each)\s+(?P<group>[\w -]{2,40}?)\W*$",
    re.IGNORECASE,
)
_BARE = re.compile(r"^[a-z]+(?:\scount)?$", re.IGNORECASE)
_COUNT = re.compile(r"^(?P<so>[\w -]+?)\s+count$", re.IGNORECASE)
_JOINT = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*[&+]\s*", re.IGNORECASE)
_SOME = re.compile(r"^how many (?:(?:of (?:them|those|these) )?(?:are|were|got|have been) )(?P<so>.+)$", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average|avg|mean|typical|usual)\b", re.IGNORECASE)
_FEWEST, _MOST = 2, 5


def several_numbers(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of a list of numbers behind the group that they are of, where each of them is read whole by itself."""
    said = _said(" ".join(question.split())) if len(question) <= LONGEST else None
    pieces = _JOINT.split(said["list"]) if said is not None else []
    if said is None or not _FEWEST <= len(pieces) <= _MOST:
        return None
    if not any(stem(word) in metadata.vocabulary for word in pieces[0].lower().split()):  # "hey, the visits per vet"
        return None
    found: list[OneNumber] = []
    for piece in pieces:
        known = _numbers(piece, said["group"], found[:1], metadata, read)
        one = min(
            known, key=lambda one: any(c.member.split(".", 1)[0] != one.relation for c in one.conditions), default=None
        )
        if one is None or found and one.relation != found[0].relation:
            return None
        found.append(one)
    return beside(found, metadata)


def _said(text: str) -> re.Match[str] | None:
    """A list of numbers and the group that they are of; before the group where the list begins with rows alone."""
    said = _LIST_FIRST.match(text)
    return said if said is not None and _BARE.match(_JOINT.split(said["list"])[0]) else _LIST.match(text)


def _numbers(
    piece: str, group: str, first: list[OneNumber], metadata: Metadata, read: Callable[[str], Reading]
) -> Iterator[OneNumber]:
    """What a piece may be: a number by its name, or of how many rows it speaks; never without the group."""
    some = _SOME.match(piece) or _COUNT.match(piece)
    if some is not None and first:
        rows = plural(" ".join(metadata.words_of(first[0].relation)))
        texts: tuple[str, ...] = (f"how many {rows} were {some['so']}", f"number of {some['so']} {rows}")
    else:
        texts = (piece, f"number of {piece}", *(() if _MEAN.search(piece) else (f"total {piece}",)))
    for text in texts:
        one = one_number(f"{text} per {group}", metadata, read)
        fits = one is not None and len(one.plan.dimensions) == 1 and (not first or _of_same(one, first[0]))
        if one is None or not fits or one.plain.aggregate == "avg" and not _MEAN.search(piece):  # else it may be a sum
            continue
        if (
            text is not texts[-1]
            or not _is_summed(text)
            or one.plain.member is None
            or metadata.adds_up(one.plain.member)
        ):
            yield one


def _is_summed(text: str) -> bool:
    return text.startswith("total ")


def _of_same(one: OneNumber, first: OneNumber) -> bool:
    return one.plan.dimensions == first.plan.dimensions and one.plan.scope[:1] == first.plan.scope[:1]


def beside(found: list[OneNumber], metadata: Metadata) -> Form | None:
    """One plan of all: what each says of its rows holds for it alone, what all say for all."""
    shared = tuple(c for c in found[0].plan.conditions if all(c in one.plan.conditions for one in found))
    numbers = [_alone(one, shared) for one in found]
    whole = replace(found[0], plan=found[0].plan.with_(conditions=shared, measures=(numbers[0],)))
    rest = tuple(one.plan.with_(conditions=()) for one in found[1:])
    plan = together(whole, tuple(numbers[1:]), rest, metadata)
    form = read_back(write_sql(plan, metadata).sql, metadata) if plan is not None else None
    return form if isinstance(form, Form) and len(form.measures) == len(found) else None


def _alone(one: OneNumber, shared: tuple[object, ...]) -> Measure:
    own = tuple(c for c in one.plan.conditions if c not in shared)
    if not own:
        return one.plan.measures[0]
    plain = one.plain if one.plain.member is not None else Measure(None, "count", entity=one.relation)
    return replace(plain, conditions=(*one.plain.conditions, *own))
