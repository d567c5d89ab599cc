"""The OpenAPI document: complete, and true for whatever schemathesis makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from svc_notebook.service.app import ROUTES
from svc_notebook.service.endpoints.openapi import build_document

from .service_world import ADMIN, World, world

DOCUMENT = build_document("http://svc.local")


@pytest.fixture(scope="module")
def api() -> Iterator[World]:
    with world() as running:
        running.creator(groupDefinitions=[{"name": "g"}])
        yield running


OPERATIONS = {
    found.ok().definition.raw["operationId"]: found.ok()
    for found in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
}
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
]  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_whatever_is_sent_the_answer_is_as_described(name: str, api: World) -> None:
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]

    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(case=st.one_of(*(OPERATIONS[name].as_strategy(generation_mode=mode) for mode in modes)))
    def check(case: Any) -> None:
        known = {"accountName": "acme", "agentId": "data-analyst", "embedTenantName": "acme-corp"}
        case.path_parameters = {key: known.get(key, value) for key, value in dict(case.path_parameters or {}).items()}
        base_url, headers = str(api.http.base_url), {"Authorization": f"Api-Key {ADMIN}"}
        # Unknown query parameters are ignored on purpose, so only bodies must be refused when they are wrong.
        checks = [*CHECKS, negative_data_rejection] if "requestBody" in OPERATIONS[name].definition.raw else CHECKS
        case.call_and_validate(base_url=base_url, headers=headers, checks=checks)

    check()


def test_every_route_is_described() -> None:
    names = {
        "{account}": "{accountName}",
        "{agent}": "{agentId}",
        "{tenant}": "{embedTenantName}",
        "{chat}": "{chatId}",
    }
    routes = set()
    for method, path, _ in ROUTES:
        for short, long in names.items():
            path = path.replace(short, long)
        routes.add((method, path))
    documented = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    embedded = {
        ("GET", f"/embed/d/{{deployment}}/{page}")
        for page in ("app", "chat", "dashboard/{dashboard}", "dashboard/{dashboard}/tiles")
    }
    embedded.add(("GET", "/embed/static/{hash}/{name}"))
    operators = {("GET", path) for path in ("/livez", "/metrics")}
    pages = {("GET", "/openapi.json"), *operators, *embedded}  # documents, not operations
    assert routes - documented == pages
    assert documented <= routes


def test_every_operation_has_a_name_and_the_error_body() -> None:
    operations = [operation for item in DOCUMENT["paths"].values() for operation in item.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    for operation in operations:
        error = operation["responses"]["401"]["content"]["application/json"]["schema"]
        assert error == {"$ref": "#/components/schemas/ErrorBody"}
