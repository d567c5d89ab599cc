"""Models, agents, analysts and threads are per account and deployment: a key or token for one never reads another's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

import svc_notebook as svc
from svc_notebook.protocol.errors import Forbidden, NotFound, Unauthorized
from svc_notebook.service.callers.auth import Caller, authenticate
from svc_notebook.service.config import AgentConfig, ApiKey, ConfigError, Deployment, ServiceConfig, TenantConfig
from svc_notebook.service.deployments.sites import AgentUnavailable, Site, Sites, models_of
from svc_notebook.service.runtime import Service

from .service_world import ScriptedAnalyst, lines
from .two_accounts import CERTIFIED, SITES, Accounts, accounts, mark, marks

SELECT = {"query": "SELECT status FROM orders"}
ANA = {"externalId": "ana"}


@pytest.fixture(scope="module")
def two() -> Iterator[Accounts]:
    with accounts() as running:
        yield running


@pytest.mark.parametrize("site", SITES, ids=str)
def test_a_key_reads_the_data_of_its_own_deployment(two: Accounts, site: Site) -> None:
    for path in ("sql", "sql/explain"):
        assert two.post(f"/svc-api/v1/{path}", SELECT, two.key(site)).status_code == 200
    text = two.post("/svc-api/v1/sql", SELECT, two.key(site)).text
    assert marks(text) == {mark(site)}
    assert "EMEA" in text and "APAC" in text  # unrestricted, but only here


@pytest.mark.parametrize("site", SITES, ids=str)
def test_a_token_reads_the_data_of_its_own_deployment(two: Accounts, site: Site) -> None:
    text = two.post("/svc-api/v1/sql", SELECT, two.token(site)).text
    assert marks(text) == {mark(site)}
    assert "APAC" not in text


@pytest.mark.parametrize("site", SITES, ids=str)
def test_an_agent_answers_with_its_own_queries_over_its_own_model(two: Accounts, site: Site) -> None:
    for key in (two.key(site), two.token(site)):
        answer = two.chat(site.account, {"input": CERTIFIED, "sessionSettings": ANA}, key).text
        assert marks(answer) == {mark(site), f"<<{site.account}>>"}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"activeBranchName": "dev"}, "the branch that is served"),
        ({"activeBranchName": "dev", "isDefaultBranch": False}, "the branch that is served"),
        ({"isDefaultBranch": False}, "the branch that is served"),
        ({"deploymentId": 11}, "into the query string"),
    ],
)
@pytest.mark.parametrize("path", ["sql", "sql/explain", "meta", "load", "access"])
def test_a_data_request_names_no_place_in_its_body(two: Accounts, path: str, more: dict[str, Any], told: str) -> None:
    body = {"query": {"dimensions": ["orders.status"]}} if path == "load" else {} if path == "access" else SELECT
    assert two.post(f"/svc-api/v1/{path}", body, two.key(SITES[1])).status_code == 200
    assert two.post(f"/svc-api/v1/{path}", {**body, "isDefaultBranch": True}, two.key(SITES[1])).status_code == 200
    answer = two.post(f"/svc-api/v1/{path}", {**body, **more}, two.key(SITES[1]))
    assert (answer.status_code, told in answer.json()["message"]) == (400, True)


@pytest.mark.parametrize("site", SITES, ids=str)
def test_a_token_is_not_shown_what_policies_say(two: Accounts, site: Site) -> None:
    for path, status in (("sql/explain", 403), ("access", 401)):
        answer = two.post(f"/svc-api/v1/{path}", {} if path == "access" else SELECT, two.token(site))
        assert answer.status_code == status and "region IN" not in answer.text


@pytest.mark.parametrize("site", SITES, ids=str)
def test_another_deployment_is_asked_for_by_number_and_refused(two: Accounts, site: Site) -> None:
    for other in (1, 2, 11, 99, "x", "", "1 ", "-1", "٢", "9" * 40):
        own = other == site.deployment
        for key in (two.key(site), two.token(site)):
            answer = two.http.post(
                "/svc-api/v1/sql", params={"deploymentId": str(other)}, json=SELECT, headers={"Authorization": key}
            )
            assert (answer.status_code == 200) == own
            assert own or marks(answer.text) == set()
    both = f"Api-Key {site.account} admin"
    asked = {"deploymentId": str(site.deployment)}
    answer = two.http.post("/svc-api/v1/sql", params=asked, json=SELECT, headers={"Authorization": both})
    assert marks(answer.text) == {mark(site)}


def test_a_thread_is_there_for_its_deployment_alone(two: Accounts) -> None:
    for site in SITES:
        body = {"input": "orders", "sessionSettings": ANA}
        answer = two.chat(site.account, body, two.key(site))
        thread = lines(answer.content)[0]["state"]["chatId"]
        for other in SITES:
            for key in (two.key(other), two.token(other)):
                replayed = two.chat(other.account, {"chatId": thread, "sessionSettings": ANA}, key)
                more = two.chat(other.account, {**body, "chatId": thread}, key)
                stopped = two.post(
                    f"/api/v1/public/{other.account}/agents/data-analyst/chat/abort",
                    {"chatId": thread, "sessionSettings": ANA}, key,
                )  # fmt: skip
                expected = (200, 200, 204) if other == site else (404, 404, 404)
                assert (replayed.status_code, more.status_code, stopped.status_code) == expected
                listed = two.http.get(
                    f"/api/v1/public/{other.account}/agents/data-analyst/chat/threads?externalId=ana",
                    headers={"Authorization": key},
                )
                assert (thread in listed.text) == (other == site)


def test_a_thread_is_its_users_alone(two: Accounts) -> None:
    """Also at the same deployment, with the same agent, over a token and over a key that names somebody else."""
    site = SITES[0]
    answer = two.chat("acme", {"input": "orders", "sessionSettings": ANA}, two.key(site))
    thread = lines(answer.content)[0]["state"]["chatId"]
    for key, user in ((two.token(site, "ben"), {"externalId": "ben"}), (two.key(site), {"externalId": "ben"})):
        two.chat("acme", {"input": "orders", "sessionSettings": user}, key)  # ben is known
        for body in ({"chatId": thread}, {"chatId": thread, "input": "more"}):
            assert two.chat("acme", {**body, "sessionSettings": user}, key).status_code == 404


def test_an_agent_that_is_not_there_is_404_and_one_of_its_deployment_wins(two: Accounts) -> None:
    body = {"input": "orders", "sessionSettings": ANA}
    assert two.chat("acme", body, two.key(SITES[0]), "nobody").status_code == 404
    for wanted in ("1" * 19, "1" * 18, "²"):
        asked = two.http.post("/svc-api/v1/sql", params={"deploymentId": wanted}, json=SELECT,
                              headers={"Authorization": "Api-Key acme admin"})  # fmt: skip
        assert asked.status_code == 404


def test_an_agent_of_one_deployment_is_closed_to_the_other(two: Accounts) -> None:
    body = {"input": "orders", "sessionSettings": ANA}
    assert two.chat("acme", body, two.key(Site("acme", 1)), "only-first").status_code == 200
    assert two.chat("acme", body, two.key(Site("acme", 11)), "only-first").status_code == 403
    assert two.chat("acme", body, two.key(Site("acme:1", 1)), "only-first").status_code in {401, 404}


def _caller(service: Service, key: str) -> Caller:
    return service.store.read(authenticate, f"Api-Key {key}".encode(), 0.0)


def _asked(account: str, agent: str = "data-analyst") -> Request:
    return Request({"type": "http", "path_params": {"account": account, "agent": agent}, "headers": []})


def test_an_account_that_is_others_is_not_open_and_one_that_is_not_there_is_not_found(two: Accounts) -> None:
    body = {"input": "orders", "sessionSettings": ANA}
    for account, status in (("acme:1", 401), ("acme:2", 404), ("ACME", 404), ("acm", 404), ("", 404)):
        assert two.chat(account, body, two.key(SITES[0])).status_code == status
    caller = _caller(two.service, "acme admin")
    with pytest.raises(Unauthorized):
        two.service.agent(caller, _asked("acme:1"))
    with pytest.raises(NotFound, match="No such account"):
        two.service.agent(caller, _asked("acme:2"))


def test_an_agent_is_its_deployments_and_no_other_can_be_wanted(two: Accounts) -> None:
    service = two.service
    second, both = _caller(service, "acme second"), _caller(service, "acme admin")
    with pytest.raises(Forbidden, match="deployment 1"):
        service.agent(second, _asked("acme", "only-first"))
    agent = service.agent(both, _asked("acme", "only-first"))
    assert service.site(both, agent, wanted="11") == Site("acme", 1)
    assert service.site(both, service.agent(both, _asked("acme")), wanted="11") == Site("acme", 11)


def test_a_number_that_no_deployment_can_have_is_not_found(two: Accounts) -> None:
    caller = _caller(two.service, "acme admin")
    for wanted in ("9" * 5_000, "9" * 19, "", "-1", "1.0", "١"):
        with pytest.raises(NotFound):
            two.service.site(caller, wanted=wanted)
    with pytest.raises(Forbidden, match="no access to any deployment"):
        two.service.site(replace(caller, deployments=()))


def test_an_analyst_that_cannot_be_made_is_named_with_what_is_missing() -> None:
    config = ServiceConfig(tenants=[TenantConfig("acme", agents=[AgentConfig("x", analyst="nobody")])])
    [agent] = config.tenants[0].agents
    with pytest.raises(AgentUnavailable, match="Agent x: 'nobody' is not an analyst"):
        Sites(config, {}).analyst(Site("acme", 1), agent)


def test_engines_are_counted_once_and_analysts_are_closed() -> None:
    class Closing(ScriptedAnalyst):
        closed = 0

        async def aclose(self) -> None:
            self.closed += 1

    analyst, engine = Closing(), object()
    config = ServiceConfig(
        tenants=[TenantConfig("acme", deployments=[1, 2, 3], agents=[AgentConfig("x", analyst=analyst)])]
    )
    models: Any = {
        Site("acme", 1): {"main": SimpleNamespace(engine=engine)},
        Site("acme", 2): {"main": SimpleNamespace(engine=engine)},
        Site("acme", 3): {"main": SimpleNamespace()},
    }
    sites = Sites(config, models)
    assert sites.engines() == [engine]
    [agent] = config.tenants[0].agents
    assert sites.made(Site("acme", 1), agent) is None
    assert sites.analyst(Site("acme", 1), agent) is sites.made(Site("acme", 1), agent) is analyst
    asyncio.run(sites.close())
    assert analyst.closed == 1


def test_one_model_is_for_the_first_deployment_alone() -> None:
    config = ServiceConfig(tenants=[TenantConfig("acme", deployments=[1, 2]), TenantConfig("beta")])
    layer: Any = object()
    assert models_of(config, {"main": layer}, lambda _: layer) == {Site("acme", 1): {"main": layer}}
    named = ServiceConfig(tenants=[TenantConfig("acme"), TenantConfig("beta", deployments=[Deployment(7, "m")])])
    assert list(models_of(named, {"main": layer}, lambda _: layer)) == [Site("acme", 1), Site("beta", 7)]


@pytest.mark.parametrize(
    ("tenants", "said"),
    [
        ([TenantConfig("a"), TenantConfig("a")], "account a stands twice"),
        ([TenantConfig("a", deployments=[1, Deployment(1)])], "account a: deployment 1 stands twice"),
        ([TenantConfig("a", agents=[AgentConfig("x"), AgentConfig("x")])], "account a: agent x stands twice"),
        ([TenantConfig("a", agents=[AgentConfig("x", deployment=5)])], "account a: agent x: there is no deployment 5"),
        (
            [TenantConfig("a", api_keys=[ApiKey("s3cret")]), TenantConfig("b", api_keys=[ApiKey("s3cret", name="k")])],
            "the key 'k' of account b opens account a as well",
        ),
    ],
)
def test_what_tells_accounts_apart_stands_once(tenants: list[TenantConfig], said: str) -> None:
    service = Service(ServiceConfig(tenants=tenants), {})
    with pytest.raises(ConfigError, match=said) as caught:
        asyncio.run(service.start())
    assert "s3cret" not in str(caught.value)
    asyncio.run(service.stop())


def test_a_configuration_names_the_models_of_further_deployments(tmp_path: Path) -> None:
    for folder, measure in (("model", "orders"), ("models/returns", "returns")):
        (tmp_path / folder).mkdir(parents=True)
        cube = f"cubes: [{{name: shop, sql_table: shop, measures: [{{name: {measure}, type: count}}]}}]"
        (tmp_path / folder / "shop.yml").write_text(cube, "utf-8")
    (tmp_path / "service.yml").write_text(
        "deployments: [1, {id: 2, model: models/returns}]\napi_keys: [{key: two, admin: true, deployments: [2]}]",
        "utf-8",
    )
    with svc.embedded(model=tmp_path / "model", data={"shop": {"id": [1]}}) as client:
        assert "orders" in str(client.meta())
        second = svc.Client(client.base_url, "two", transport=client.transport)
        assert ("returns" in str(second.meta()), "orders" in str(second.meta())) == (True, False)
