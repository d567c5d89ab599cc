"""Every setting of the configuration does what the page on operating the service says it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

import svc_notebook as svc
from svc_notebook.client import errors
from svc_notebook.service.clock import ManualClock

POLICY = [
    {
        "group": "*",
        "row_level": {
            "filters": [{"member": "region", "operator": "equals", "values": ["{ userAttributes.regions }"]}]
        },
    }
]
MODEL = {
    "cubes": [
        {
            "name": "orders",
            "sql_table": "orders",
            "dimensions": [{"name": "region", "sql": "region", "type": "string"}],
            "measures": [{"name": "count", "type": "count"}],
            "access_policy": POLICY,
        }
    ]
}
DATA = {"orders": {"region": ["EMEA", "EMEA", "APAC", "APAC", "APAC", "Mars"]}}
COUNT = "SELECT MEASURE(count) AS n FROM orders"


@pytest.fixture
def opened() -> Iterator[Callable[..., svc.Client]]:
    clients: list[Any] = []

    def open_(config: dict[str, Any] | None = None, **options: Any) -> svc.Client:
        clients.append(svc.embedded(model=MODEL, data=DATA, config=config or {"account": "acme"}, **options))
        return clients[-1]

    yield open_
    for client in clients:
        client.close()


def counted(client: svc.Client, **user: Any) -> int:
    return int(client.sql(COUNT, **user).iloc[0, 0])


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("string_array", '["EMEA", "Mars"]', 3),
        ("string_array", "EMEA", 2),
        ("string", "Mars", 1),
        ("string", '["EMEA"]', 0),
    ],
)
def test_a_default_stands_in_for_users_without_a_value(
    opened: Callable[..., svc.Client], kind: str, text: str, expected: int
) -> None:
    client = opened({"attributes": {"regions": {"type": kind, "default_value": text}}})
    assert counted(client, external_id="ana", groups=[]) == expected
    own = ["APAC"] if kind.endswith("_array") else "APAC"
    assert counted(client, external_id="ana", user_attributes={"regions": own}) == 3


def test_attributes_that_only_a_policy_names_are_lists_of_texts(opened: Callable[..., svc.Client]) -> None:
    client = opened()
    assert counted(client, external_id="ana", user_attributes={"regions": ["EMEA"]}) == 2
    with pytest.raises(errors.BadRequest, match="'regions' has type string_array"):
        counted(client, external_id="ana", user_attributes={"regions": "EMEA"})
    assert (
        counted(opened(user_attributes={"regions": "string"}), external_id="a", user_attributes={"regions": "EMEA"})
        == 2
    )


def test_who_is_only_named_asks_with_what_was_said_before(opened: Callable[..., svc.Client]) -> None:
    client = opened()
    assert counted(client, external_id="ana") == 0
    assert counted(client, external_id="ana", user_attributes={"regions": ["EMEA"]}) == 2
    assert counted(client, external_id="ana") == 2


def test_users_of_an_embed_tenant_are_not_those_of_the_account(opened: Callable[..., svc.Client]) -> None:
    client = opened()
    assert counted(client, external_id="ana", user_attributes={"regions": ["EMEA"]}) == 2
    session = client.generate_session(
        deployment_id=1, external_id="ana", creator_mode=True, embed_tenant_name="acme-corp",
        user_attribute_definitions=[{"name": "regions", "type": "string_array"}], user_attributes={"regions": ["Mars"]},
    )  # fmt: skip
    ana = svc.Client(
        client.base_url, token=session.token(), chat_api_url=client.chat_api_url, transport=client.transport
    )
    assert counted(ana) == 1
    assert ana.chat().ask("how many orders").df.iloc[0, 0] == 1
    assert counted(client, external_id="ana") == 2
    ana.close()


def test_sessions_and_tokens_end_when_the_configuration_says(opened: Callable[..., svc.Client]) -> None:
    clock = ManualClock()
    client = opened({"session_ttl": 10, "token_ttl": 100}, clock=clock)
    late = client.generate_session(deployment_id=1, external_id="ana")
    token = client.generate_session(deployment_id=1, external_id="ana").token()
    ana = svc.Client(client.base_url, token=token, transport=client.transport)
    clock.advance(20)
    assert counted(ana) == 0
    with pytest.raises(errors.AuthenticationFailed, match="expired"):
        late.token()
    clock.advance(100)
    with pytest.raises(errors.AuthenticationFailed, match="expired"):
        counted(ana)
    ana.close()


def test_answers_carry_as_many_rows_as_the_configuration_says(opened: Callable[..., svc.Client]) -> None:
    result = opened({"row_cap": 2}).chat().ask("orders by region").result
    assert (len(result), result.total_rows, result.truncated) == (2, 3, True)
    assert len(result.load_all()) == 3


@pytest.mark.parametrize(
    ("config", "question", "said"),
    [
        ({"input_limit": 10}, "how many orders are there", "input has more than 10 characters"),
        ({"body_limit": 400}, "how many orders" + " " * 400, "larger than 400 bytes"),
    ],
)
def test_questions_are_as_long_as_the_configuration_says(
    opened: Callable[..., svc.Client], config: dict[str, Any], question: str, said: str
) -> None:
    client = opened(config)
    with pytest.raises(errors.SvcError, match=said):
        client.chat().ask(question)
    assert client.chat().ask("orders").status == "complete"


def test_an_answer_is_as_long_as_the_configuration_says(opened: Callable[..., svc.Client]) -> None:
    answer = opened({"turn_limit": 500}).chat().ask("orders by region")
    assert answer.status == "failed"
    assert "longer than 500 bytes" in str(answer.error)


def test_no_header_opens_the_service_to_other_origins_and_its_pages_may_be_framed(
    opened: Callable[..., svc.Client],
) -> None:
    client = opened()
    session = client.generate_session(deployment_id=1, external_id="ana")
    with httpx.Client(transport=client.transport, base_url=client.base_url) as http:
        page = http.get(session.embed_url("chat"), headers={"Origin": "https://elsewhere.example"})
        asked = http.options("/svc-api/v1/sql", headers={"Origin": "https://elsewhere.example"})
        described = http.get("/openapi.json")
    for response in (page, asked, described):
        assert not [name for name in response.headers if name.startswith("access-control-")]
    assert page.status_code == described.status_code == 200
    assert "x-frame-options" not in page.headers
    assert "frame-ancestors *" in page.headers["content-security-policy"]
