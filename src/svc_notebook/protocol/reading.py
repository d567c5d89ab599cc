"""What a question was read as, on the wire: beside ``sqlQuery`` in the input of svcSqlApi, and in a chat request.

Each clause says what it is about as a ``member`` (with an ``aggregate``, a ``grain`` or a ``part`` of time), or, where
that does not do, as an ``expression`` in SQL over the data model. ``words`` are for people; whoever sends a reading may
leave them out. ``origin`` is ``said`` (with the span of the question in characters), ``kept`` (with the message id of
the turn) or ``assumed``.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "MAX_CLAUSES", "MAX_VALUES", "READING_VERSION", "Choice", "Reading", "ReadingClause", "ReadingJoin", "ReadingLimit",
    "ReadingRoot", "ReadingValue",
]  # fmt: skip

READING_VERSION = 1
MAX_CLAUSES = 64
MAX_VALUES = 1000

ReadingValue = str | int | float | bool | None
Origin = Literal["said", "kept", "assumed"]


class ReadingClause(
    msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """A measure, group, column, condition or order.

    ``operator`` and ``values`` make it a condition on what it is about: ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``,
    ``in``, ``between``, ``period`` (half-open), ``contains``, ``starts``, ``ends``, ``null``, ``true``, and all but
    the first six with ``not`` before them. Without an operator, the ``expression`` of a condition is the whole of it.
    """

    member: str | UnsetType = UNSET
    aggregate: str | UnsetType = UNSET
    grain: str | UnsetType = UNSET
    part: str | UnsetType = UNSET
    expression: str | UnsetType = UNSET
    operator: str | UnsetType = UNSET
    values: list[ReadingValue] | UnsetType = UNSET
    descending: bool = False
    hidden: bool = False
    name: str | UnsetType = UNSET
    words: str = ""
    origin: Origin = "assumed"
    said: tuple[int, int] | UnsetType = UNSET
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")


class ReadingJoin(
    msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """A relation that is joined: ``on`` pairs of expressions, or as the model joins it. ``expression``: the rows of
    another query instead of a relation's.
    """

    relation: str | UnsetType = UNSET
    expression: str | UnsetType = UNSET
    role: str = ""
    on: list[tuple[str, str]] = []
    also: str | UnsetType = UNSET
    outer: bool = False
    crossed: bool = False


class ReadingRoot(
    msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """Whose rows are counted or listed: a relation's, or those of another query (``expression``)."""

    relation: str | UnsetType = UNSET
    expression: str | UnsetType = UNSET
    joins: list[ReadingJoin] = []
    words: str = ""


class ReadingLimit(
    msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """At most ``count`` rows, of each combination of ``per`` where given."""

    count: int
    per: list[ReadingClause] = []
    skip: int = 0
    words: str = ""
    origin: Origin = "assumed"
    said: tuple[int, int] | UnsetType = UNSET
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")


class Reading(
    msgspec.Struct, rename="camel", frozen=True, omit_defaults=False, kw_only=True, forbid_unknown_fields=True
):
    """A question as clauses that can be looked at and changed; ``language`` is the one its words are in, where that is
    not English, ``chart_origin`` is ``said`` where the chart was asked for.
    """

    version: int
    root: ReadingRoot
    measures: list[ReadingClause] = []
    groups: list[ReadingClause] = []
    columns: list[ReadingClause] = []
    where: list[ReadingClause] = []
    having: list[ReadingClause] = []
    sort: list[ReadingClause] = []
    limit: ReadingLimit | None = None
    chart: str | None = None
    chart_origin: Origin | UnsetType = UNSET
    compare: ReadingClause | None = None
    confidence: float | None = None
    language: str | None = None


class Choice(msgspec.Struct, rename="camel", frozen=True):
    """One of the complete readings that are offered where a question can be read in several ways."""

    question: str
    reading: Reading
