"""Groups by what part of a total is theirs: *genres that make up less than 1 percent of revenue*."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Clause, Compare, Filter, Form, Order, Output, Over, Value
from ..lexicon.bounds import bound_at
from ..plans.sql import write_sql
from ..words.percents import PERCENT, is_fraction
from ..words.text import Token, singular, tokenize
from .one_number import LONGEST, OneNumber, one_number
from .read_back import read_back

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["part_of_total"]

_MAKING = (
    ("make", "up"), ("makes", "up"), ("made", "up"), ("account", "for"), ("accounts", "for"), ("accounted", "for"),
    ("bring", "in"), ("brings", "in"), ("brought", "in"), ("contribute",), ("contributes",), ("contributed",),
    ("stand", "for"), ("represent",), ("generate",), ("generated",), ("have",), ("has",), ("had",), ("with",),
)  # fmt: skip
_OPENING = re.compile(r"^(?:which|what|show(?: me)?|list|give me|all|the|our|any)\s+", re.IGNORECASE)
_LITTLE = frozenset({"all", "the", "our", "total", "of", "to"})


def part_of_total(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of the groups whose share of a total is bounded, and of that share."""
    said = _said(question) if len(question) <= LONGEST else None
    if said is None:
        return None
    group, sign, part, number = said
    for of in (f"total {number}", f"number of {number}"):
        one = one_number(f"{of} by {group}", metadata, read)
        if one is None or one.plain.aggregate not in ("sum", "count") or len(one.plan.dimensions) != 1:
            continue
        if any(c.operator != "period" for c in one.conditions):
            return None  # "have more than 5 % of their orders cancelled" is a rate of each
        return _bounded(one, sign, part, metadata)
    return None


def _said(question: str) -> tuple[str, str, float, str] | None:
    """The group, the bound, the part as a fraction and what it is of."""
    tokens = tokenize(question.rstrip("?.! "))
    words = [token.lower for token in tokens]
    for at in range(1, len(words)):
        verb = next((len(v) for v in _MAKING if tuple(words[at : at + len(v)]) == v), 0)
        size, sign = bound_at(words, at + verb) if verb else (0, "")
        found = _part(tokens, at + verb + size) if size and sign != "=" else None
        if found is None:
            continue
        part, end = found
        if words[end : end + 1] not in (["of"], ["to"]):
            return None
        while words[end : end + 1] and words[end] in _LITTLE:
            end += 1
        before = at - (words[at - 1] in ("that", "which", "who"))
        if end >= len(words) or before < 1:
            return None
        named = _OPENING.sub("", question[: tokens[before - 1].end])
        return singular(named), sign, part, question[tokens[end].start : tokens[-1].end]
    return None


def _part(tokens: list[Token], at: int) -> tuple[float, int] | None:
    """A part of a hundred as a fraction, and the place behind it."""
    token = tokens[at] if at < len(tokens) else None
    if token is None or token.kind != "number" or token.value is None:
        return None
    if is_fraction(token):
        return token.value, at + 1
    percent = at + 1 < len(tokens) and (tokens[at + 1].lower in PERCENT or tokens[at + 1].text == "%")
    return (token.value / 100, at + 2) if percent else None


def _bounded(one: OneNumber, sign: str, part: float, metadata: Metadata) -> Form | None:
    form = read_back(write_sql(one.plan, metadata).sql, metadata)
    if not isinstance(form, Form) or len(form.measures) != 1:
        return None
    share = Over("share", form.measures[0].expression)
    inner = form.with_(measures=(*form.measures, Clause(share)), order=())
    shown = tuple(Clause(Output(clause.expression)) for clause in inner.shown)
    bound = Filter(Compare(Output(share), sign, Value(part)))  # type: ignore[arg-type]  # one of the four signs
    return Form(inner, columns=shown, where=(bound,), order=(Order(Output(share), descending=True),))
