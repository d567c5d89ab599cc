"""The session form's values: request, field errors, Python and curl."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from svc_notebook.widgets.session_draft import as_curl, as_python, check, client_arguments, request_body

FULL: dict[str, Any] = {
    "deployment": "32",
    "kind": "external",
    "user": "ana",
    "email": "ana@example.com",
    "tenant": "acme-corp",
    "creator": True,
    "groups_mode": "replace",
    "groups": ["analysts"],
    "attributes": [
        {"name": "region", "type": "string_array", "value": "EMEA, APAC"},
        {"name": "limit", "type": "number", "value": "2.5"},
        {"name": "city", "type": "null", "value": ""},
    ],
    "group_definitions": [{"name": "analysts", "description": ""}],
    "attribute_definitions": [{"name": "region", "type": "string_array", "displayName": "Region"}],
    "context": '{"plan": "gold"}',
}


def test_every_field_reaches_the_request() -> None:
    assert check(FULL) == {}
    assert request_body(FULL) == {
        "deploymentId": 32,
        "externalId": "ana",
        "email": "ana@example.com",
        "embedTenantName": "acme-corp",
        "creatorMode": True,
        "groups": ["analysts"],
        "userAttributes": [
            {"name": "region", "value": ["EMEA", "APAC"]}, {"name": "limit", "value": 2.5}, {"name": "city", "value": None}
        ],
        "groupDefinitions": [{"name": "analysts"}],
        "userAttributeDefinitions": [{"name": "region", "type": "string_array", "displayName": "Region"}],
        "securityContext": {"plan": "gold"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"user": ""}, "user"),
        ({"user": " Bob "}, "user"),
        ({"user": "two words"}, "user"),
        ({"tenant": "Acme"}, "tenant"),
        ({"tenant": "a-"}, "tenant"),
        ({"tenant": ""}, "tenant"),
        ({"deployment": "one"}, "deployment"),
        ({"context": "{"}, "context"),
        ({"context": "[1]"}, "context"),
        ({"attributes": [{"name": "a", "type": "string", "value": "x"}] * 2}, "attributes"),
        ({"attributes": [{"name": "a", "type": "number", "value": "x"}]}, "attributes"),
        ({"group_definitions": [{"name": "g"}, {"name": "g"}]}, "group_definitions"),
        ({"attribute_definitions": [{"name": "a", "type": "date"}]}, "form"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(change: dict[str, Any], field: str) -> None:
    assert field in check({**FULL, **change})


def test_groups_left_alone_cleared_or_replaced() -> None:
    assert "groups" not in request_body({**FULL, "groups_mode": "keep"})
    assert request_body({**FULL, "groups_mode": "clear"})["groups"] == []


def test_internal_user_sends_nothing_that_is_refused() -> None:
    body = request_body({**FULL, "kind": "internal", "creator": False})
    assert set(body) == {"deploymentId", "internalId", "embedTenantName"}


def test_python_preview_runs_to_the_same_arguments() -> None:
    calls: list[dict[str, Any]] = []

    class Client:
        def generate_session(self, **arguments: Any) -> None:
            calls.append(arguments)

    exec(as_python(request_body(FULL)), {"client": Client()})
    assert calls == [client_arguments(request_body(FULL))]


def test_curl_preview_is_one_safe_command_without_the_key() -> None:
    body = request_body({**FULL, "email": "it's; rm -rf $HOME"})
    command = as_curl(body, "https://host.example").replace("curl", "printf '%s\\n'", 1)
    done = subprocess.run(
        ["/bin/sh", "-c", command], env={"SVC_API_KEY": "k"}, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.split("--data\n", 1)[1]) == body
    assert "${SVC_API_KEY:?}" in as_curl(body, "https://host.example")
