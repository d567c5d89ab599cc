"""Forms over a small model, drawn at random: what ``from_sql`` gives, so with nothing said in two ways."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import strategies as st

from svc_notebook.analyst.offline.forms import (
    ROWS,
    Aggregate,
    And,
    Arithmetic,
    Bin,
    Call,
    Case,
    Clause,
    Compare,
    Condition,
    Difference,
    Expression,
    Extreme,
    Filter,
    Form,
    Holds,
    Join,
    Like,
    Limit,
    Member,
    Missing,
    Moved,
    Not,
    Now,
    OneOf,
    Or,
    Order,
    Output,
    Over,
    Part,
    Range,
    Ratio,
    Related,
    Role,
    Scalar,
    SetOf,
    Truncated,
    Value,
    measure,
)
from svc_notebook.analyst.offline.forms.vocabulary import GRAINS, PARTS

TEXTS = [Member("orders.status"), Member("customers.country")]
NUMBERS = [Member("orders.amount"), Member("orders.quantity"), Member("customers.age")]
TIMES = [Member("orders.placed_at"), Member("customers.born")]
FLAG = Member("orders.paid")
ORDERS = (Join(Role("customers"), ((Member("orders.customer_id"), Member("customers.id")),)),)

texts = st.text(st.sampled_from("ab!'\"%_\\ é"), min_size=1, max_size=4)
numbers = st.integers(-5, 500) | st.sampled_from([0.5, 2.25, 1e-7, 12345678.5])
days = st.dates(dt.date(2020, 1, 1), dt.date(2025, 12, 31))
moments = days | days.flatmap(lambda day: st.times(dt.time(0, 0, 1)).map(lambda at: _moment(day, at)))
scalars = st.sampled_from(NUMBERS)
times = st.sampled_from(TIMES) | st.builds(
    Moved, st.sampled_from(TIMES), st.integers(-9, 9).filter(bool), st.sampled_from(["day", "month", "year"])
)
amounts: st.SearchStrategy[Expression] = st.one_of(
    scalars,
    st.builds(Arithmetic, st.sampled_from(["+", "-", "//", "%"]), scalars, scalars),
    st.builds(Arithmetic, st.just("*"), scalars, scalars | st.just(Arithmetic("-", Value(1), NUMBERS[0]))),
    st.builds(Ratio, scalars, scalars, st.booleans()),
    st.builds(Part, times, st.sampled_from(PARTS)),
    st.builds(
        Difference, st.sampled_from(["minute", "hour", "day", "week"]), st.sampled_from(TIMES), times, st.booleans()
    ),
    st.builds(lambda of: Call("round", (of, Value(2))), scalars),
)
groups: st.SearchStrategy[Expression] = st.one_of(
    st.sampled_from(TEXTS),
    st.builds(Truncated, times, st.sampled_from(GRAINS)),
    st.builds(Part, times, st.sampled_from(PARTS)),
    st.builds(Bin, scalars, st.sampled_from([10, 500, 0.5])),
    st.builds(lambda c: Case(((c, Value("a")),), Value("b")), st.deferred(lambda: plain)),
)


def _moment(day: dt.date, at: dt.time) -> dt.datetime:
    return dt.datetime.combine(day, at.replace(microsecond=0))


def _compared(of: st.SearchStrategy[Any], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Condition]:
    value = values.map(Value)
    several = st.lists(value, min_size=2, max_size=4, unique_by=lambda v: str(v.value)).map(tuple)
    return st.one_of(
        st.builds(Compare, of, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), value),
        st.builds(OneOf, of, several, st.booleans()),
        st.builds(Range, of, value, value, st.booleans(), st.booleans()),
    )


plain: st.SearchStrategy[Condition] = st.one_of(
    _compared(st.sampled_from(TEXTS), texts),
    _compared(amounts, numbers),
    _compared(times, moments),
    st.builds(
        Like, st.sampled_from(TEXTS), st.sampled_from(["contains", "starts", "ends"]), texts, st.booleans(),
        st.booleans(),
    ),
    st.builds(Missing, st.sampled_from([*TEXTS, *NUMBERS]), st.booleans()),
    st.sampled_from([Holds(FLAG), Not(Holds(FLAG)), Compare(TIMES[0], ">=", Moved(Now(), -30, "day"))]),
)  # fmt: skip
aggregates: st.SearchStrategy[Expression] = st.one_of(
    st.just(ROWS),
    st.builds(Aggregate, st.sampled_from(["sum", "avg", "min", "max", "median", "stddev", "count"]), amounts),
    st.builds(Aggregate, st.just("count_distinct"), st.sampled_from(TEXTS)),
    st.builds(Aggregate, st.just("quantile"), scalars, st.none(), st.sampled_from([0.25, 0.9])),
    st.builds(Aggregate, st.just("rows"), st.none(), plain),
    st.builds(Aggregate, st.sampled_from(["sum", "avg"]), scalars, plain),
    st.builds(lambda c, p: Ratio(Aggregate("rows", where=c), ROWS, p), plain, st.booleans()),
)
figures = aggregates | st.one_of(
    st.builds(Ratio, aggregates, aggregates, st.booleans()),
    st.builds(lambda of: Over("share", of), aggregates),
)


def _related() -> st.SearchStrategy[Condition]:
    """Customers who (do not) have an order, or many; rows of a maximum; more than the average."""
    having = st.lists(st.builds(lambda n: Filter(Compare(ROWS, ">=", Value(n))), st.integers(2, 5)), max_size=1)
    key = Clause(Member("orders.customer_id"))
    inner = st.builds(
        lambda where, groups: Form(
            Role("orders"),
            columns=() if groups else (key,),
            groups=(key,) if groups else (),
            where=(Filter(where),),
            having=tuple(groups),
        ),
        st.sampled_from([Holds(FLAG), Compare(TEXTS[0], "=", Value("open"))]),
        having,
    )
    average = Form(Role("orders"), measures=(Clause(Aggregate("avg", NUMBERS[0])),))
    return st.one_of(
        st.builds(lambda form, no: Related(form, (Member("customers.id"),), no), inner, st.booleans()),
        st.builds(
            lambda no: Related(
                Form(Role("orders"), where=(Filter(Holds(FLAG)),)),
                negated=no,
                correlated=((Member("customers.id"), Member("orders.customer_id")),),
            ),
            st.booleans(),
        ),
        st.builds(lambda big: Extreme(NUMBERS[0], big), st.booleans()),
        st.just(Compare(NUMBERS[0], ">", Scalar(average))),
    )


conditions = st.recursive(
    plain | _related(),
    lambda inner: st.one_of(
        st.builds(lambda a, b: Or((a, b)), inner, inner), st.builds(lambda a, b: And((a, b)), inner, inner)
    ),
    max_leaves=4,
)


@st.composite
def forms(draw: st.DrawFn) -> Form:
    """A list of rows, or groups and figures."""
    where = tuple(map(Filter, draw(st.lists(conditions, max_size=3))))
    by_model = draw(st.booleans())
    base = Form(Role("orders"), (Join(Role("customers")),) if by_model else ORDERS, where=where)
    limit = draw(st.none() | st.builds(Limit, st.integers(1, 50), skip=st.sampled_from([0, 0, 5])))
    if draw(st.booleans()):
        columns = draw(st.lists(st.sampled_from([*TEXTS, *NUMBERS, *TIMES]) | amounts, min_size=1, max_size=3))
        order = draw(st.lists(scalars, max_size=2, unique=True))
        return base.with_(
            columns=tuple(map(Clause, columns)), order=tuple(Order(o, draw(st.booleans())) for o in order), limit=limit
        )
    by = draw(st.lists(groups, max_size=2, unique=True))
    shown_figures = figures | st.just(measure("orders.revenue")) if by_model else figures
    shown = draw(st.lists(shown_figures, min_size=0 if by else 1, max_size=3, unique=True))
    having = draw(
        st.lists(st.builds(Compare, aggregates, st.sampled_from([">", "<="]), numbers.map(Value)), max_size=1)
    )
    if by and shown and draw(st.booleans()):
        limit = Limit(draw(st.integers(1, 5)), per=(by[0],))
    order = [Order(shown[0], draw(st.booleans()))] if shown else [Order(by[0])]
    return base.with_(
        groups=tuple(map(Clause, by)), measures=tuple(map(Clause, shown)), having=tuple(map(Filter, having)),
        order=tuple(order), limit=limit,
    )  # fmt: skip


@st.composite
def nested(draw: st.DrawFn) -> Form | SetOf:
    """A form, one over another's rows, or a set of two."""
    form = draw(forms())
    kind = draw(st.sampled_from(["plain", "plain", "over", "set"]))
    if kind == "over" and form.shown:
        of = Output(form.shown[-1].expression)
        return Form(form, measures=(Clause(ROWS), Clause(Aggregate("max", of))))
    if kind == "set":
        other = form.with_(where=(Filter(Holds(FLAG)),))
        return SetOf(draw(st.sampled_from(["union", "union all", "intersect", "except"])), (form, other))
    return form
