"""Forms: two are equal when they ask the same, whatever order their clauses were found in and where they were said."""

from __future__ import annotations

from svc_notebook.analyst.offline.forms import (
    ROWS,
    Aggregate,
    And,
    Arithmetic,
    Clause,
    Compare,
    Filter,
    Form,
    Join,
    Limit,
    Member,
    OneOf,
    Or,
    Order,
    Role,
    Value,
    said,
)

AIRLINE, DELAY, MONTH = (Member(f"flights.{name}") for name in ("airline", "delay", "month"))
LATE = Compare(DELAY, ">", Value(30))
UA = Compare(AIRLINE, "=", Value("UA"))


def counted(**clauses: object) -> Form:
    return Form(Role("flights"), measures=(Clause(ROWS),)).with_(**clauses)


def test_anchors_and_names_do_not_count() -> None:
    where = said("flights of UA", 11, 13)
    assert counted(where=(Filter(UA, where),)) == counted(where=(Filter(UA),))
    assert hash(counted(where=(Filter(UA, where),))) == hash(counted(where=(Filter(UA),)))
    assert Clause(ROWS, name="flights") == Clause(ROWS)


def test_the_order_of_conditions_groups_and_terms_does_not_count() -> None:
    assert counted(where=(Filter(UA), Filter(LATE))) == counted(where=(Filter(LATE), Filter(UA)))
    assert counted(where=(Filter(And((LATE, UA))),)) == counted(where=(Filter(UA), Filter(LATE)))
    assert counted(where=(Filter(Or((LATE, UA))),)) == counted(where=(Filter(Or((UA, LATE, UA))),))
    assert counted(groups=(Clause(AIRLINE), Clause(MONTH))) == counted(groups=(Clause(MONTH), Clause(AIRLINE)))
    one, two = (OneOf(AIRLINE, tuple(map(Value, text))) for text in ("AB", "BA"))
    assert counted(where=(Filter(one),)) == counted(where=(Filter(two),))
    plus = [Aggregate("sum", Arithmetic("+", *pair)) for pair in ((DELAY, MONTH), (MONTH, DELAY))]
    assert counted(measures=(Clause(plus[0]),)) == counted(measures=(Clause(plus[1]),))


def test_what_asks_something_else_differs() -> None:
    base = counted(groups=(Clause(AIRLINE),))
    others = [
        counted(),
        counted(groups=(Clause(AIRLINE, hidden=True),)),
        base.with_(columns=base.groups, groups=()),
        base.with_(limit=Limit(3)),
        base.with_(limit=Limit(3, per=(MONTH,))),
        base.with_(order=(Order(ROWS, descending=True),)),
        base.with_(order=(Order(ROWS),)),
        base.with_(order=(Order(ROWS), Order(AIRLINE))),
        base.with_(order=(Order(AIRLINE), Order(ROWS))),
        base.with_(where=(Filter(Compare(DELAY, "=", Value(1))),)),
        base.with_(where=(Filter(Compare(DELAY, "=", Value(True))),)),
        base.with_(where=(Filter(Compare(DELAY, "=", Value("1"))),)),
        base.with_(having=(Filter(Compare(ROWS, ">", Value(30))),)),
        base.with_(measures=(Clause(Aggregate("sum", Arithmetic("-", DELAY, MONTH))),)),
        base.with_(measures=(Clause(Aggregate("sum", Arithmetic("-", MONTH, DELAY))),)),
        base.with_(joins=(Join(Role("airlines"), ((AIRLINE, Member("airlines.code")),)),)),
        base.with_(joins=(Join(Role("airlines"), ((AIRLINE, Member("airlines.code")),), outer=True),)),
    ]
    assert len({base, *others}) == len(others) + 1
