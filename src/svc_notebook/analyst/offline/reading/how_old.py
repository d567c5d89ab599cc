"""How old one thing or person is, by its name: *how old is Ada Ash*, *what's the age of the Tern*."""

from __future__ import annotations

import re
from datetime import datetime

from ..forms import Clause, Compare, Filter, Form, Member, Role, Value
from ..schema.derivations import expression_of
from ..schema.lasting import age_in, years_since
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..words.text import tokenize
from .one_number import LONGEST

__all__ = ["how_old"]

_ASKED = re.compile(
    r"^\W*(?:(?:and\s+)?how old(?:['’]s| is| was| are)|what age is|(?:what(?:['’]s| is)\s+)?(?:the )?age of)\s+"
    r"(?:the\s+|our\s+)?(?P<whose>[\w' .-]+?)(?:\s+(?:now|today|at the moment|these days))?[?.! ]*$",
    re.IGNORECASE,
)


def how_old(question: str, metadata: Metadata, now: datetime) -> Form | None:
    """The age of what alone is called so, where the model holds when it was born or built."""
    said = _ASKED.match(question) if len(question) <= LONGEST else None
    if said is None:
        return None
    tokens = tokenize(said["whose"])
    named = [match for match in metadata.values.find(tokens, 0) if match.end == len(tokens)] if tokens else []
    found = [form for match in named if (form := _aged(match, metadata, now)) is not None]
    return found[0] if len(found) == 1 else None


def _aged(named: ValueMatch, metadata: Metadata, now: datetime) -> Form | None:
    relation = named.member.split(".", 1)[0]
    if named.member not in labels_of(metadata, relation) or metadata.relation(relation).kind != "cube":
        return None
    age = age_in(metadata, relation, now.date()) or years_since(metadata, relation, now.year)
    if age is None:
        return None
    name = Member(named.member)
    return Form(
        Role(relation),
        columns=(Clause(name), Clause(expression_of(age))),
        where=(Filter(Compare(name, "=", Value(named.value))),),
    )
