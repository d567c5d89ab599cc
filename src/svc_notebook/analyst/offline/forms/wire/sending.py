"""A form as a reading on the wire, each clause with its words and where they come from."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from msgspec import UNSET
from msgspec.structs import replace

from .....protocol.reading import (
    READING_VERSION,
    Reading,
    ReadingClause,
    ReadingJoin,
    ReadingLimit,
    ReadingRoot,
    ReadingValue,
)  # fmt: skip
from .....semantic.catalog import Catalog
from ..anchors import Anchor
from ..conditions import Compare, Condition, Holds, Like, Missing, Not, OneOf, Range
from ..expressions import ROWS, Aggregate, Expression, Member, Output, Part, Truncated, Value
from ..form import Clause, Form, Join, Limit, Order, Role, SetOf
from ..reading.scope import first_of
from ..walking import conjuncts
from ..words import Words
from ..writing.conditions import write_condition
from ..writing.expressions import write_expression
from ..writing.query import to_sql
from ..writing.scope import Scope

__all__ = ["kept_from", "reading_of"]


def reading_of(
    form: Form | SetOf, catalog: Catalog, *, chart: str | None = None, confidence: float | None = None
) -> Reading:
    """The reading of a form, each clause with its words."""
    if isinstance(form, SetOf):
        form = Form(form, columns=tuple(Clause(Output(c.expression)) for c in first_of(form).shown))
    return _Telling(catalog, form).reading(chart, confidence)


def kept_from(reading: Reading, turn: str) -> Reading:
    """The reading, what it says was kept being of the turn with this message id."""
    changed: dict[str, Any] = {}
    for name in ("measures", "groups", "columns", "where", "having", "sort"):
        clauses = getattr(reading, name)
        if any(clause.origin == "kept" for clause in clauses):
            changed[name] = [replace(c, from_=turn) if c.origin == "kept" else c for c in clauses]
    if reading.limit is not None and reading.limit.origin == "kept":
        changed["limit"] = replace(reading.limit, from_=turn)
    return replace(reading, **changed) if changed and turn else reading


class _Telling:
    def __init__(self, catalog: Catalog, form: Form) -> None:
        self.form = form
        self.words = Words(catalog)
        self.scope = Scope()
        for source in (form.root, *(join.role for join in form.joins)):
            self.scope.add(source)

    def reading(self, chart: str | None, confidence: float | None) -> Reading:
        form = self.form
        return Reading(
            version=READING_VERSION,
            root=self._root(),
            measures=[self._shown(c) for c in form.measures],
            groups=[self._shown(c) for c in form.groups],
            columns=[self._shown(c) for c in form.columns],
            where=[self._filter(term, f.anchor) for f in form.where for term in conjuncts(f.condition)],
            having=[self._filter(term, f.anchor) for f in form.having for term in conjuncts(f.condition)],
            sort=[self._order(o) for o in form.order],
            limit=self._limit(form.limit) if form.limit is not None else None,
            chart=chart,
            confidence=confidence,
        )

    def _root(self) -> ReadingRoot:
        root = self.form.root
        named = {"relation": root.relation} if isinstance(root, Role) else {"expression": to_sql(root)}
        joins = [self._join(join) for join in self.form.joins]
        return ReadingRoot(**named, joins=joins, words=self.words.source(root))

    def _join(self, join: Join) -> ReadingJoin:
        role = join.role
        named = {"relation": role.relation} if isinstance(role, Role) else {"expression": to_sql(role)}
        return ReadingJoin(
            **named,
            role=role.name if isinstance(role, Role) else "",
            on=[(self._sql(near), self._sql(far)) for near, far in join.on],
            also=UNSET if join.also is None else self._condition_sql(join.also),
            outer=join.outer,
            crossed=join.crossed,
        )

    def _shown(self, clause: Clause) -> ReadingClause:
        named: dict[str, Any] = {"name": clause.name} if clause.name else {}
        return ReadingClause(
            **self._about(clause.expression), **named, hidden=clause.hidden,
            words=self.words.of(clause.expression), **_origin(clause.anchor),
        )  # fmt: skip

    def _filter(self, condition: Condition, anchor: Anchor) -> ReadingClause:
        plain = _plain(condition)
        if plain is None:
            about: dict[str, Any] = {"expression": self._condition_sql(condition)}
        else:
            of, operator, values = plain
            about = {**self._about(of), "operator": operator} | ({"values": values} if values else {})
        return ReadingClause(**about, words=self.words.condition(condition), **_origin(anchor))

    def _order(self, order: Order) -> ReadingClause:
        return ReadingClause(
            **self._about(order.by), descending=order.descending, words=self.words.order(order), **_origin(order.anchor)
        )

    def _limit(self, limit: Limit) -> ReadingLimit:
        per = [ReadingClause(**self._about(e), words=self.words.of(e)) for e in limit.per]
        return ReadingLimit(
            count=limit.count, per=per, skip=limit.skip, words=self.words.limit(limit), **_origin(limit.anchor)
        )

    def _about(self, of: Expression) -> dict[str, Any]:
        """What a clause is about: a member, with an aggregate or grain, else SQL."""
        inner: Expression | None = of
        found: dict[str, Any] = {}
        if of == ROWS:
            return {"aggregate": "rows"}
        if isinstance(of, Aggregate) and of.where is None and of.other is None and of.at is None:
            inner, found = of.of, {} if of.function == "measure" else {"aggregate": of.function}
        elif isinstance(of, Truncated):
            inner, found = of.of, {"grain": of.grain}
        elif isinstance(of, Part):
            inner, found = of.of, {"part": of.part}
        if isinstance(inner, Member) and not inner.role:
            return {"member": inner.path, **found}
        return {"expression": self._sql(of)}

    def _sql(self, of: Expression) -> str:
        return write_expression(of, self.scope).sql(dialect="duckdb")

    def _condition_sql(self, of: Condition) -> str:
        return write_condition(of, self.scope).sql(dialect="duckdb")


def _plain(of: Condition) -> tuple[Expression, str, list[ReadingValue]] | None:
    """A condition between something and constants: what about, operator, values."""
    no = "not " if getattr(of, "negated", False) else ""
    match of:
        case Compare(left, operator, Value(value)) if value is not None:
            return left, operator, [_sent(value)]
        case OneOf(about, values) if all(isinstance(v, Value) for v in values):
            return about, f"{no}in", [_sent(cast(Value, v).value) for v in values]
        case Range(about, Value(low), Value(high), closed):
            return about, no + ("between" if closed else "period"), [_sent(low), _sent(high)]
        case Like(about, how, text, _, False):
            return about, no + how, [text]
        case Missing(about):
            return about, f"{no}null", []
        case Holds(about):
            return about, "true", []
        case Not(Holds(about)):
            return about, "false", []
    return None


def _sent(value: Any) -> ReadingValue:
    if isinstance(value, dt.datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, dt.date) else cast(ReadingValue, value)


def _origin(anchor: Anchor) -> dict[str, Any]:
    if anchor.origin == "said" and anchor.end > anchor.start:
        return {"origin": "said", "said": (anchor.start, anchor.end)}
    if anchor.origin == "kept" and anchor.turn:
        return {"origin": "kept", "from_": anchor.turn}
    return {"origin": anchor.origin}
