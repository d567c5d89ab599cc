"""Search, catalog, suggested values, suggestions in errors and explanations obey the same policy as rows."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import QueryError

from .compare import ask
from .pairs import Pair, open_pairs
from .worlds import HIDDEN, build_full

SEARCHES = (
    "email",
    "mail",
    "internal note",
    "note",
    "customers",
    "region",
    "CANARY",
    "secret",
    "pay",
    "amount",
    "emial",
    "",
)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Pair]]:
    folder = tmp_path_factory.mktemp("metadata")
    with open_pairs(build_full(folder / "full.duckdb"), folder, optimisers=(True,)) as opened:
        yield opened


def described(catalog: Any) -> Any:
    return {
        name: (
            relation.kind,
            relation.title,
            relation.joins,
            # That a member is masked is told; the other world has its mask in its place.
            {k: replace(m, cube="", cube_member="", masked=False, agg_type=None) for k, m in relation.members.items()},
        )
        for name, relation in catalog.relations.items()
    }


def test_the_catalog_is_that_of_a_model_without_the_hidden_members(pairs: list[Pair]) -> None:
    for pair in pairs:
        ctx = pair.shape.context
        assert described(pair.policed.catalog(ctx)) == described(pair.permitted.catalog(ctx)), pair.shape.name
        for relation, names in HIDDEN.items():
            assert not set(names) & set(pair.policed.catalog(ctx).relations[relation].members)


@pytest.mark.parametrize("text", SEARCHES)
def test_search_finds_the_same(text: str, pairs: list[Pair]) -> None:
    for pair in pairs:
        ctx = pair.shape.context
        found = [(r.name, [m.name for m in members]) for r, members in pair.policed.search(ctx, text)]
        other = [(r.name, [m.name for m in members]) for r, members in pair.permitted.search(ctx, text)]
        assert found == other, pair.shape.name


def test_values_are_those_of_permitted_rows(pairs: list[Pair]) -> None:
    for pair in pairs:
        ctx = pair.shape.context
        for relation in pair.policed.catalog(ctx).relations.values():
            for member in relation.members.values():
                if member.kind != "dimension":
                    continue
                found = pair.policed.values(ctx, member.path)
                assert found == pair.permitted.values(ctx, member.path), member.path
                assert "CANARY" not in repr(found)
            together = pair.policed.value_sets(ctx, relation.name)
            assert together == {name: pair.policed.values(ctx, f"{relation.name}.{name}") for name in together}


@pytest.mark.parametrize("path", ["customers.email", "orders.internal_note", "sales.customers_email", "secrets.pay",
                                  "raw.secrets.pay", "customers.nosuch", "nosuch", "", "customers.", ".email", "orders.count"])  # fmt: skip
def test_values_of_what_is_not_seen(path: str, pairs: list[Pair]) -> None:
    for pair in pairs:
        outcomes = []
        for layer in (pair.policed, pair.permitted):
            try:
                outcomes.append(repr(layer.values(pair.shape.context, path)))
            except QueryError as problem:
                outcomes.append(f"{type(problem).__name__}: {problem.message} {problem.suggestions}")
        assert outcomes[0] == outcomes[1]
        assert "CANARY" not in outcomes[0]


@pytest.mark.parametrize("hidden, absent", [
    ("SELECT email FROM customers", "SELECT emaik FROM customers"),
    ("SELECT internal_note FROM orders", "SELECT internal_nope FROM orders"),
    ("SELECT customers_email FROM sales", "SELECT customers_emaix FROM sales"),
    ("SELECT MEASURE(mails) FROM customers", "SELECT MEASURE(mailz) FROM customers"),
    ("SELECT * FROM secrets", "SELECT * FROM secretz"),
    ("SELECT c.email FROM customers c", "SELECT c.emaik FROM customers c"),
])  # fmt: skip
def test_hidden_and_absent_are_told_in_the_same_words(hidden: str, absent: str, pairs: list[Pair]) -> None:
    names = {"email": "emaik", "internal_note": "internal_nope", "customers_email": "customers_emaix", "mails": "mailz",
             "secrets": "secretz"}  # fmt: skip
    for pair in pairs:
        one, other = (ask(pair.policed, pair.shape.context, sql) for sql in (hidden, absent))
        assert one.error == other.error == "UnknownMember"
        message = one.message
        for name, spelled in sorted(names.items(), key=lambda item: -len(item[0])):
            message = message.replace(name, spelled)
        assert message == other.message
        assert not {"email", "mails", "internal_note", "customers_email"} & set(one.suggestions + other.suggestions)
        for word in ("hidden", "permission", "policy", "denied", "not allowed to"):
            assert word not in one.message.lower()


def test_explain_shows_no_values_of_hidden_rows_and_no_plan(pairs: list[Pair]) -> None:
    for pair in pairs:
        for sql in ("SELECT count(*) FROM orders", "SELECT status, MEASURE(total_amount) FROM sales GROUP BY 1"):
            explained = pair.policed.explain(pair.shape.context, sql)
            text = repr(explained)
            assert "CANARY" not in text and "email" not in text and "internal_note" not in text
            assert "cardinality" not in text.lower()


def test_one_asker_never_gets_anothers_plan(pairs: list[Pair]) -> None:
    """The same text from several askers, in turn and at once: cached plans must not cross."""
    plain = next(pair for pair in pairs if pair.shape.name == "plain-one")
    layer = plain.policed
    sql = "SELECT region, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1"
    askers: list[tuple[SecurityContext, set[str]]] = [
        (SecurityContext(user="same", user_attributes={"region": value}), seen)
        for value, seen in [
            ("EMEA", {"EMEA"}), (["EMEA"], {"EMEA"}), ("APAC", {"APAC"}), (["APAC", "EMEA"], {"APAC", "EMEA"}),
            ([], set()), (None, set()), ("['EMEA']", set()), ("EMEA,APAC", set()), ("emea", set()), ([["EMEA"]], None),
        ]
    ]  # fmt: skip
    askers.append((SecurityContext(user="same"), set()))
    askers.append((SecurityContext(user="same", security_context={"region": "EMEA"}), set()))

    def check(turn: int) -> str | None:
        ctx, expected = askers[turn % len(askers)]
        found = {row[0] for row in ask(layer, ctx, sql).rows}
        if expected is None:
            expected = {"EMEA"} if found else set()  # a list in a list: nothing, or what it names
        return None if found == expected else f"{ctx.user_attributes}: {found}"

    assert [check(turn) for turn in range(3 * len(askers))] == [None] * 3 * len(askers)
    with ThreadPoolExecutor(4) as pool:
        assert not [problem for problem in pool.map(check, range(20 * len(askers))) if problem]


def test_member_visibility_is_not_cached_across_groups(pairs: list[Pair]) -> None:
    nested = next(pair for pair in pairs if pair.shape.name == "nested-one")
    inside = nested.shape.context
    outside = replace(inside, groups=frozenset())
    for _ in range(2):
        assert not ask(nested.policed, inside, "SELECT count(*) AS n FROM orders").error
        refused = ask(nested.policed, outside, "SELECT count(*) AS n FROM orders")
        assert refused.error or refused.rows == ((0,),)
