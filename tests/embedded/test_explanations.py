"""Why somebody sees what they see: explained to themselves without what they may not know, to administrators in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.client import errors
from svc_notebook.embedded import EmbeddedClient

from ..loops import run

MODEL: dict[str, Any] = {
    "cubes": [
        {
            "name": "staff",
            "sql_table": "staff",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
                {"name": "region", "sql": "region", "type": "string"},
                {"name": "grade", "sql": "grade", "type": "number"},
                {"name": "phone", "sql": "phone", "type": "string", "mask": "hidden"},
            ],
            "measures": [{"name": "count", "type": "count"}],
            "access_policy": [
                {
                    "group": "*",
                    "conditions": [{"if": "{ userAttributes.level.includes('gold') }"}],
                    "member_level": {"includes": ["id", "region", "count"]},
                    "member_masking": {"includes": ["phone"]},
                    "row_level": {
                        "filters": [
                            {"member": "region", "operator": "equals", "values": ["{ userAttributes.region }"]},
                            {"member": "grade", "operator": "lt", "values": [77]},
                        ]
                    },
                },
                {"group": "board", "row_level": {"allow_all": True}},
            ],
        },
        {"name": "secrets", "sql_table": "staff", "measures": [{"name": "count", "type": "count"}],
         "access_policy": [{"group": "board", "row_level": {"allow_all": True}}]},
        {"name": "open_days", "sql_table": "days", "dimensions": [{"name": "day", "sql": "day", "type": "string"}]},
    ],
    "views": [{"name": "people", "cubes": [{"join_path": "staff", "includes": ["region", "count"]}]}],
}  # fmt: skip
DATA = {
    "staff": pd.DataFrame(
        {"id": [1, 2, 3], "region": ["EMEA", "EMEA", "APAC"], "grade": [1, 99, 2], "phone": ["1", "2", "3"]}
    ),
    "days": pd.DataFrame({"day": ["Monday"]}),
}
ANA: dict[str, Any] = {"external_id": "ana", "user_attributes": {"region": ["EMEA"], "level": ["gold"]}}
QUERY = "SELECT region, MEASURE(count) AS n FROM staff GROUP BY 1"


@pytest.fixture(scope="module")
def client() -> Iterator[EmbeddedClient]:
    with svc.embedded(MODEL, data=DATA) as client:
        yield client


@pytest.fixture(scope="module")
def tokened(client: EmbeddedClient) -> Iterator[httpx.Client]:
    """Ana herself, with her own token."""
    token = client.generate_session(deployment_id=1, **ANA).token()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url="http://svc.local", transport=client.transport, headers=headers) as http:
        yield http


def test_an_explanation_reads_as_a_page(client: EmbeddedClient) -> None:
    told = client.explain("SELECT region FROM people", **ANA)
    page = str(told)
    assert page.startswith("asked\n  SELECT region FROM people\nrows\n  staff: region is 'EMEA'")
    assert "runs as\n  SELECT" in page
    assert "$p1 = 'EMEA'" in page
    shown = told._repr_html_()
    assert "<td>staff</td>" in shown
    assert "<details>" in shown


def test_what_stands_in_a_query_stays_text_in_html(client: EmbeddedClient) -> None:
    shown = client.explain("SELECT '<b>' AS x, day FROM open_days")
    assert "<b>" not in shown._repr_html_()
    assert "All rows: no row filter applies." in shown._repr_html_()


def test_a_users_own_token_opens_no_explanation(tokened: httpx.Client) -> None:
    told = tokened.post("/svc-api/v1/sql/explain", json={"query": QUERY})
    assert told.status_code == 403
    assert "grade" not in told.text
    assert "77" not in told.text


def test_access_is_for_administrators(tokened: httpx.Client) -> None:
    refused = tokened.post("/svc-api/v1/access", json={})
    assert refused.status_code in (401, 403)
    assert "staff" not in refused.text


def test_access_says_what_is_seen_and_why(client: EmbeddedClient) -> None:
    told = client.access(**ANA)
    found = {item.name: item for item in told.relations}
    assert (told.user, told.groups, told.attributes) == ("ana (external)", [], {"level": "gold", "region": "EMEA"})
    assert (found["staff"].rows, found["staff"].total) == (1, 3)
    assert (found["staff"].shown, found["staff"].masked, found["staff"].hidden) == (
        ["id", "region", "count"], ["phone"], ["grade"],
    )  # fmt: skip
    assert [policy.applies for policy in found["staff"].policies] == [True, False]
    assert found["staff"].policies[1].why == "it is for 'board', and they are in no group"
    assert not found["secrets"].visible
    assert found["secrets"].why == "it has policies, and none of them applies: it is unknown to them"
    assert found["open_days"].why == "it has no access_policy: all public members and all rows are visible"
    assert (found["people"].rows, found["people"].total) == (1, 3)
    assert [policy.relation for policy in found["people"].policies] == ["staff", "staff"]


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"region": ["EMEA"]}, "does not hold: userAttributes.level is not set"),
        ({"region": ["EMEA"], "level": ["tin"]}, "does not hold: userAttributes.level is ['tin']"),
        ({"level": ["gold"]}, "no rows (region is …: user attribute 'region' is not set"),
        ({"region": [], "level": ["gold"]}, "no rows (region is …"),
    ],
)
def test_why_do_they_see_no_rows(client: EmbeddedClient, attributes: dict[str, Any], words: str) -> None:
    told = client.access("staff", external_id=f"x{len(words)}", user_attributes=attributes)
    (item,) = told.relations
    assert item.rows == 0
    assert words in str(told)
    assert words.replace("'", "&#x27;") in told._repr_html_()


def test_what_is_tried_out_changes_nobody(client: EmbeddedClient) -> None:
    client.access("staff", **ANA)
    client.sql(QUERY, **ANA)
    before = client.service.store.state_hash()
    other = {"region": ["APAC"], "level": ["gold"]}
    assert client.access("staff", external_id="ana", user_attributes=other).attributes["region"] == "APAC"
    assert client.access("staff", external_id="nobody", user_attributes=other).relations[0].rows == 1
    assert client.service.store.state_hash() == before
    assert client.access("staff", external_id="ana").attributes["region"] == "EMEA"


def test_a_name_that_is_none_and_the_operator(client: EmbeddedClient) -> None:
    with pytest.raises(errors.NotFound, match="no cube and no view 'stuff'"):
        client.access("stuff")
    assert "the operator is past all policies" in str(client.access("staff"))


def test_the_async_client_says_the_same(client: EmbeddedClient) -> None:
    key = client.service.config.tenants[0].api_keys[0].secret()
    asynchronous = svc.AsyncClient("http://svc.local", api_key=key, transport=client.transport)
    assert run(asynchronous.access("staff", **ANA)) == client.access("staff", **ANA)
