"""How old one thing or person is, by its name: *how old is Ada Ash*, *what's the age of the Tern*."""

from __future__ import annotations

from datetime import datetime

from .... import patterns as re
from ..forms import Form
from ..schema.derivations import expression_of
from ..schema.lasting import age_in, years_since
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..words.text import tokenize
from .one_number import LONGEST
from .one_row import is_a_row, one_row

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
    if not is_a_row(named, metadata):
        return None
    relation = named.member.split(".", 1)[0]
    age = age_in(metadata, relation, now.date()) or years_since(metadata, relation, now.year)
    return one_row(named, expression_of(age)) if age is not None else None
