"""The page behind an embed URL, in a real browser where there is one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .service_world import World


def opened_page(w: World, parameter: str = "session", **body: Any) -> Any:
    session_id = w.session(**{"externalId": "ana", **body}).json()["sessionId"]
    return w.http.get(f"/embed/d/32/chat?{parameter}={session_id}")


@pytest.mark.parametrize("parameter", ["session", "sessionId"])
def test_the_page_is_there_for_a_session(w: World, parameter: str) -> None:
    response = opened_page(w, parameter)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'nonce-")
    assert response.headers["referrer-policy"] == "no-referrer"
    assert not re.search(r"(src|href)=", response.text)


def test_nobody_else_gets_it(w: World) -> None:
    session_id = w.session(externalId="ana").json()["sessionId"]
    assert w.http.get(f"/embed/d/33/chat?session={session_id}").status_code == 404
    assert w.http.get("/embed/d/32/chat?session=" + "0" * 32).status_code == 401
    assert w.http.get("/embed/d/32/chat").status_code == 401
    assert w.http.get(f"/embed/d/32/dashboard/x?session={session_id}").status_code == 404
    w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None)
    assert w.http.get(f"/embed/d/32/chat?session={session_id}").status_code == 401


@pytest.mark.browser
def test_a_question_is_asked_and_answered_in_the_page(w: World, browser: Any) -> None:
    region = [{"name": "region", "value": ["EMEA"]}]
    session_id = w.session(externalId="ana", userAttributes=region).json()["sessionId"]
    with browser.new_context() as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{w.http.base_url}/embed/d/32/chat?session={session_id}")
        page.get_by_label("Question").fill("<img src=x onerror=alert(1)> orders")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        assert page.locator("td", has_text="EMEA").count() == 2
        assert page.locator("td", has_text="APAC").count() == 0
        assert page.locator("main img").count() == 0
        assert session_id not in page.url
        assert [text for text in problems if "favicon" not in text] == []
