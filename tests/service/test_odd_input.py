"""Texts and numbers that a client may send and a database may not like: the same answer on every store."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .service_world import ADMIN, CHAT, World, embedded_world, final_text, headers, lines

THREADS = CHAT.replace("/stream-chat-state", "/threads")
NUL = "a\0b"
SESSION = "/api/v1/embed/generate-session"


@pytest.fixture
def stored(store_url: str) -> Iterator[World]:
    with embedded_world(store_url) as w:
        yield w


@pytest.mark.parametrize(
    "definitions",
    [
        {"groupDefinitions": [{"name": "g", "description": NUL}]},
        {"userAttributeDefinitions": [{"name": "a", "type": "string", "displayName": NUL}]},
        {"userAttributeDefinitions": [{"name": "a", "type": "string", "defaultValue": NUL}]},
        {"userAttributeDefinitions": [{"name": "a", "type": "string", "description": NUL}]},
    ],
    ids=lambda definitions: "-".join(sorted(next(iter(definitions.values()))[0])),
)
def test_a_text_that_cannot_be_stored_is_refused_in_words(stored: World, definitions: Any) -> None:
    before = stored.state()
    response = stored.creator(**definitions)
    assert response.status_code == 400
    assert "U+0000" in response.json()["message"]
    assert stored.state() == before


def test_a_value_and_a_security_context_may_hold_any_character(stored: World) -> None:
    given = {"userAttributes": [{"name": "city", "value": NUL}], "securityContext": {NUL: [NUL, "\u202e👩‍👩‍👧"]}}
    assert stored.session(externalId="ana", **given).status_code == 200


def test_the_longest_identity_is_told_as_it_is(stored: World) -> None:
    assert stored.session(externalId="a" * 320).status_code == 200
    refused = stored.session(externalId="a" * 321)
    assert refused.status_code == 400
    assert "at most 320 characters" in refused.json()["message"]


def test_thread_ids_and_titles(stored: World) -> None:
    chat_id = stored.ask("hello", "ana")[0]["state"]["chatId"]
    title = stored.http.patch(f"{THREADS}/{chat_id}?externalId=ana", json={"title": NUL}, headers=headers(ADMIN))
    assert title.status_code == 400
    assert stored.delete(f"{THREADS}/%00?externalId=ana").status_code == 404
    assert stored.abort(NUL, "ana").status_code == 404
    assert stored.chat(chatId=NUL).status_code == 404
    assert stored.chat(chatId="x" * 5000).status_code == 404


@pytest.mark.parametrize(
    "position",
    ["NaN, " + '"a"', "Infinity, " + '"a"', '1.5, "a\\u0000"', '1.5, "\\ud800"', '"1.5", "a"', "1.5", "[" * 5000],
    ids=["nan", "infinity", "nul", "surrogate", "text", "short", "deep"],
)
def test_cursors_that_were_never_given_out(stored: World, position: str) -> None:
    stored.ask("hello", "ana")
    cursor = base64.urlsafe_b64encode(f'["threads", {position}]'.encode()).decode().rstrip("=")
    response = stored.get(f"{THREADS}?externalId=ana&after={cursor}")
    assert (response.status_code, response.json()["error"]) == (400, "Bad Request")


@pytest.mark.parametrize(
    ("deployment", "status"), [("32", 200), ("32.0", 200), ("3.2e1", 200), ("32.5", 400), ("true", 400), ('"32"', 400)]
)
def test_a_deployment_is_a_number(w: World, deployment: str, status: int) -> None:
    body = f'{{"deploymentId": {deployment}, "externalId": "ana"}}'.encode()
    response = w.http.post(SESSION, content=body, headers=headers(ADMIN) | {"Content-Type": "application/json"})
    assert response.status_code == status, response.text


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json; charset=UTF-8", 200),
        ("Application/JSON;profile=x ; charset=\"utf-8\"", 200),
        ("application/json; charset=latin-1", 415),
        ("application/jsonp", 415),
        ("text/plain", 415),
        ("", 415),
    ],
)  # fmt: skip
def test_content_types(w: World, content_type: str, status: int) -> None:
    body = json.dumps({"deploymentId": 32, "externalId": "ana"}).encode()
    response = w.http.post(SESSION, content=body, headers=headers(ADMIN) | {"Content-Type": content_type})
    assert response.status_code == status


def test_an_email_may_stand_beside_an_internal_user_in_chat(w: World) -> None:
    """The specification forbids roles, groups, userAttributes and securityContext there, and no more."""
    settings = {"internalId": "ivy@example.com", "email": "ivy@example.com"}
    frames = lines(w.chat({"sessionSettings": settings, "input": "orders"}).content)
    assert final_text(frames) == "There are 2 rows."


def test_settings_that_are_null_are_settings_that_are_missing(w: World, opened: Callable[..., World]) -> None:
    refused = w.post(CHAT, {"input": "orders", "sessionSettings": None})
    assert (refused.status_code, refused.json()["message"][:27]) == (400, "sessionSettings is required")
    token = w.token(externalId="ana", userAttributes=[{"name": "region", "value": ["EMEA"]}])
    asked = w.post(CHAT, {"input": "orders", "sessionSettings": None}, f"Bearer {token}")
    assert final_text(lines(asked.content)) == "There are 2 rows."
