"""The page behind an embed URL, in a real browser where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from svc_notebook.service.config import Dashboard, Tile

from .service_world import World, world

DASHBOARDS = [
    Dashboard(
        "orders", [Tile("All of them", "SELECT * FROM orders"), Tile("A slip", "SELECT x FROM orders")], "Orders & more"
    ),
    Dashboard("</script><script>", []),
]
REGION = [{"name": "region", "value": ["EMEA"]}]


@pytest.fixture
def with_dashboards() -> Iterator[World]:
    with world(tenant_dashboards=DASHBOARDS) as running:
        yield running


def opened_page(w: World, parameter: str = "session", view: str = "chat", **body: Any) -> Any:
    session_id = w.session(**{"externalId": "ana", **body}).json()["sessionId"]
    return w.http.get(f"/embed/d/32/{view}?{parameter}={session_id}")


@contextmanager
def shown(w: World, browser: Any, view: str) -> Iterator[Any]:
    """The page in a browser; fails when it complained about anything."""
    session_id = w.session(externalId="ana", userAttributes=REGION).json()["sessionId"]
    problems: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{w.http.base_url}/embed/d/32/{view}?session={session_id}")
        yield page
        assert session_id not in page.url
    assert [text for text in problems if "favicon" not in text and "400 (Bad Request)" not in text] == []


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
    unknown = w.http.get(f"/embed/d/32/dashboard/x?session={session_id}")
    assert (unknown.status_code, unknown.json()["message"][:12]) == (404, "No dashboard")
    assert w.http.get(f"/embed/d/32/nothing?session={session_id}").status_code == 404
    w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None)
    assert w.http.get(f"/embed/d/32/chat?session={session_id}").status_code == 401


@pytest.mark.parametrize("view", ["chat", "app", "dashboard/orders"])
def test_every_view_of_an_embed_url_is_a_page(with_dashboards: World, view: str) -> None:
    response = opened_page(with_dashboards, view=view)
    assert response.status_code == 200
    titles = {"chat": "Chat", "app": "Analytics", "dashboard/orders": "Orders &amp; more"}
    assert f"<title>{titles[view]}</title>" in response.text
    assert response.text.count("<script") == response.text.count("</script>") == 1


@pytest.mark.browser
def test_a_question_is_asked_and_answered_in_the_page(w: World, browser: Any) -> None:
    with shown(w, browser, "chat") as page:
        page.get_by_label("Question").fill("<img src=x onerror=alert(1)> orders")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        assert page.locator("td", has_text="EMEA").count() == 2
        assert page.locator("td", has_text="APAC").count() == 0
        assert page.locator("main img").count() == 0
        assert page.locator(".question").count() == 1
        assert not page.locator("nav").is_visible()


@pytest.mark.browser
def test_a_dashboard_shows_the_rows_of_who_looks_at_it(with_dashboards: World, browser: Any) -> None:
    with shown(with_dashboards, browser, "dashboard/orders") as page:
        page.locator("td", has_text="EMEA").nth(1).wait_for(timeout=60_000)
        assert page.locator("td", has_text="APAC").count() == 0
        assert page.locator("h1").inner_text() == "Orders & more"
        page.get_by_text("Unknown member 'x' of orders.").wait_for(timeout=60_000)
        assert not page.locator("form").is_visible()


@pytest.mark.browser
def test_the_app_turns_between_dashboards_a_new_chat_and_earlier_ones(with_dashboards: World, browser: Any) -> None:
    with_dashboards.ask("my earlier orders", "ana")
    with_dashboards.ask("not hers", "bob")
    with shown(with_dashboards, browser, "app") as page:
        page.get_by_role("button", name="my earlier orders").wait_for(timeout=60_000)
        assert page.get_by_role("button", name="not hers").count() == 0
        page.get_by_role("button", name="my earlier orders").click()
        page.get_by_text("There are 0 rows.").wait_for(timeout=60_000)  # asked when she had no region
        page.get_by_label("Question").fill("and now")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        assert page.locator(".question").all_inner_texts() == ["my earlier orders", "and now"]
        page.get_by_role("button", name="Orders & more").click()
        page.locator("td", has_text="EMEA").nth(1).wait_for(timeout=60_000)
        page.get_by_role("button", name="New chat").click()
        assert page.locator("main").inner_text() == ""
        assert page.get_by_label("Question").is_visible()
