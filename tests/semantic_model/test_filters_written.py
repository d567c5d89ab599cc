"""Row filters as SQL and in words, and the values they are given: each operator, each kind, each doubt."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.model import Filter, FilterGroup
from svc_notebook.semantic.policies.filter_values import MAX_VALUES, Denied, day_after, day_start, typed, usable
from svc_notebook.semantic.policies.row_filters import FilterOutcome, FilterWriter

KINDS = {"name": "string", "n": "number", "on": "boolean", "at": "timestamp", "day": "date"}
MOMENT, DAY = datetime(2024, 3, 1, 12), date(2024, 3, 1)  # noqa: DTZ001
ZONED = datetime.fromisoformat("2024-03-01T12:00:00+01:00")


@pytest.mark.parametrize(
    "value",
    ["x", " ", "0", 0, 1, -1, True, False, 1.5, -0.0, 2**127 - 1, Decimal("1.5"), Decimal(10) ** 37, Decimal("1e-38"), MOMENT, DAY],
)  # fmt: skip
def test_what_can_be_compared_with(value: Any) -> None:
    assert usable(value) is True


@pytest.mark.parametrize(
    "value",
    [None, "", "a\ud800", "\udfff", "x\udc00y", float("nan"), float("inf"), -float("inf"), 2**127, 2**200, {}, {"a": 1}, [], ["x"],
     (), ("x",), Decimal("nan"), Decimal("inf"), Decimal(10) ** 38, Decimal("1e-39"), Decimal("1E+60")],
)  # fmt: skip
def test_what_cannot(value: Any) -> None:
    assert usable(value) is False
    with pytest.raises(Denied, match="null, empty or not a number"):
        typed([(value, True)], "string", "equals")


# Kind, value, what it is as the model's own (Ellipsis: refused), and as the asker's.
FITS: list[tuple[str, Any, Any, Any]] = [
    ("string", "EMEA", "EMEA", "EMEA"), ("string", 5, "5", ...), ("string", 1.5, "1.5", ...), ("string", True, ..., ...),
    ("number", 5, 5, 5), ("number", 1.5, 1.5, 1.5), ("number", Decimal("2.5"), Decimal("2.5"), Decimal("2.5")),
    ("number", True, ..., ...), ("number", "5", Decimal(5), ...), ("number", "five", ..., ...), ("number", "nan", ..., ...),
    ("number", "inf", ..., ...), ("number", MOMENT, ..., ...),
    ("boolean", True, True, True), ("boolean", False, False, False), ("boolean", " True ", True, ...), ("boolean", "FALSE", False, ...),
    ("boolean", "yes", ..., ...), ("boolean", 1, ..., ...), ("boolean", 0, ..., ...),
    ("timestamp", MOMENT, MOMENT, MOMENT), ("timestamp", DAY, DAY, DAY), ("timestamp", ZONED, ..., ...),
    ("timestamp", "2024-03-01", DAY, DAY), ("date", " 2024-03-01 ", DAY, DAY), ("timestamp", "2024-03-01T12:00", MOMENT, MOMENT),
    ("timestamp", "2024-03-01T12:00:00Z", MOMENT, MOMENT), ("timestamp", "2024-03-01T12:00:00+01:00", ..., ...),
    ("timestamp", "soon", ..., ...), ("timestamp", "2024-13-01", ..., ...), ("timestamp", 20240301, ..., ...), ("date", True, ..., ...),
    ("any", "x", ..., ...), ("any", 1, ..., ...),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "own", "asked"), FITS)
def test_a_value_has_the_type_of_the_member(kind: str, value: Any, own: Any, asked: Any) -> None:
    for expected, from_asker in ((own, False), (asked, True)):
        if expected is ...:
            with pytest.raises(Denied, match=f"{type(value).__name__} does not fit a {kind} member"):
                typed([(value, from_asker)], kind, "equals")
        else:
            [(found, whose)] = typed([(value, from_asker)], kind, "equals")
            assert (found, type(found), whose) == (expected, type(expected), from_asker)


def test_texts_are_looked_for_in_texts_alone() -> None:
    for operator in ("contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith"):
        assert typed([("a", True)], "string", operator) == [("a", True)]
        assert typed([(5, False)], "string", operator) == [("5", False)]
        for kind in ("number", "boolean", "timestamp", "date"):
            with pytest.raises(Denied, match=f"fit a {kind} member"):
                typed([("1", True)], kind, operator)


def test_values_stand_once_and_not_without_end() -> None:
    assert typed([("a", True), ("b", False), ("a", False)], "string", "equals") == [("a", True), ("b", False)]
    assert typed([(1, True), (1.0, True), (Decimal(1), True)], "number", "equals") == [
        (1, True),
        (1.0, True),
        (Decimal(1), True),
    ]
    assert len(typed([(n, True) for n in range(MAX_VALUES)], "number", "equals")) == MAX_VALUES
    with pytest.raises(Denied, match="more than 50000"):
        typed([(n, True) for n in range(MAX_VALUES + 1)], "number", "equals")


def test_days_begin_and_end() -> None:
    assert day_start(DAY) == datetime(2024, 3, 1)  # noqa: DTZ001
    assert day_start(MOMENT) is MOMENT
    assert day_after(DAY) == datetime(2024, 3, 2)  # noqa: DTZ001
    assert day_after(MOMENT) == datetime(2024, 3, 1, 12, 0, 0, 1)  # noqa: DTZ001
    assert day_after(date.max) is None
    assert day_after(datetime.max) is None  # noqa: DTZ901


# --- filters --------------------------------------------------------------------------------------------------------


def written(item: Any, *, ctx: SecurityContext | None = None, unseen: str = "") -> tuple[FilterOutcome, list[Any]]:
    """The outcome of a filter over ``t.<member>``, and the values it bound."""
    bound: list[Any] = []

    def bind(value: Any) -> str:
        bound.append(value)
        return f"${len(bound)}"

    asker = ctx or SecurityContext(
        user="ana", user_attributes={"x": "EMEA", "xs": ["EMEA", "APAC"], "n": 3, "gone": ""}
    )
    writer = FilterWriter(
        asker, lambda name: (f"t.{name}", KINDS[name.rpartition(".")[2]]), bind, lambda name: name != unseen
    )
    return writer.write(item), bound


def one(member: str, operator: str, *values: Any) -> Filter:
    return Filter(member, operator, values)


NEXT = datetime(2024, 3, 2)  # noqa: DTZ001
START = datetime(2024, 3, 1)  # noqa: DTZ001
OPERATORS: list[tuple[Filter, str, list[Any], str]] = [
    (one("name", "equals", "a"), "(t.name = $1)", ["a"], "name is 'a'"),
    (one("name", "equals", "a", "b"), "(t.name IN ($1, $2))", ["a", "b"], "name is one of 'a', 'b'"),
    (one("name", "notEquals", "a"), "(NOT (t.name = $1))", ["a"], "name is not 'a'"),
    (one("n", "notEquals", 1, 2), "(NOT (t.n IN ($1, $2)))", [1, 2], "n is not one of 1, 2"),
    (one("n", "gt", 1), "(t.n > $1)", [1], "n is greater than 1"),
    (one("n", "gte", 1), "(t.n >= $1)", [1], "n is at least 1"),
    (one("n", "lt", 1), "(t.n < $1)", [1], "n is less than 1"),
    (one("n", "lte", 1), "(t.n <= $1)", [1], "n is at most 1"),
    (one("name", "set"), "(t.name IS NOT NULL)", [], "name is set"),
    (one("name", "notSet"), "(t.name IS NULL)", [], "name is not set"),
    (one("name", "contains", "a"), "(contains(lower(t.name), lower($1)))", ["a"], "name contains 'a'"),
    (one("name", "notContains", "a", "b"), "(NOT (contains(lower(t.name), lower($1)) OR contains(lower(t.name), lower($2))))",
     ["a", "b"], "name does not contain one of 'a', 'b'"),
    (one("name", "startsWith", "a"), "(starts_with(lower(t.name), lower($1)))", ["a"], "name starts with 'a'"),
    (one("name", "notStartsWith", "a"), "(NOT (starts_with(lower(t.name), lower($1))))", ["a"], "name does not start with 'a'"),
    (one("name", "endsWith", "a"), "(ends_with(lower(t.name), lower($1)))", ["a"], "name ends with 'a'"),
    (one("name", "notEndsWith", "a"), "(NOT (ends_with(lower(t.name), lower($1))))", ["a"], "name does not end with 'a'"),
    (one("at", "beforeDate", "2024-03-01"), "(t.at < $1)", [START, NEXT], "at is before 2024-03-01"),
    (one("at", "beforeOrOnDate", "2024-03-01"), "(t.at < $2)", [START, NEXT], "at is on or before 2024-03-01"),
    (one("at", "afterDate", "2024-03-01"), "(t.at >= $2)", [START, NEXT], "at is after 2024-03-01"),
    (one("at", "afterOrOnDate", "2024-03-01"), "(t.at >= $1)", [START, NEXT], "at is on or after 2024-03-01"),
    (one("day", "inDateRange", "2024-02-01", "2024-03-01"), "(t.day >= $1 AND t.day < $2)",
     [datetime(2024, 2, 1), NEXT], "day is within one of 2024-02-01, 2024-03-01"),  # noqa: DTZ001
    (one("day", "inDateRange", "2024-03-01"), "(t.day >= $1 AND t.day < $2)", [START, NEXT], "day is within 2024-03-01"),
    (one("day", "notInDateRange", "2024-03-01"), "(t.day < $1 OR t.day >= $2)", [START, NEXT], "day is outside 2024-03-01"),
    (one("day", "inDateRange", "9999-12-31"), "(t.day >= $1 AND t.day <= $2)",
     [datetime(9999, 12, 31), datetime.max], "day is within 9999-12-31"),  # noqa: DTZ001, DTZ901
    (one("day", "notInDateRange", "9999-12-31"), "(t.day < $1 OR t.day > $2)",
     [datetime(9999, 12, 31), datetime.max], "day is outside 9999-12-31"),  # noqa: DTZ001, DTZ901
]  # fmt: skip


@pytest.mark.parametrize(("item", "sql", "values", "words"), OPERATORS)
def test_operators(item: Filter, sql: str, values: list[Any], words: str) -> None:
    found, bound = written(item)
    assert (found.sql, bound, found.words, found.notes) == (sql, values, words, [])


def test_long_lists_of_one_type_are_bound_as_one() -> None:
    for count, listed in ((100, False), (101, True)):
        found, bound = written(one("n", "equals", *range(count)))
        assert (found.sql == "(t.n = ANY($1))", len(bound)) == (listed, 1 if listed else count)
    mixed, bound = written(one("n", "equals", *range(101), 0.5))
    assert mixed.sql.startswith("(t.n IN ($1, ") and len(bound) == 102
    assert "and 91 more" in written(one("n", "equals", *range(101)))[0].words
    assert "more" not in written(one("n", "equals", *range(10)))[0].words


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (one("n", "gt", 1, 2), "'gt' wants one value, the asker has 2"),
        (one("at", "beforeDate", "2024-01-01", "2024-01-02"), "'beforeDate' wants 1 dates, the asker has 2"),
        (
            one("at", "inDateRange", "2024-01-01", "2024-01-02", "2024-01-03"),
            "'inDateRange' wants 2 dates, the asker has 3",
        ),
        (one("name", "inDateRange", "2024-01-01"), "a date is compared with something that is no date"),
        (one("name", "like", "a"), "the operator 'like' is unknown"),
        (one("name", "equals"), "the policy gives no value"),
        (one("name", "equals", "{ userAttributes.gone }"), "user attribute 'gone' holds a value that is null"),
        (one("name", "equals", "{ userAttributes.none }"), "user attribute 'none' is not set"),
        (one("name", "equals", "{ securityContext.a.b }"), "security context value 'a.b' is not set"),
        (one("name", "notEquals", "{ userAttributes.n }"), "a value of type int does not fit a string member"),
        (one("name", "equals", "{ groups }"), "the list of groups is empty"),
    ],
)
def test_every_doubt_closes(item: Filter, said: str) -> None:
    for asked in (item, FilterGroup("and", (one("n", "gt", 0), item))):
        found, _ = written(asked)
        assert found.sql == "FALSE"
        assert found.notes == [f"{note.removesuffix(': no rows')}: no rows" for note in found.notes]
        assert len(found.notes) == 1 and said in found.notes[0]
        assert said in found.words and said in found.told


def test_joined() -> None:
    a, b, shut = one("name", "equals", "a"), one("n", "gt", 1), one("name", "equals", "{ userAttributes.none }")
    both, _ = written(FilterGroup("and", (a, b)))
    assert (both.sql, both.words, both.notes) == (
        "((t.name = $1) AND (t.n > $2))",
        "name is 'a' and n is greater than 1",
        [],
    )
    either, _ = written(FilterGroup("or", (a, b)))
    assert (either.sql, either.words) == ("((t.name = $1) OR (t.n > $2))", "name is 'a' or n is greater than 1")
    half, _ = written(FilterGroup("or", (a, shut)))
    assert (half.sql, half.notes) == ("((t.name = $1))", [])  # the other part grants rows: no note
    none, _ = written(FilterGroup("or", (shut, shut)))
    assert (none.sql, len(none.notes)) == ("FALSE", 2)
    nested, _ = written(FilterGroup("and", (FilterGroup("or", (a, b)), b)))
    assert nested.words == "(name is 'a' or n is greater than 1) and n is greater than 1"
    assert nested.told == nested.words
    alone, _ = written(FilterGroup("and", (FilterGroup("or", (a, b)),)))
    assert alone.words == "name is 'a' or n is greater than 1"
    turned, _ = written(FilterGroup("or", (FilterGroup("and", (a, b)), a)))
    assert turned.words == "(name is 'a' and n is greater than 1) or name is 'a'"
    for kind in ("and", "or"):
        empty, _ = written(FilterGroup(kind, ()))
        assert (empty.sql, empty.words, empty.told) == ("FALSE", "no rows", "no rows")
        assert empty.notes == ["a policy names no rows: no rows"]


def test_what_a_policy_keeps_away_is_not_told() -> None:
    for operator in ("notEquals", "notContains", "notStartsWith", "notEndsWith"):
        found, _ = written(one("name", operator, "secret"))
        assert "'secret'" in found.words and "secret" not in found.told and found.told.endswith(" …")
    own, _ = written(one("name", "notEquals", "{ userAttributes.x }"))
    assert own.told == own.words == "name is not 'EMEA'"  # the asker's own
    kept, _ = written(one("day", "notInDateRange", "2024-03-01"))
    assert kept.told == "day is outside …"
    assert written(one("name", "equals", "a"))[0].told == "name is 'a'"
    assert written(one("name", "notSet"))[0].told == "name is not set"


def test_of_members_that_are_not_seen_nothing_is_told() -> None:
    found, _ = written(one("orders.name", "equals", "a"), unseen="orders.name")
    assert (found.sql, found.words, found.told) == (
        "(t.orders.name = $1)",
        "name is 'a'",
        "a condition on what you do not see",
    )
    shut, _ = written(one("name", "equals", "{ userAttributes.none }"), unseen="name")
    assert shut.told == "a condition on what you do not see: user attribute 'none' is not set"
    twice, _ = written(
        FilterGroup("and", (one("name", "equals", "a"), one("name", "equals", "b"), one("n", "gt", 1))), unseen="name"
    )
    assert twice.told == "a condition on what you do not see and n is greater than 1"


def test_lists_of_the_asker_are_taken_apart_and_filters_stand_together() -> None:
    found, bound = written(one("name", "equals", "{ userAttributes.xs }"))
    assert (found.sql, bound) == ("(t.name IN ($1, $2))", ["EMEA", "APAC"])
    texts, bound = written(one("name", "equals", "{ groups }"), ctx=SecurityContext(user="a", groups=frozenset({"g"})))
    assert (texts.sql, bound) == ("(t.name = $1)", ["g"])
    writer = FilterWriter(SecurityContext(user="a"), lambda name: (name, KINDS[name]), repr)
    assert writer.all_of([]).sql == "FALSE"
    assert writer.all_of([one("n", "gt", 1), one("n", "lt", 9)]).sql == "((n > 1) AND (n < 9))"
