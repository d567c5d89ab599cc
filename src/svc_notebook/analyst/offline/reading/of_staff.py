"""Who left, and who is still there: by when their time ended, whatever that column is called."""

from __future__ import annotations

from .... import patterns as re
from ..lexicon import persons
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..schema.states import end_in
from ..turning.rules import said_so
from ..words.families import root
from ..words.shortened import is_short_for
from ..words.text import singular, stem, tokenize
from .called import tables_called

__all__ = ["of_staff"]

_WITH_US = r"(?:with us|here|around|(?:working|employed)(?: (?:here|for us|with us))?|on (?:the )?staff|on board)"
_WORKING = r"(?:works?|working)(?: (?:here|for us|with us))?"
_IS_STILL = said_so(
    rf"^(?:is|are) (?P<who>[\w' -]+?) still {_WITH_US}\W*$|^(?:does|do) (?P<whose>[\w' -]+?) still {_WORKING}\W*$"
)
_HAS_LEFT = said_so(
    r"^(?:has|have|did) (?P<who>[\w' -]+?) (?:already )?(?:left|leave|quit|resigned|resign)(?: (?:us|already|yet))*\W*$"
)
_THERE = said_so(rf"^(?P<who>who|[\w' -]+?)(?: (?:who|that))?(?: (?:is|are))? (?P<how>still|no longer) {_WITH_US}\W*$")
_LEFT = said_so(
    r"^(?P<who>[\w' -]+?)(?: (?:who|that))?(?:'s|'ve| has| have)? "
    r"(?:left|quit|resigned)(?: (?:us|the (?:company|firm|team|practice|business)))?\b(?P<rest>.*)$"
)
_WORKS = said_so(
    r"^(?:(?P<many>how many|number of) (?:people|persons|employees|staff)|who|which (?:people|employees|staff))",
    r"(?: (?:who|that))? ",
    r"(?:works?|worked|working|(?:is|are) (?:working|employed)) (?P<prep>at|in|for) (?P<where>[^?]+?)\W*$",
)
_EMPLOYED = frozenset({"staff", "employee", "worker", "personnel"})
_LEAD = said_so(r"^(?:(?:which|what|the|our|of|any|all) )+")
_NAMED = frozenset({"is", "are", "was", "were", "be", "not"})


def of_staff(question: str, metadata: Metadata) -> str:
    """``does Owen still work here``: his name, and when he left, if he did; ``who left this year``: those whose time
    ended then.
    """
    works = _WORKS.match(question)
    if works is not None:
        return _of_those_working(works, metadata) or question
    one = _IS_STILL.match(question) or _HAS_LEFT.match(question)
    if one is not None:
        return _of_one((one["who"] or one.groupdict().get("whose") or "").strip(), metadata) or question
    there = _THERE.match(question)
    if there is not None:
        return _of_all(there["who"], there["how"].lower(), metadata) or question
    left = _LEFT.match(question)
    return _of_those_gone(left["who"], left["rest"], metadata) or question if left is not None else question


def _of_one(name: str, metadata: Metadata) -> str | None:
    """The name of one who is named, and when their time ended."""
    tokens = tokenize(name)
    known = [m for m in metadata.values.find(tokens, 0) if m.end == len(tokens)] if tokens else []
    homes = {match.member.split(".", 1)[0] for match in known}
    staff = [relation for relation in _staff(metadata) if relation in homes]
    if len(staff) != 1 or not {match.member for match in known} & set(labels_of(metadata, staff[0])):
        return None
    return f"{_end(staff[0], metadata)} of {name}"


def _of_all(who: str, how: str, metadata: Metadata) -> str | None:
    relation = _meant(who, metadata)
    if relation is None:
        return None
    people = _plural(relation, metadata)
    return f"current {people}" if how == "still" else f"{people} with an {_end(relation, metadata)}"


def _of_those_gone(who: str, rest: str, metadata: Metadata) -> str | None:
    """Those whose time ended, where nothing else of them is called leaving."""
    relation = _meant(who, metadata) if who.lower().split()[-1] not in _NAMED else None
    if relation is None or root("left") in {root(part) for part in metadata.parts(_path(relation, metadata))}:
        return None
    return f"{_plural(relation, metadata)} with {_end(relation, metadata)}{rest}"


def _meant(who: str, metadata: Metadata) -> str | None:
    """The people that are spoken of: the only ones that may leave, or those that are named."""
    said = _LEAD.sub("", who.lower()).split()
    staff = _staff(metadata)
    if said == ["who"]:
        return staff[0] if len(staff) == 1 else None
    found = [name for name in tables_called(said[0], metadata) if name in staff] if len(said) == 1 else []
    return found[0] if len(found) == 1 else None


def _staff(metadata: Metadata) -> list[str]:
    """The relations of people that say when the time of some of them ended."""
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    people = [name for name in cubes if _are_people(name, metadata) and end_in(metadata, name, "currently") is not None]
    # One table in several roles is one: the first name is its own.
    by_members = {frozenset(metadata.relation(name).members): name for name in sorted(people, key=len, reverse=True)}
    return list(by_members.values())


def _are_people(relation: str, metadata: Metadata) -> bool:
    """Whether a table is of people, by its name, or what that is short for: a ``thr`` of therapists."""
    short = metadata.words_of(relation)[-1:]
    return metadata.is_of_people(relation) or any(is_short_for(word, who) for word in short for who in persons())


def _path(relation: str, metadata: Metadata) -> str:
    return end_in(metadata, relation, "currently") or ""


def _end(relation: str, metadata: Metadata) -> str:
    return " ".join(metadata.parts(_path(relation, metadata)))


def _plural(relation: str, metadata: Metadata) -> str:
    *before, last = metadata.words_of(relation)
    return " ".join([*before, plural(singular(last))])


def _of_those_working(said: re.Match[str], metadata: Metadata) -> str | None:
    """``how many people work at the depot``: the staff there, where one table is of them."""
    staff = [name for name in metadata.catalog.relations if _EMPLOYED & set(metadata.words_of(name))]
    if len(staff) != 1 or stem("work") in metadata.vocabulary or said["where"].lower() in ("us", "here"):
        return None
    people = _plural(staff[0], metadata)
    asked = f"how many {people}" if said["many"] else f"which {people} are"
    return f"{asked} {said['prep'].lower()} {said['where']}"
