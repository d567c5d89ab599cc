"""Which members and rows an asker's policies give, decided without a database: the rules, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pandas as pd
import pytest
import yaml

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.model import DataModel, MemberLevel
from svc_notebook.semantic.policies.policy import Access, access_to, members_of, visible_members

from .layers import OPERATOR, opened, rows

MEMBERS = ("id", "region", "amount", "secret", "count", "big")
EMEA = {"filters": [{"member": "region", "operator": "equals", "values": ["EMEA"]}]}
BIG = {"filters": [{"member": "amount", "operator": "gt", "values": [5]}]}
ANA = SecurityContext("ana", frozenset({"sales"}), {"level": "gold"})


def model(policy: Any, **changes: Any) -> DataModel:
    """A cube with these policies, and a view over it without any."""
    cube: dict[str, Any] = {
        "name": "orders", "sql_table": "orders",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
            {"name": "region", "sql": "region", "type": "string"},
            {"name": "amount", "sql": "amount", "type": "number"},
            {"name": "secret", "sql": "secret", "type": "string", "public": False},
        ],
        "measures": [{"name": "count", "type": "count"}],
        "segments": [{"name": "big", "sql": "{CUBE}.amount > 5"}],
        **changes,
    }  # fmt: skip
    if policy is not None:
        cube["access_policy"] = policy
    view = {"name": "shop", "cubes": [{"join_path": "orders", "includes": ["id", "region", "amount", "count"]}]}
    return load_model(yaml.safe_load(yaml.safe_dump({"cubes": [cube], "views": [view]})))


def access(policy: Any, ctx: SecurityContext = ANA) -> Access:
    return access_to(model(policy).cubes["orders"], ctx)


def subsets(names: Iterable[str]) -> list[set[str]]:
    known = list(names)
    return [set(chosen) for size in range(len(known) + 1) for chosen in combinations(known, size)]


def test_without_a_policy_everything_public_is_there() -> None:
    found = access(None)
    assert (found.members, found.grants) == (dict.fromkeys(MEMBERS, "full"), None)
    for used in subsets(("id", "amount")):
        assert found.rows(used).everything
        assert found.rows(used, lenient=True).everything
        assert found.unmasked("amount", used) is None
    assert list(visible_members(model(None), "orders", ANA)) == ["id", "region", "amount", "count", "big"]
    assert list(visible_members(model(None), "shop", ANA)) == ["id", "region", "amount", "count"]


def test_the_operator_is_past_all_policies() -> None:
    found = access([{"group": "nobody", "member_level": {"includes": []}}], OPERATOR)
    assert (found.members, found.grants) == (dict.fromkeys(MEMBERS, "full"), None)


def test_an_asker_whom_no_policy_matches_sees_nothing() -> None:
    for policy in ([{"group": "others"}], [{"group": "*", "conditions": [{"if": "{ userAttributes.gone }"}]}]):
        found = access(policy)
        assert (found.members, found.grants) == ({}, ())
        for used in subsets(("id", "amount")):
            for lenient in (False, True):
                rule = found.rows(used, lenient=lenient)
                assert (rule.everything, rule.alternatives) == (False, ())
                assert rule.reason == "no policy of this relation applies to this asker"
        assert visible_members(model(policy), "orders", ANA) == {}


def test_nothing_is_visible_of_what_is_private_or_not_there() -> None:
    assert visible_members(model(None, public=False), "orders", ANA) == {}
    assert visible_members(model(None), "nowhere", ANA) == {}


@pytest.mark.parametrize(
    ("policy", "matches"),
    [
        ({"group": "*"}, True), ({"group": "sales"}, True), ({"groups": ["x", "sales"]}, True),
        ({"group": "Sales"}, False), ({"groups": ["x", "y"]}, False),
        ({"group": "sales", "conditions": [{"if": "{ userAttributes.level == 'gold' }"}]}, True),
        ({"group": "x", "conditions": [{"if": "{ userAttributes.level == 'gold' }"}]}, False),
        ({"group": "sales", "conditions": [{"if": "{ userAttributes.level == 'tin' }"}]}, False),
        ({"group": "*", "conditions": [{"if": "{ userAttributes.level == 'gold' }"}, {"if": "{ userAttributes.x }"}]},
         False),
    ],
)  # fmt: skip
def test_a_policy_is_for_its_groups_and_conditions(policy: dict[str, Any], matches: bool) -> None:
    found = access([policy])
    assert bool(found.grants) == matches
    assert found.members == (dict.fromkeys(MEMBERS, "full") if matches else {})
    assert found.rows({"id"}).everything == matches


@pytest.mark.parametrize(
    ("level", "full"),
    [
        ({"includes": "*"}, set(MEMBERS)),
        ({"includes": ["id", "orders.amount"]}, {"id", "amount"}),
        ({"includes": "*", "excludes": ["amount", "orders.secret"]}, set(MEMBERS) - {"amount", "secret"}),
        ({"includes": ["id", "amount"], "excludes": ["amount"]}, {"id"}),
        ({"includes": "*", "excludes": "*"}, set()),
        ({"includes": []}, set()),
    ],
)
def test_members_are_those_included_and_not_excluded(level: dict[str, Any], full: set[str]) -> None:
    found = access([{"group": "*", "member_level": level}])
    assert found.members == {name: "full" for name in MEMBERS if name in full}
    assert [grant.full for grant in found.grants or ()] == [full]


def test_what_is_only_masked_is_masked_and_what_any_policy_shows_is_shown() -> None:
    masked = {"group": "*", "member_level": {"includes": ["id"]}, "member_masking": {"includes": "*"}}
    assert access([masked]).members == {name: "full" if name == "id" else "masked" for name in MEMBERS}
    [grant] = access([masked]).grants or ()
    assert grant.masked == set(MEMBERS) - {"id"}
    shown = {"group": "sales", "member_level": {"includes": ["amount"]}}
    both = access([masked, shown]).members
    assert {name for name, how in both.items() if how == "full"} == {"id", "amount"}
    some = {"group": "*", "member_level": {"includes": ["id"]}, "member_masking": {"includes": ["region"]}}
    assert access([some]).members == {"id": "full", "region": "masked"}


def test_rows_are_those_of_the_policies_that_cover_every_member_used() -> None:
    """Held against the rule said in one line, for every set of members."""
    one = {"group": "*", "member_level": {"includes": ["id", "region"]}, "row_level": EMEA}
    two = {"group": "*", "member_level": {"includes": ["id", "amount"]}, "member_masking": {"includes": ["count"]},
           "row_level": BIG}  # fmt: skip
    covered = [{"id", "region"}, {"id", "amount", "count"}]
    found = access([one, two])
    for used in subsets(("id", "region", "amount", "count", "secret")):
        expected = [place for place, names in enumerate(covered) if used <= names]
        rule = found.rows(used)
        assert [(found.grants or ()).index(grant) for grant in rule.alternatives] == expected
        assert not rule.everything
        assert rule.reason == ("" if expected else "no policy grants this asker all members used together")
        known = used & {"id", "region", "amount", "count"}
        lenient = found.rows(used, lenient=True)
        assert [(found.grants or ()).index(g) for g in lenient.alternatives] == [
            place for place, names in enumerate(covered) if known <= names
        ]
        assert not lenient.everything


def test_a_policy_without_rows_or_with_all_of_them_opens_the_relation_where_it_covers() -> None:
    closed = {"group": "*", "member_level": {"includes": "*"}, "row_level": EMEA}
    for row_level in ({}, {"row_level": {"allow_all": True}}):
        found = access([closed, {"group": "*", "member_level": {"includes": ["id"]}, **row_level}])
        assert found.rows({"id"}).everything
        assert not found.rows({"id", "amount"}).everything
        assert found.rows({"id", "secret"}, lenient=True).everything is False


def test_a_masked_value_shows_on_the_rows_of_the_policies_that_grant_it_in_full() -> None:
    masks = {"group": "*", "member_level": {"includes": ["id"]}, "member_masking": {"includes": "*"}}
    shows = {"group": "*", "member_level": {"includes": ["id", "amount"]}, "row_level": EMEA}
    found = access([masks, shows])
    rule = found.unmasked("amount", {"id", "amount"})
    assert rule is not None
    assert (rule.relation, rule.everything, [g.rows is not None for g in rule.alternatives]) == (
        "orders",
        False,
        [True],
    )
    assert found.unmasked("id", {"id"}) is None  # in full by all of them
    hidden = found.unmasked("amount", {"amount", "region"})  # only the mask covers both
    assert hidden is not None and hidden.alternatives == ()
    alone = access([{"group": "*", "member_level": {"includes": ["amount"]}, "row_level": EMEA}])
    assert alone.unmasked("amount", {"amount"}) is None  # whatever rows there are show it
    everywhere = access([masks, {"group": "*", "member_level": {"includes": ["amount"]}}])
    assert everywhere.unmasked("amount", {"amount"}) is None


def test_names_in_a_view_may_be_written_as_the_cube_has_them() -> None:
    """Aliases that cross: what the view calls ``y`` is the cube's ``x``."""
    text: dict[str, Any] = {
        "cubes": [{"name": "a", "sql_table": "a", "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
            {"name": "x", "sql": "x", "type": "number"}, {"name": "y", "sql": "y", "type": "number"}]}],
        "views": [{"name": "v", "cubes": [{"join_path": "a", "includes": ["id", {"name": "x", "alias": "y"},
                   {"name": "y", "alias": "x"}]}],
                   "access_policy": [{"group": "*", "member_level": {"includes": ["id"]}}]}],
    }  # fmt: skip
    view = load_model(text).views["v"]
    assert [member.name for member in members_of(view)] == ["id", "y", "x"]
    for written, name in (("a.x", "y"), ("a.y", "x"), ("v.x", "x"), ("x", "x"), ("b.x", "x")):
        [policy] = view.access_policy or ()
        level = MemberLevel(includes=("id", written), excludes=())
        asked = replace(view, access_policy=(replace(policy, member_level=level),))
        assert access_to(asked, ANA).members == {"id": "full", name: "full"}


def test_a_hierarchy_is_no_member() -> None:
    view = model(None).views["shop"]
    [first, *rest] = view.members
    drawn = replace(view, members=(replace(first, name="place", kind="hierarchy"), *rest))
    assert [member.name for member in members_of(drawn)] == ["region", "amount", "count"]


def test_what_is_not_there_is_not_granted() -> None:
    cube = model([{"group": "*"}]).cubes["orders"]
    [policy] = cube.access_policy or ()
    level = MemberLevel(includes=("nowhere", "orders.id", "elsewhere.amount"), excludes=())
    asked = replace(cube, access_policy=(replace(policy, member_level=level),))
    [grant] = access_to(asked, ANA).grants or ()
    assert grant.full == {"id", "amount"}


def test_a_cube_below_a_view_gives_its_rows_by_the_members_the_view_uses() -> None:
    """Members no policy of the cube knows are the view's affair; those it knows still choose the policy."""
    policy = [
        {"group": "*", "member_level": {"includes": ["id", "region"]}, "row_level": EMEA},
        {"group": "*", "member_level": {"includes": ["id", "amount"]}, "row_level": BIG},
    ]
    parsed = model(policy)
    tables = {"orders": pd.DataFrame({
        "id": [1, 2, 3, 4], "region": ["EMEA", "EMEA", "APAC", "APAC"], "amount": [1, 10, 10, 1], "secret": list("abcd"),
    })}  # fmt: skip
    text = yaml.safe_dump({"cubes": [_written(policy)], "views": [
        {"name": "shop", "cubes": [{"join_path": "orders", "includes": ["id", "region", "amount", "count"]}]}]})  # fmt: skip
    assert parsed.views["shop"].access_policy is None
    with opened(text, tables) as layer:
        for relation in ("orders", "shop"):
            assert rows(layer, f"SELECT id, region FROM {relation} ORDER BY 1", ANA) == [(1, "EMEA"), (2, "EMEA")]
            assert rows(layer, f"SELECT id, amount FROM {relation} ORDER BY 1", ANA) == [(2, 10), (3, 10)]
            assert rows(layer, f"SELECT id FROM {relation} ORDER BY 1", ANA) == [(1,), (2,), (3,)]
            assert rows(layer, f"SELECT region, amount FROM {relation}", ANA) == []
        assert rows(layer, "SELECT count(*) FROM shop WHERE amount < 5", ANA) == [(0,)]
        assert rows(layer, "SELECT MEASURE(count) FROM shop", ANA) == [(3,)]
        with pytest.raises(QueryError):
            layer.query(ANA, "SELECT secret FROM shop")


def _written(policy: list[Any]) -> dict[str, Any]:
    dimensions = [{"name": name, "sql": name, "type": kind} for name, kind in
                  (("id", "number"), ("region", "string"), ("amount", "number"), ("secret", "string"))]  # fmt: skip
    dimensions[0] |= {"primary_key": True, "public": True}  # type: ignore[dict-item]
    return {"name": "orders", "sql_table": "orders", "dimensions": dimensions, "access_policy": policy,
            "measures": [{"name": "count", "type": "count"}]}  # fmt: skip
