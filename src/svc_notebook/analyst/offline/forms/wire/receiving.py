"""A reading from the wire as a form: strictly checked, every member looked up in the asker's catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from msgspec import UnsetType
from sqlglot import exp

from .....protocol.reading import (
    MAX_CLAUSES,
    MAX_VALUES,
    READING_VERSION,
    Reading,
    ReadingClause,
    ReadingJoin,
    ReadingLimit,
    ReadingRoot,
    ReadingValue,
)  # fmt: skip
from .....records import dataclass
from .....semantic.catalog import Catalog
from .....semantic.compiler.query.text import parse_query
from .....semantic.errors import QueryError
from ..anchors import ASSUMED, Anchor
from ..conditions import Compare, Condition, Holds, Like, Missing, Not, OneOf, Range
from ..expressions import ROWS, Aggregate, Expression, Member, Part, Truncated, Value
from ..form import Clause, Filter, Form, Join, Limit, Order, Role, SetOf
from ..names import alias_of
from ..reading.conditions import read_condition
from ..reading.expressions import read_expression
from ..reading.kinds import as_kind, kind_of
from ..reading.names import Names, NoForm
from ..reading.query import from_sql
from ..reading.scope import Scope, Source
from ..vocabulary import (
    AGGREGATES,
    COMPARISONS,
    GRAINS,
    MATCHES,
    PARTS,
    AggregateName,
    Grain,
    MatchName,
    PartName,
)
from ..walking import has_aggregate

__all__ = ["BadReading", "form_of"]

_LONGEST = 4000
_OPERATORS = frozenset(
    {*COMPARISONS, *(f"{no}{name}" for no in ("", "not ") for name in ("in", "between", "period", "null", *MATCHES))}
    | {"true", "false"}
)


class BadReading(ValueError):
    """A reading that says nothing that can be asked; the message tells where and what to write instead."""


def form_of(reading: Reading, catalog: Catalog) -> Form:
    """The form that a reading says, every member of it looked up in the asker's catalog.

    Raises
    ------
    BadReading
        In the same words whether a member is hidden or absent.
    """
    if reading.version != READING_VERSION:
        raise BadReading(f"reading.version is {reading.version}; this service reads version {READING_VERSION}.")
    _check_size(reading)
    try:
        return _Reading(reading, Names(catalog)).form()
    except (NoForm, QueryError) as error:
        raise BadReading(f"The reading cannot be asked: {error}") from None
    except RecursionError:
        raise BadReading("The reading is nested too deeply.") from None


def _check_size(reading: Reading) -> None:
    clauses = list(_clauses(reading))
    if len(clauses) + len(reading.root.joins) > MAX_CLAUSES:
        raise BadReading(f"A reading has at most {MAX_CLAUSES} clauses.")
    values = [value for c in clauses if isinstance(c.values, list) for value in c.values]
    if len(values) > MAX_VALUES:
        raise BadReading(f"A reading has at most {MAX_VALUES:,} values.")
    if any(isinstance(value, str) and len(value) > _LONGEST for value in values):
        raise BadReading(f"A value of a reading has at most {_LONGEST:,} characters.")


def _clauses(reading: Reading) -> Iterator[ReadingClause]:
    for part in (reading.measures, reading.groups, reading.columns, reading.where, reading.having, reading.sort):
        yield from part
    if reading.limit is not None:
        yield from reading.limit.per


@dataclass
class _Reading:
    reading: Reading
    names: Names

    def form(self) -> Form:
        sent = self.reading
        self.scope = Scope(self.names, "svc")
        root, joins = self._sources()
        form = Form(
            root,
            joins,
            groups=tuple(self._shown(c, f"groups[{i}]") for i, c in enumerate(sent.groups)),
            measures=tuple(self._shown(c, f"measures[{i}]") for i, c in enumerate(sent.measures)),
            columns=tuple(self._shown(c, f"columns[{i}]") for i, c in enumerate(sent.columns)),
            where=tuple(Filter(self._condition(c, f"where[{i}]"), _anchor(c)) for i, c in enumerate(sent.where)),
            having=tuple(Filter(self._condition(c, f"having[{i}]"), _anchor(c)) for i, c in enumerate(sent.having)),
            order=tuple(self._order(c, f"sort[{i}]") for i, c in enumerate(sent.sort)),
            limit=self._limit(sent.limit),
        )
        _check(form)
        if sent.compare is not None:
            raise BadReading("reading.compare cannot be asked for yet; leave it out.")
        return form

    def _sources(self) -> tuple[Role | Form | SetOf, tuple[Join, ...]]:
        root = self._source(self.reading.root, "", "root")
        pending: list[tuple[ReadingJoin, Role | Form | SetOf]] = []
        for i, join in enumerate(self.reading.root.joins):
            pending.append((join, self._source(join, join.role, f"root.joins[{i}]")))
        joins = []
        for i, (join, role) in enumerate(pending):
            where = f"root.joins[{i}]"
            on = tuple((self._sql(near, where), self._sql(far, where)) for near, far in join.on)
            also = None if isinstance(join.also, UnsetType) else self._condition_sql(join.also, where)
            if not on and also is None and join.outer:
                raise BadReading(f"reading.{where} wants an 'on' where it is outer.")
            if join.crossed and isinstance(role, Role):
                raise BadReading(f"reading.{where} joins every row with every other; give it an 'on'.")
            joins.append(Join(role, on, join.outer, also, join.crossed))
        return root, tuple(joins)

    def _source(self, sent: ReadingRoot | ReadingJoin, role: str, where: str) -> Role | Form | SetOf:
        if isinstance(sent.relation, str) == isinstance(sent.expression, str):
            raise BadReading(f"reading.{where} wants either a relation or an expression.")
        if isinstance(sent.expression, str):
            form = from_sql(_short(sent.expression, where), self.names)
            place = sum(1 for s in self.scope.sources if s.form is not None)
            self.scope.add_form(form, f"per{place + 1 if place else ''}")
            return form
        relation = self.names.catalog.relations.get(str(sent.relation))
        if relation is None:
            raise BadReading(f"reading.{where}: there is no cube or view '{str(sent.relation)[:60]}'.")
        found = Role(relation.name, role[:100])
        if any(s.alias == alias_of(found).lower() for s in self.scope.sources):
            raise BadReading(f"reading.{where}: '{relation.name}' stands there twice; give the second a role.")
        self.scope.sources.append(Source(alias_of(found).lower(), relation.name, relation, found.name))
        return found

    def _shown(self, sent: ReadingClause, where: str) -> Clause:
        if not isinstance(sent.operator, UnsetType):
            raise BadReading(f"reading.{where} is shown and has no operator; conditions stand in where and having.")
        name = sent.name[:100] if isinstance(sent.name, str) else ""
        return Clause(self._about(sent, where), _anchor(sent), name, sent.hidden)

    def _order(self, sent: ReadingClause, where: str) -> Order:
        return Order(self._about(sent, where), sent.descending, _anchor(sent))

    def _limit(self, sent: ReadingLimit | None) -> Limit | None:
        if sent is None:
            return None
        if not 1 <= sent.count <= 1_000_000 or not 0 <= sent.skip <= 1_000_000:
            raise BadReading("reading.limit.count is 1 to 1,000,000, and skip not below 0.")
        per = tuple(self._about(c, f"limit.per[{i}]") for i, c in enumerate(sent.per))
        return Limit(sent.count, per, sent.skip, _anchor(sent))

    def _about(self, sent: ReadingClause, where: str) -> Expression:
        if isinstance(sent.expression, str):
            return self._sql(sent.expression, where)
        if not isinstance(sent.member, str):
            if sent.aggregate == "rows":
                return ROWS
            raise BadReading(f"reading.{where} wants a member or an expression.")
        return self._derived(sent, self._member(sent.member, where), where)

    def _member(self, path: str, where: str) -> Expression:
        relation, _, name = path.partition(".")
        source = next(
            (s for s in self.scope.sources if s.relation and s.relation.name == relation and not s.role), None
        )
        known = source.relation.members.get(name) if source is not None and source.relation is not None else None
        if known is None:
            raise BadReading(f"reading.{where}: there is no member '{path[:100]}' in what the reading is about.")
        member = Member(known.path)
        return Aggregate("measure", member) if known.kind == "measure" else member

    def _derived(self, sent: ReadingClause, of: Expression, where: str) -> Expression:
        given = [n for n in ("aggregate", "grain", "part") if not isinstance(getattr(sent, n), UnsetType)]
        if not given:
            return of
        if len(given) > 1 or not isinstance(of, Member):
            raise BadReading(f"reading.{where} wants one of aggregate, grain and part, of a dimension.")
        name = str(getattr(sent, given[0]))
        known: Sequence[str] = {"aggregate": AGGREGATES, "grain": GRAINS, "part": PARTS}[given[0]]
        if name not in known or name in ("measure", "rows", "quantile", "correlation"):
            raise BadReading(f"reading.{where}.{given[0]} '{name[:40]}' is unknown; known are {', '.join(known)}.")
        if given[0] == "aggregate":
            return Aggregate(cast(AggregateName, name), of)
        if kind_of(of, self.names) != "time":
            raise BadReading(f"reading.{where}: '{of.path}' is no time; leave out its {given[0]}.")
        return Truncated(of, cast(Grain, name)) if given[0] == "grain" else Part(of, cast(PartName, name))

    def _condition(self, sent: ReadingClause, where: str) -> Condition:
        if isinstance(sent.operator, UnsetType):
            if not isinstance(sent.expression, str):
                raise BadReading(f"reading.{where} wants an operator.")
            return self._condition_sql(sent.expression, where)
        if sent.operator not in _OPERATORS:
            known = ", ".join(sorted(_OPERATORS))
            raise BadReading(f"reading.{where}.operator '{sent.operator[:40]}' is unknown; known are {known}.")
        of = self._about(sent, where)
        values = sent.values if isinstance(sent.values, list) else []
        return self._compared(of, sent.operator, values, where)

    def _compared(self, of: Expression, operator: str, values: list[ReadingValue], where: str) -> Condition:
        negated, name = operator.startswith("not "), operator.removeprefix("not ")
        kind = kind_of(of, self.names)
        wanted = {"null": 0, "true": 0, "false": 0, "between": 2, "period": 2}.get(name, 1)
        if len(values) != wanted if name != "in" else not values:
            count = "some values" if name == "in" else f"{wanted} value{'s' if wanted != 1 else ''}"
            raise BadReading(f"reading.{where}: '{operator}' wants {count}.")
        found = [self._value(v, kind, where) for v in values]
        if name in COMPARISONS:
            return Compare(of, name, found[0])
        if name == "in":
            alone = len(found) == 1
            return Compare(of, "!=" if negated else "=", found[0]) if alone else OneOf(of, tuple(found), negated)
        if name in ("between", "period"):
            return Range(of, found[0], found[1], name == "between", negated)
        if name == "null":
            return Missing(of, negated)
        if name in ("true", "false"):
            if kind not in ("boolean", ""):
                raise BadReading(f"reading.{where}: '{operator}' is asked of something that is true or false.")
            return Holds(of) if name == "true" else Not(Holds(of))
        return Like(of, cast(MatchName, name), str(values[0]), negated)

    def _value(self, value: ReadingValue, kind: str, where: str) -> Value:
        if value is None:
            raise BadReading(f"reading.{where}: compare with a value, or write the operator 'null'.")
        found = as_kind(Value(value), kind)
        of = kind_of(found, self.names)
        if kind in ("number", "time") and of != kind:
            told = "a number" if kind == "number" else "a date such as 2024-05-31"
            raise BadReading(f"reading.{where}: {str(value)[:60]!r} is compared with {told}.")
        return cast(Value, found)

    def _sql(self, text: str, where: str) -> Expression:
        return read_expression(_fragment(text, where), self.scope)

    def _condition_sql(self, text: str, where: str) -> Condition:
        return read_condition(_fragment(text, where), self.scope)


def _fragment(text: str, where: str) -> exp.Expr:
    """One expression of SQL, alone."""
    query = parse_query(f"SELECT {_short(text, where)}")
    alone = isinstance(query, exp.Select) and [k for k, v in query.args.items() if v] == ["expressions"]
    if not alone or len(query.expressions) != 1 or isinstance(query.expressions[0], exp.Alias):
        raise BadReading(f"reading.{where}.expression is one expression of SQL, nothing after it.")
    found: exp.Expr = query.expressions[0]
    return found


def _short(text: str, where: str) -> str:
    if len(text) > _LONGEST:
        raise BadReading(f"reading.{where}: an expression has at most {_LONGEST:,} characters.")
    return text


def _check(form: Form) -> None:
    if not form.shown:
        raise BadReading("A reading shows something: give it measures, groups or columns.")
    if form.columns and (form.groups or form.measures):
        raise BadReading("A reading has either columns (a list of rows) or measures and groups.")
    for part, clauses in (("groups", form.groups), ("columns", form.columns)):
        if any(has_aggregate(c.expression) for c in clauses):
            raise BadReading(f"reading.{part} holds an aggregate; aggregates stand in measures.")
    if any(not has_aggregate(c.expression) for c in form.measures):
        raise BadReading("reading.measures are aggregates; dimensions stand in groups or columns.")
    if any(has_aggregate(f.condition) for f in form.where):
        raise BadReading("reading.where holds an aggregate; conditions on groups stand in having.")


def _anchor(sent: ReadingClause | ReadingLimit) -> Anchor:
    if isinstance(sent.said, tuple) and sent.origin == "said":
        return Anchor("said", max(0, sent.said[0]), max(0, sent.said[1]))
    if isinstance(sent.from_, str) and sent.origin == "kept":
        return Anchor("kept", turn=sent.from_[:100])
    return Anchor(sent.origin) if sent.origin != "assumed" else ASSUMED
