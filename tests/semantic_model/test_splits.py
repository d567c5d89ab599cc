"""``split: true``: an entry's members make a view of their own."""

from __future__ import annotations

from typing import Any

import pytest

from svc_notebook.semantic.errors import ModelError
from svc_notebook.semantic.loader import check_model, load_model
from svc_notebook.semantic.model import DataModel

KEY = {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True}


def cube(name: str, *to: str) -> dict[str, Any]:
    joins = [
        {"name": other, "relationship": "many_to_one", "sql": f"{{CUBE}}.{other} = {{{other}}}.id"} for other in to
    ]
    return {"name": name, "sql_table": name, "dimensions": [KEY], "measures": [{"name": "count", "type": "count"}], "joins": joins}  # fmt: skip


CUBES = [cube("orders", "customers", "shops"), cube("customers"), cube("shops")]


def model(*entries: dict[str, Any], more: list[dict[str, Any]] | None = None, **view: Any) -> dict[str, Any]:
    return {"cubes": CUBES, "views": [{"name": "sales", "cubes": list(entries), **view}, *(more or [])]}


def shown(loaded: DataModel) -> dict[str, list[str]]:
    return {view.name: sorted(member.name for member in view.members) for view in loaded.views.values()}


def entry(path: str, *includes: str, **more: Any) -> dict[str, Any]:
    return {"join_path": path, "includes": list(includes), **more}


def test_what_is_split_off_is_a_view_of_its_own() -> None:
    loaded = load_model(
        model(
            entry("orders", "count"),
            entry("orders.customers", "id", split=True),
            entry("orders.shops", "id", "count", split="yes", prefix=True, alias="places"),
            public=False,
            title="Sales",
        )
    )
    assert shown(loaded) == {
        "sales": ["count"],
        "sales_customers": ["id"],
        "sales_places": ["places_count", "places_id"],
    }
    part = loaded.views["sales_customers"]
    assert (part.public, part.title, part.members[0].join_path) == (False, None, ("orders", "customers"))


def test_entries_of_one_name_are_taken_together() -> None:
    loaded = load_model(
        model(entry("orders.shops", "id", split=True, alias="x"), entry("orders", "count", split=True, alias="x"))
    )
    assert shown(loaded) == {"sales_x": ["count", "id"]}


def test_a_view_that_extends_another_splits_what_it_inherits() -> None:
    whole = model(
        entry("orders", "count"),
        entry("orders.shops", "id", split=True),
        more=[{"name": "more", "extends": "sales", "cubes": [entry("orders.customers", "id")]}],
    )
    assert shown(load_model(whole)) == {
        "sales": ["count"], "sales_shops": ["id"], "more": ["count", "id"], "more_shops": ["id"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        (
            model(
                entry("orders", "count"),
                entry("orders.shops", "id", split=True),
                access_policy=[{"group": "*", "member_level": {"includes": "*"}}],
            ),
            "view 'sales' has 'access_policy'",
        ),
        (
            model(
                entry("orders", "id"),
                entry("orders.shops", "count", split=True),
                default_filters=[{"member": "id", "operator": "set"}],
            ),
            "view 'sales' has 'default_filters'",
        ),
        (
            model(entry("orders.shops", "id", split=True), more=[{"name": "sales_shops", "cubes": [entry("shops", "id")]}]),
            "makes a view 'sales_shops', and there is one",
        ),
        (model(entry("orders.shops", "id", split="perhaps")), "'split' of .* must be true or false"),
    ],
)  # fmt: skip
def test_what_cannot_be_split_is_told(whole: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        load_model(whole)


def test_an_entry_that_is_not_split_stays() -> None:
    assert not check_model(model(entry("orders", "count"), entry("orders.shops", "id", split=False)))
