"""All rows and some of them beside each other: *orders per month and how many were returned*, *total and unpaid*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .... import patterns as re
from ..plans.plan import Measure
from ..schema.money import MONEY_NOUNS
from ..schema.nouns import plural
from ..words.numbers import exact_unit
from ..words.shares_said import SHARE_OR_PART
from ..words.text import stem, tokenize
from .one_number import LONGEST, OneNumber, one_number, together

if TYPE_CHECKING:
    from ..plans.plan import Plan
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["all_and_some"]

_THEM = r"(?:them|those|these|which|it|that)"
_AND = re.compile(r"\s*,?\s+(?:and|plus|as well as|along with|together with)\s+(?:also\s+)?", re.IGNORECASE)
_WITH = re.compile(r"\s*,?\s+with\s+(?=(?:the\s+|their\s+)?(?:number|count|total|amount|share)\b)", re.IGNORECASE)
_LISTED = re.compile(r"\s*,\s+(?!per\b|by\b|for\b|in\b|of\b)", re.IGNORECASE)
_LAST = re.compile(r"\s*,\s+(?=how\s+(?:many|much)\b)", re.IGNORECASE)
_EACH = re.compile(r"^\W*(?:for|per|by|in|at|of)\s+(?:each|every|any|all)?\s*[\w ]+?\s*[,:]\s+", re.IGNORECASE)
_MANY = re.compile(rf"^(?:of\s+{_THEM},?\s+)?how\s+many(?:\s+of\s+{_THEM})?\s+(?P<rest>.+)$", re.IGNORECASE)
_MUCH = re.compile(rf"^(?:of\s+{_THEM},?\s+)?how\s+much(?:\s+of\s+{_THEM})?\s+(?P<rest>.+)$", re.IGNORECASE)
_COUNT = re.compile(
    rf"^(?:the\s+|their\s+)?(?:number|count)\s+of\s+(?P<rest>.+?)(?:\s+(?:among|of|in|out of)\s+{_THEM})?$",
    re.IGNORECASE,
)
_SHARE = re.compile(
    rf"^(?:(?:what|which)\s+|the\s+)?{SHARE_OR_PART}\s+of\s+{_THEM}\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_ONES = re.compile(r"\bones?\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"^(?P<lead>(?:show\s+(?:me\s+)?|list\s+|give\s+me\s+|what\s+(?:is|are)\s+)?(?:the\s+)?)(?:total|overall|all)$",
    re.IGNORECASE,
)
_MOST = 4  # numbers beside each other
_JOINTS = 3  # places where the last of them may begin


def all_and_some(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Plan | None:
    """The plan of a number of all rows of a group and of the same, or another, of some of them."""
    text = " ".join(question.split()).rstrip("?.! ")
    if len(text) > LONGEST:
        return None
    for pieces in _pieces(text):
        whole, tails = _whole(pieces, metadata, read)
        if whole is None:
            continue
        found = [_some(tail, whole, metadata, read) for tail in tails]
        # What stands between the first and the last may be of all rows as well: "number, average fee, how many late".
        found = [
            of or _another(tail, whole, metadata, read) for of, tail in zip(found[:-1], tails, strict=False)
        ] + found[-1:]
        if all(found):
            measures, plans = zip(*(each for each in found if each is not None), strict=True)
            made = together(whole, measures, plans, metadata)
            if made is not None:
                return made
    return None


def _pieces(text: str) -> Iterator[list[str]]:
    """The numbers that are asked for, each in its own words; a group that is said before them stays with the first."""
    lead = found.end() if (found := _EACH.match(text)) is not None else 0
    joints = [*_AND.finditer(text, lead), *_WITH.finditer(text, lead), *_LAST.finditer(text, lead)]
    for joint in sorted(joints, key=lambda m: -m.start())[:_JOINTS]:
        head, tail = text[: joint.start()], text[joint.end() :]
        lists = [(start, _LISTED.split(head[start:])) for start in sorted({lead, 0}, reverse=True)]
        # Behind a comma alone the last of a list begins: what stands before it in the list is asked for as well.
        if joint.re is not _LAST or len(lists[0][1]) == 1:
            yield [head, tail]
        for start, listed in lists:
            if 1 < len(listed) < _MOST:
                yield [head[:start] + listed[0], *listed[1:], tail]


def _whole(pieces: list[str], metadata: Metadata, read: Callable[[str], Reading]) -> tuple[OneNumber | None, list[str]]:
    """The number of all rows, and the pieces that speak of some of them."""
    head, *tails = pieces
    if (said := _WHOLE.match(head)) is None:
        return one_number(head, metadata, read) or one_number(f"number of {head}", metadata, read), tails
    words = tails[0].split()
    for gone in (1, 2):
        rest = " ".join(words[gone:])
        if rest and (found := one_number(f"{said['lead']}total {rest}", metadata, read)) is not None:
            return found, tails
    return None, tails


def _some(
    tail: str, whole: OneNumber, metadata: Metadata, read: Callable[[str], Reading]
) -> tuple[Measure, Plan] | None:
    """The number of some rows, and the plan that it comes from."""
    noun = plural(" ".join(metadata.words_of(whole.relation)))
    if (share := _SHARE.match(tail)) is not None:
        tail = f"how many {share['rest']}"
    for text, named in _said(tail, noun, whole, metadata):
        found = one_number(text, metadata, read)
        if found is None or found.relation != whole.relation or found.plan.scope[:1] != whole.plan.scope[:1]:
            continue
        inner = found.beyond(whole)
        if not inner or found.plain.aggregate == "share_true" or not (named or _names(text, found, metadata)):
            continue
        if whole.beyond(found) and {c.member for c in inner} & {c.member for c in whole.conditions}:
            continue
        if found.plain.aggregate in ("count", "count_values"):
            counted = Measure(None, "count", inner, entity=whole.relation)
            return (replace(counted, aggregate="share_true") if share is not None else counted), found.plan
        return replace(found.plain, conditions=inner), found.plan
    return None


def _another(
    tail: str, whole: OneNumber, metadata: Metadata, read: Callable[[str], Reading]
) -> tuple[Measure, Plan] | None:
    """Another number of the same rows."""
    found = one_number(tail, metadata, read)
    if found is None or found.plain == whole.plain or found.plain.member is None or found.plan.dimensions:
        return None
    same = found.relation == whole.relation and not found.beyond(whole)
    return (found.plan.measures[0], found.plan) if same else None


def _said(tail: str, noun: str, whole: OneNumber, metadata: Metadata) -> Iterator[tuple[str, bool]]:
    """What a piece says in full, with the noun that it leaves out, and whether it then names what is counted."""
    tail = _ONES.sub(noun, tail)
    if (many := _MANY.match(tail)) is not None:
        if _ONES.search(tail) is None:
            yield f"how many {noun} {many['rest']}", True
        yield f"how many {many['rest']}", False
        yield f"number of {many['rest']} {noun}", True
    elif (much := _MUCH.match(tail)) is not None and whole.plain.member is not None:
        amount = " ".join(metadata.parts(whole.plain.member))
        yield f"total {amount} of {noun} that {much['rest']}", True
    elif (count := _COUNT.match(tail)) is not None:
        yield f"number of {count['rest']}", False
        yield f"number of {count['rest']} {noun}", True
        yield f"how many {noun} are {count['rest']}", True
    else:
        yield tail, False
        yield f"number of {tail}", False


def _names(text: str, found: OneNumber, metadata: Metadata) -> bool:
    """Whether a piece names what it counts or adds up: the second of two values does not."""
    said = {token.stem for token in tokenize(text)}
    if found.plain.member is None:
        return any(found.relation in metadata.kind_names.rows.get(word, ()) for word in said)
    parts = metadata.parts(found.plain.member)
    named = {stem(part) for part in parts} | {stem(word) for word in MONEY_NOUNS}
    unit = exact_unit(parts[-1])
    return bool(said & named) or unit is not None and any(exact_unit(token.lower) == unit for token in tokenize(text))
