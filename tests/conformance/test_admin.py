"""Endpoint 2, embed-tenant admin."""

from __future__ import annotations

import pytest

from ..service.service_world import BASIC, OTHER, World
from .conftest import Names
from .test_generate_session import refused, values_of

KINDS = ["groups", "user-attributes"]


def bootstrap(w: World, n: Names, count: int = 1) -> None:
    made = w.creator(n.user, n.tenant, groupDefinitions=[{"name": f"g{i}"} for i in range(count)],
                     userAttributeDefinitions=[{"name": f"a{i}", "type": "string"} for i in range(count)])  # fmt: skip
    assert made.status_code == 200


def test_lists_what_was_bootstrapped(w: World, n: Names) -> None:
    """List and delete the groups and user attributes that were bootstrapped into an embed tenant."""
    bootstrap(w, n, 2)
    groups = w.get(f"/api/v1/embed-tenants/{n.tenant}/groups").json()
    assert [item["name"] for item in groups["items"]] == ["g0", "g1"]
    assert set(groups["items"][0]) == {"id", "name", "description", "userCount"}
    attributes = w.get(f"/api/v1/embed-tenants/{n.tenant}/user-attributes").json()
    assert set(attributes["items"][0]) == {"id", "name", "type", "displayName", "description", "defaultValue"}
    assert set(attributes["pageInfo"]) == {"hasNextPage", "hasPreviousPage", "startCursor", "endCursor"}


@pytest.mark.parametrize("kind", KINDS)
def test_each_has_an_id_usable_in_the_delete_path(w: World, n: Names, kind: str) -> None:
    """Each has an id usable in the delete path."""
    bootstrap(w, n)
    path = f"/api/v1/embed-tenants/{n.tenant}/{kind}"
    [item] = w.get(path).json()["items"]
    assert isinstance(item["id"], int)
    response = w.delete(f"{path}/{item['id']}")
    assert (response.status_code, response.content) == (204, b"")
    assert w.get(path).json()["items"] == []
    refused(w.delete(f"{path}/{item['id']}"), 404)


@pytest.mark.parametrize("kind", KINDS)
def test_admin_access_is_required(w: World, n: Names, kind: str) -> None:
    """Same Api-Key authentication as Generate Session; admin access required."""
    bootstrap(w, n)
    path = f"/api/v1/embed-tenants/{n.tenant}/{kind}"
    refused(w.get(path, None), 401)
    refused(w.get(path, "wrong"), 401)
    refused(w.get(path, BASIC), 403, "admin")
    refused(w.delete(f"{path}/1", BASIC), 403, "admin")
    refused(w.get(path, OTHER), 404)


@pytest.mark.parametrize("kind", KINDS)
def test_cursor_pages(w: World, n: Names, kind: str) -> None:
    """List endpoints are cursor-paginated with query parameters `first` and `after`."""
    bootstrap(w, n, 5)
    path = f"/api/v1/embed-tenants/{n.tenant}/{kind}"
    names, after, pages = [], "", 0
    while True:
        page = w.get(f"{path}?first=2{after}").json()
        names += [item["name"] for item in page["items"]]
        assert page["pageInfo"]["hasPreviousPage"] is (pages > 0)
        pages += 1
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = f"&after={page['pageInfo']['endCursor']}"
    assert pages == 3
    assert names == sorted(names)
    assert len(names) == 5


def test_a_cursor_stays_valid_while_rows_come_and_go(w: World, n: Names) -> None:
    bootstrap(w, n, 4)
    path = f"/api/v1/embed-tenants/{n.tenant}/groups"
    page = w.get(f"{path}?first=2").json()
    assert w.delete(f"{path}/{page['items'][1]['id']}").status_code == 204
    w.creator(n.user, n.tenant, groupDefinitions=[{"name": "late"}])
    rest = w.get(f"{path}?after={page['pageInfo']['endCursor']}").json()
    assert [item["name"] for item in rest["items"]] == ["g2", "g3", "late"]


@pytest.mark.parametrize("query", ["first=0", "first=-1", "first=x", "first=1001", "first=1&first=2", "first=", "after=",
                                   "after=LTE", "after=abc", "first=1.5", "first=%D9%A1", "after=%00"])  # fmt: skip
def test_bad_paging(w: World, n: Names, query: str) -> None:
    bootstrap(w, n)
    refused(w.get(f"/api/v1/embed-tenants/{n.tenant}/groups?{query}"), 400)


def test_a_cursor_of_another_list_is_refused(w: World, n: Names) -> None:
    bootstrap(w, n, 2)
    cursor = w.get(f"/api/v1/embed-tenants/{n.tenant}/groups?first=1").json()["pageInfo"]["endCursor"]
    refused(w.get(f"/api/v1/embed-tenants/{n.tenant}/user-attributes?after={cursor}"), 400)


def test_ids_of_others_are_not_found(w: World, n: Names) -> None:
    bootstrap(w, n)
    other = Names(n.user, n.tenant + "-b", n.group, n.attribute)
    bootstrap(w, other)
    theirs = w.listed(tenant=other.tenant)["g0"]["id"]
    attribute = w.listed("user-attributes", n.tenant)["a0"]["id"]
    path = f"/api/v1/embed-tenants/{n.tenant}/groups"
    for wrong in (theirs, attribute, 0, -1, "x", 10**20, "1%20", "%F0%9F%98%80", "1;DROP"):
        refused(w.delete(f"{path}/{wrong}"), 404)
    assert "g0" in w.listed(tenant=other.tenant)
    assert "a0" in w.listed("user-attributes", n.tenant)


def test_a_group_with_members_stays(w: World, n: Names) -> None:
    bootstrap(w, n)
    w.creator(n.user, n.tenant, groups=["g0"])
    path = f"/api/v1/embed-tenants/{n.tenant}/groups/{w.listed(tenant=n.tenant)['g0']['id']}"
    refused(w.delete(path), 400, "1 member")
    w.creator(n.user, n.tenant, groups=[])
    assert w.delete(path).status_code == 204


def test_delete_and_recreate_changes_a_type(w: World, n: Names) -> None:
    """To change an attribute's type, delete it through this API and recreate it."""
    bootstrap(w, n)
    w.creator(n.user, n.tenant, userAttributes=[{"name": "a0", "value": "x"}])
    wanted = {"userAttributeDefinitions": [{"name": "a0", "type": "number"}]}
    refused(w.creator(n.user, n.tenant, **wanted), 400, "cannot change type")
    attribute = w.listed("user-attributes", n.tenant)["a0"]["id"]
    assert w.delete(f"/api/v1/embed-tenants/{n.tenant}/user-attributes/{attribute}").status_code == 204
    assert values_of(w, n.user) == {}  # the values stored under it went with it
    assert w.creator(n.user, n.tenant, **wanted).status_code == 200


def test_unknown_tenants_are_404_and_not_created_by_reading(w: World) -> None:
    for name in ("ghost-tenant", "ACME-CORP", "acme'corp", "a"):
        refused(w.get(f"/api/v1/embed-tenants/{name}/groups"), 404)
        refused(w.get(f"/api/v1/embed-tenants/{name}/groups"), 404)


def test_only_get_and_delete(w: World, n: Names) -> None:
    bootstrap(w, n)
    path = f"/api/v1/embed-tenants/{n.tenant}/groups"
    assert w.post(path, {}).status_code == 405
    assert w.delete(path).status_code == 405
    assert w.get(f"{path}/1").status_code == 405
