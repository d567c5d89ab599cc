"""A scope is bound once: to a site, a branch, a place and rights, and cannot be turned to others."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from svc_notebook.cancellation import CancellationToken
from svc_notebook.lanes import Lanes
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.service.scope import Opening, Scope
from svc_notebook.service.sites import Site

from ..loops import run
from .service_world import OrdersLayer

EMEA = SecurityContext(user="ana", user_attributes={"region": ["EMEA"]})
APAC = SecurityContext(user="bob", user_attributes={"region": ["APAC"]})


def opening(lanes: Lanes) -> Opening:
    layer: Any = OrdersLayer()
    return Opening(Site("acme", 32), "", lanes.place("acme", "ana"), layer, None)


def test_every_way_of_asking_is_under_the_rights_it_is_bound_to() -> None:
    lanes = Lanes(4)
    for rights, region in ((EMEA, "EMEA"), (APAC, "APAC")):
        scope = opening(lanes).bind(rights)
        found = run(scope.query("SELECT region FROM orders", cancel=CancellationToken()))
        assert set(found.table["region"].to_pylist()) == {region}
        assert set(scope.fetch("SELECT region FROM orders").table["region"].to_pylist()) == {region}
        assert scope.toolbox().ctx is rights
        assert scope.seen().relations == run(scope.catalog()).relations
    lanes.close()


def test_an_opening_asks_nothing() -> None:
    asking = {"analyst", "query", "fetch", "explain", "schema", "load", "catalog", "seen", "search", "access_report"}
    assert asking < set(dir(Scope))
    assert not asking & set(dir(Opening))


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Scope)])
def test_a_scope_cannot_be_turned_to_anything_else(name: str) -> None:
    lanes = Lanes(1)
    scope = opening(lanes).bind(EMEA)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(scope, name, None)
    lanes.close()
