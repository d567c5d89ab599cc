"""Whose policies apply to a request of the data API, and what is told of them."""

from __future__ import annotations

from typing import Any

import pytest

from svc_notebook.service.store.schema import users

from .service_world import BASIC, AppliedFilter, World, lines

SELECT = {"query": "SELECT region FROM orders"}
EMEA = {"groups": ["analysts"], "userAttributes": [{"name": "region", "value": ["EMEA"]}]}


def asked(w: World, settings: Any = None, key: str | None = None, path: str = "sql") -> tuple[dict[str, Any], set[str]]:
    """The head of the answer, and the regions of its rows."""
    body = SELECT if settings is None else {**SELECT, "sessionSettings": settings}
    answer = w.post(f"/svc-api/v1/{path}", body, *([] if key is None else [key]))
    assert answer.status_code == 200, answer.text
    head, *rest = lines(answer.content)
    return head, {row[0] for line in rest for row in line["data"]}


def people(w: World) -> set[str]:
    return {row.name for row in w.service.store.read(lambda c: c.execute(users.select()).fetchall())}


def token(w: World, **more: Any) -> str:
    return f"Bearer {w.token(externalId='ana', **{**EMEA, **more})}"


def test_an_administrator_without_a_user_asks_as_operator_and_nobody_else_does(w: World) -> None:
    head, regions = asked(w)
    assert head["user"] == "operator" and len(regions) > 1
    assert w.post("/svc-api/v1/sql/explain", SELECT).status_code == 200
    for path in ("sql", "sql/explain", "load"):
        body = {"query": {"dimensions": ["orders.region"]}} if path == "load" else SELECT
        answer = w.post(f"/svc-api/v1/{path}", body, BASIC)
        assert answer.status_code == 403 and "admin" in answer.json()["message"]
    assert w.get("/svc-api/v1/meta", BASIC).status_code == 403


def test_a_user_who_comes_with_rights_is_kept_and_one_who_is_only_named_is_not(w: World) -> None:
    before = people(w)
    head, regions = asked(w, {"externalId": "new"})
    assert (head["user"], regions) == ("new (external)", set())
    assert people(w) == before
    head, regions = asked(w, {"externalId": "ben", **EMEA}, BASIC)
    assert (head["user"], regions) == ("ben (external), groups: analysts", {"EMEA"})
    assert people(w) == before | {"ben"}
    head, regions = asked(w, {"externalId": "ben", "timezone": "Asia/Tokyo"})
    assert (head["user"], regions) == ("ben (external), groups: analysts", {"EMEA"})
    head, regions = asked(w, {"externalId": "cy", "groups": []})
    assert regions == set() and people(w) == before | {"ben", "cy"}


def test_an_internal_user_is_known_or_refused(w: World) -> None:
    head, regions = asked(w, {"internalId": "ivy@example.com"})
    assert head["user"].startswith("ivy@example.com (internal)") and regions == {"APAC"}
    assert w.post("/svc-api/v1/sql", {**SELECT, "sessionSettings": {"internalId": "no@example.com"}}).status_code == 404


def test_who_looks_without_asking_must_be_known(w: World) -> None:
    assert w.get("/svc-api/v1/meta?externalId=ghost").status_code == 404
    assert w.get("/svc-api/v1/meta?internalId=no@example.com").status_code == 404
    asked(w, {"externalId": "ben", **EMEA})
    assert w.get("/svc-api/v1/meta?externalId=ben").status_code == 200
    assert w.post("/svc-api/v1/meta", {"sessionSettings": {"externalId": "ghost"}}).status_code == 200
    assert "ghost" not in people(w)


def test_a_trial_keeps_nothing(w: World) -> None:
    before = w.state()
    answer = w.post("/svc-api/v1/access", {"sessionSettings": {"externalId": "new", **EMEA}}).json()
    assert (answer["user"], answer["groups"], answer["attributes"]) == (
        "new (external), groups: analysts", ["analysts"], {"region": "EMEA"},
    )  # fmt: skip
    assert w.state() == before


def test_a_token_asks_as_its_user_and_hears_of_policies_what_it_may(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = w.layer.query

    def query(*args: Any, **options: Any) -> Any:
        found = real(*args, **options)
        for item in found.row_filters:
            item.told = AppliedFilter("orders", "region is one of yours")
        return found

    monkeypatch.setattr(w.layer, "query", query)
    mine = token(w)
    head, regions = asked(w, key=mine)
    assert (head["user"], regions) == ("ana (external), groups: analysts", {"EMEA"})
    assert head["rowFilters"] == [{"cube": "orders", "filter": "region is one of yours"}]
    told, _ = asked(w, {"externalId": "ana"})
    assert [item["reason"] for item in told["rowFilters"]] == ["userAttributes.region"]
    assert asked(w, {"externalId": "ana"}, mine)[1] == {"EMEA"}
    for settings in ({"externalId": "ben"}, {"internalId": "ivy@example.com"}, {"externalId": "ana", **EMEA}):
        assert w.post("/svc-api/v1/sql", {**SELECT, "sessionSettings": settings}, mine).status_code in {400, 403}
    refused = w.post("/svc-api/v1/sql/explain", SELECT, mine)
    assert refused.status_code == 403 and "account key" in refused.json()["message"]


def test_an_explanation_tells_key_holders_what_applies(w: World) -> None:
    body = {**SELECT, "sessionSettings": {"externalId": "ben", **EMEA}}
    told = w.post("/svc-api/v1/sql/explain", body).json()
    assert told["sql"].endswith("WHERE region IN (?)") and told["parameters"] == ["EMEA"]
    assert [column["name"] for column in told["schema"]] == ["region"]
    assert told["rowFilters"] == [{"cube": "orders", "filter": "region IN (?)", "reason": "userAttributes.region"}]
    bare = w.post("/svc-api/v1/sql/explain", {**SELECT, "sessionSettings": {"externalId": "bare"}}).json()
    assert bare["notes"] == ["user attribute 'region' is not set: no rows"]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ({"activeBranchName": "dev"}, "the branch that is served"),
        ({"isDefaultBranch": False}, "the branch that is served"),
        ({"deploymentId": 32}, "into the query string"),
    ],
)
def test_a_place_in_the_body_is_refused(w: World, place: dict[str, Any], told: str) -> None:
    for path in ("sql", "sql/explain", "meta", "load", "access"):
        body = {"query": {}} if path == "load" else {} if path == "access" else SELECT
        answer = w.post(f"/svc-api/v1/{path}", {**body, **place})
        assert answer.status_code == 400 and told in answer.json()["message"]
    assert w.post("/svc-api/v1/sql", {**SELECT, "isDefaultBranch": True}).status_code == 200


@pytest.mark.parametrize("path", ["sql", "meta", "load", "access"])
def test_the_deployment_of_the_query_string_must_be_the_senders(w: World, path: str) -> None:
    body = (
        {"query": {"dimensions": ["orders.region"]}} if path == "load" else {} if path in {"access", "meta"} else SELECT
    )
    known = {w.post(f"/svc-api/v1/{path}?deploymentId={n}", body).status_code for n in (32, 33)}
    assert known <= {200, 400}  # the rows of this world know no JSON queries
    assert w.post(f"/svc-api/v1/{path}?deploymentId=7", body).status_code in {403, 404}
    assert w.post(f"/svc-api/v1/{path}?deploymentId=32", body, "scoped-key").status_code in {403, 404}


def test_who_is_kept_for_a_while_is_told_to_whoever_ends_it(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    due: list[float | None] = []
    monkeypatch.setattr(w.service, "expires", due.append)
    brief = {"sessionSettings": {"externalId": "brief", "isEphemeral": True, **EMEA}}
    assert w.post("/svc-api/v1/access", brief).status_code == 200
    assert due == []
    asked(w, brief["sessionSettings"])
    assert len(due) == 1 and due[0] is not None and due[0] > w.service.now()
    w.clock.advance(40 * 86_400)
    assert asked(w, {"externalId": "brief"})[1] == set()


def test_queries_know_the_name_of_who_asks(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    names, real = [], w.layer.query
    monkeypatch.setattr(w.layer, "query", lambda ctx, *args, **more: names.append(ctx.user) or real(ctx, *args, **more))
    for settings in ({"externalId": "new"}, {"externalId": "ben", **EMEA}, {"externalId": "ben"}):
        asked(w, settings)
    asked(w)
    assert names == ["new", "ben", "ben", "operator"]
