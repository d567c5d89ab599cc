"""The page behind an embed URL, in a real browser where there is one."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from svc_notebook.analyst.base import AnswerDelta, AnswerDone
from svc_notebook.front.past_turns import PAGE
from svc_notebook.service.config import ConfigError, Dashboard, Tile, load_config
from svc_notebook.service.endpoints.view_stream import VIEW_TYPE

from ..browser.accessibility import violations
from ..browser.evidence_labels import check_labels
from .service_world import ADMIN, CHAT, Gate, World, headers, lines, serving, world

DASHBOARDS = [
    Dashboard(
        "orders",
        [
            Tile("All of them", "SELECT * FROM orders"),
            Tile("By status", "SELECT status, amount FROM orders", mark="bar"),
            Tile("A slip", "SELECT x FROM orders"),
        ],
        "Orders & more",
    ),
    Dashboard("</script><script>", []),
]
THREADS = CHAT.replace("/stream-chat-state", "/threads")
REGION = [{"name": "region", "value": ["EMEA"]}]


@pytest.fixture
def with_dashboards() -> Iterator[World]:
    with world(tenant_dashboards=DASHBOARDS) as running:
        yield running


def opened_page(w: World, parameter: str = "session", view: str = "chat", **body: Any) -> Any:
    session_id = w.session(**{"externalId": "ana", **body}).json()["sessionId"]
    return w.http.get(f"/embed/d/32/{view}?{parameter}={session_id}")


@contextmanager
def shown(w: World, browser: Any, view: str, **context: Any) -> Iterator[Any]:
    """The page in a browser; fails when it complained about anything."""
    session_id = w.session(externalId="ana", userAttributes=REGION).json()["sessionId"]
    problems: list[str] = []
    with browser.new_context(**context) as opened:
        page = opened.new_page()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{w.http.base_url}/embed/d/32/{view}?session={session_id}")
        yield page
        assert session_id not in page.url
    assert [text for text in problems if "favicon" not in text and "401 (Unauthorized)" not in text] == []


@pytest.mark.parametrize("parameter", ["session", "sessionId"])
def test_the_page_is_there_for_a_session(w: World, parameter: str) -> None:
    response = opened_page(w, parameter)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'nonce-")
    assert response.headers["referrer-policy"] == "no-referrer"
    assert set(re.findall(r'(?:src|href)="([^"]*?)\w{16}/[\w.]+"', response.text)) == {"/embed/static/"}
    assert not re.search(r"https?://", response.text)


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
    assert response.text.count("<script") == response.text.count("</script>") == 2


def test_its_files_are_kept_by_browsers_and_named_by_their_contents(w: World) -> None:
    page = opened_page(w).text
    named = re.findall(r"/embed/static/[0-9a-f]+/[\w.]+", page)
    assert sorted(name.rpartition("/")[2] for name in named) == ["page.css", "page.js", "vega.js"]
    for name in named:
        found = w.http.get(name)
        assert found.status_code == 200
        assert "immutable" in found.headers["cache-control"]
        assert found.headers["x-content-type-options"] == "nosniff"
    assert b"vegaEmbed" in w.http.get(next(name for name in named if "vega" in name)).content
    assert w.http.get(named[0].replace("/static/", "/static/0")).status_code == 404
    assert w.http.get("/embed/static/x/service.yml").status_code == 404


def test_a_browser_without_a_good_session_gets_words_and_a_program_json(w: World) -> None:
    for path, status in (("chat?session=" + "0" * 32, 401), ("chat", 401)):
        page = w.http.get(f"/embed/d/32/{path}", headers={"Accept": "text/html,*/*"})
        assert page.status_code == status
        assert page.headers["content-type"].startswith("text/html")
        assert "generate a new session" in page.text
        assert w.http.get(f"/embed/d/32/{path}").json()["statusCode"] == status


@pytest.mark.parametrize(
    ("origins", "told"), [([], "*"), (["https://app.example.com", "'self'"], "https://app.example.com 'self'")]
)
def test_who_may_frame_it_is_configured(origins: list[str], told: str) -> None:
    with world(tenant_frame_ancestors=origins) as w:
        policy = opened_page(w).headers["content-security-policy"]
    assert policy.endswith(f"; frame-ancestors {told}")


@pytest.mark.parametrize(
    "origin", ["example.com", "https://a.example/path", "https://a.example; script-src *", "*", ""]
)
def test_an_origin_that_is_none_is_refused(origin: str) -> None:
    with pytest.raises(ConfigError, match="frame_ancestors"):
        load_config({"frame_ancestors": [origin]})


# --- the stream a page reads ---------------------------------------------------------------------------------------


def seen(w: World, token: str, path: str = CHAT, **body: Any) -> list[dict[str, Any]]:
    response = w.http.post(path, json=body, headers={"Authorization": f"Bearer {token}", "Accept": VIEW_TYPE})
    assert response.headers["content-type"] == VIEW_TYPE, response.text
    return lines(response.content)


def test_a_page_is_told_what_a_widget_is_told(w: World) -> None:
    token = w.token(externalId="ana", userAttributes=REGION)
    told = seen(w, token, input="orders")
    assert told[0] | {"chat_id": ""} == {
        "t": "begin",
        "n": 1,
        "after": 0,
        "question": "orders",
        "chat_id": "",
        "whoami": "ana (external)",
    }
    assert told[-1]["t"] == "turn"
    turn = told[-1]["turn"]
    assert "".join(message["d"] for message in told if message["t"] == "d") == "There are 2 rows."
    assert (turn["html"], turn["text"], turn["chars"]) == (None, None, 17), "the page has it already"
    assert [cells[1] for cells in turn["results"][0]["table"]["rows"]] == ["EMEA", "EMEA"]
    assert turn["results"][0]["evidence"]["whom"] == "ana (external)"
    chat_id = told[-1]["chat_id"]
    [again] = seen(w, token, chatId=chat_id)
    assert (again["t"], again["left"], again["live"]) == ("state", 0, None)
    whole = {"html": "<p>There are 2 rows.</p>\n", "text": "There are 2 rows."}
    assert again["turns"] == [{name: value for name, value in {**turn, **whole}.items() if name != "chars"}]
    assert seen(w, token, input="and more", chatId=chat_id)[0]["n"] == 2


def test_older_turns_come_when_asked_for(w: World) -> None:
    token = w.token(externalId="ana", userAttributes=REGION)
    chat_id = seen(w, token, input="first")[-1]["chat_id"]
    for n in range(PAGE + 1):
        w.ask(f"question {n}", "ana", chatId=chat_id)
    [state] = seen(w, token, chatId=chat_id)
    assert (len(state["turns"]), state["left"]) == (PAGE, 2)
    [older] = seen(w, token, f"{CHAT}?before=3", chatId=chat_id)
    assert (older["t"], older["left"]) == ("older", 0)
    assert [turn["question"] for turn in older["turns"]] == ["first", "question 0"]
    refused = w.http.post(
        f"{CHAT}?before=x", json={"chatId": chat_id}, headers={"Authorization": f"Bearer {token}", "Accept": VIEW_TYPE}
    )
    assert (refused.status_code, refused.json()["message"]) == (400, "before must be the number of a turn.")


@pytest.mark.parametrize("development", [False, True])
def test_development_mode_shows_the_thinking(development: bool) -> None:
    with world(tenant_development_mode=development) as w:
        told = seen(w, w.token(externalId="ana", userAttributes=REGION), input="orders")
    assert bool(told[-1]["turn"]["thinking"]) is development
    assert any(message.get("k") == "thinking" for message in told) is development


def test_a_second_question_while_one_runs_is_refused_with_a_status(w: World) -> None:
    gate = Gate()

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("Wait")
        await gate.passed()
        yield AnswerDone("Waited.")

    token = w.token(externalId="ana")
    headers = {"Authorization": f"Bearer {token}", "Accept": VIEW_TYPE}
    with w.http.stream("POST", CHAT, json={"input": "slow"}, headers=headers) as response:
        rows = response.iter_lines()
        chat_id = json.loads(next(rows))["chat_id"]
        assert w.http.post(CHAT, json={"input": "x", "chatId": chat_id}, headers=headers).status_code == 409
        with w.http.stream("POST", CHAT, json={"chatId": chat_id}, headers=headers) as second:
            follower = second.iter_lines()
            state = json.loads(next(follower))
            assert (state["t"], state["turns"], state["live"]["question"]) == ("state", [], "slow")
            gate.open()
            assert json.loads(list(follower)[-1])["turn"]["status"] == "complete"
        assert json.loads(list(rows)[-1])["turn"]["status"] == "complete"
    [state] = seen(w, token, chatId=chat_id)
    assert [turn["html"] for turn in state["turns"]] == ["<p>Waited.</p>\n"]


# --- in a browser --------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_question_is_asked_and_answered_in_the_page(w: World, browser: Any) -> None:
    with shown(w, browser, "chat") as page:
        page.get_by_role("button", name="How many orders are there?").wait_for(timeout=60_000)
        page.get_by_label("Question", exact=True).fill("<img src=x onerror=alert(1)> orders")
        page.get_by_role("button", name="Ask", exact=True).click()
        page.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        assert page.locator("td", has_text="EMEA").count() == 2
        assert page.locator("td", has_text="APAC").count() == 0
        assert page.locator("main img").count() == 0
        assert page.locator(".svc-question").count() == 1
        assert page.locator(".svc-evidence").count() == 1
        assert not page.locator("nav").is_visible()


@pytest.mark.browser
def test_a_dashboard_shows_the_rows_of_who_looks_at_it(with_dashboards: World, browser: Any) -> None:
    with shown(with_dashboards, browser, "dashboard/orders") as page:
        page.locator("td", has_text="EMEA").nth(1).wait_for(timeout=60_000)
        page.locator('.svc-chart[data-drawn="true"] svg').wait_for(timeout=60_000)
        assert page.locator("td", has_text="APAC").count() == 0
        assert page.locator("h1").inner_text() == "Orders & more"
        page.get_by_text("Unknown member 'x' of orders.").wait_for(timeout=60_000)
        assert not page.locator("form").is_visible()


@pytest.mark.browser
def test_the_app_turns_between_dashboards_a_new_chat_and_earlier_ones(with_dashboards: World, browser: Any) -> None:
    with_dashboards.ask("my earlier orders", "ana")
    with_dashboards.ask("not hers", "bob")
    with shown(with_dashboards, browser, "app") as page:
        page.get_by_role("button", name="Threads").click()
        page.get_by_role("button", name="my earlier orders", exact=True).wait_for(timeout=60_000)
        assert page.get_by_role("button", name="not hers", exact=True).count() == 0
        page.get_by_role("button", name="my earlier orders", exact=True).click()
        page.get_by_text("There are 0 rows.").wait_for(timeout=60_000)  # asked when she had no region
        page.get_by_label("Question", exact=True).fill("and now")
        page.get_by_role("button", name="Ask", exact=True).click()
        page.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        assert [each[-7:] for each in page.locator(".svc-question").all_inner_texts()] == [" orders", "and now"]
        page.get_by_role("button", name="Orders & more").click()
        page.locator(".svc-tile td", has_text="EMEA").nth(1).wait_for(timeout=60_000)
        page.get_by_role("button", name="Chat", exact=True).click()
        assert page.locator(".svc-question").count() == 2, "what was shown is still there"
        page.get_by_role("button", name="New conversation").click()
        page.locator(".svc-empty").wait_for(timeout=60_000)
        assert page.locator(".svc-question").count() == 0


@pytest.mark.browser
def test_a_question_is_edited_and_an_answer_judged_in_the_page(w: World, browser: Any) -> None:
    with shown(w, browser, "chat") as page:
        for n, text in enumerate(("first orders", "second orders"), 1):
            page.get_by_label("Question", exact=True).fill(text)
            page.keyboard.press("Enter")
            page.locator(".svc-turn[data-turn]").nth(n - 1).wait_for(timeout=60_000)
        page.get_by_role("button", name="Edit question").last.click()
        page.get_by_label("Question", exact=True).fill("third orders")
        page.keyboard.press("Enter")
        page.get_by_text("2 of 2").wait_for(timeout=60_000)
        assert [each[-12:] for each in page.locator(".svc-question").all_inner_texts()] == [
            "first orders",
            "third orders",
        ]
        page.get_by_role("button", name="The version before").click()
        assert page.locator(".svc-question").last.inner_text().endswith("second orders")
        page.get_by_role("button", name="Wrong").last.click()
        page.get_by_role("textbox", name="What is wrong?").fill("twice")
        page.keyboard.press("Enter")
        page.locator(".svc-feedback", has_text="twice").wait_for(timeout=60_000)
        [thread] = w.http.get(f"{THREADS}?externalId=ana", headers=headers(ADMIN)).json()["items"]
    asked = [f["state"] for f in w.ask(None, "ana", chatId=thread["chatId"]) if f.get("role") == "user"]  # type: ignore[arg-type]
    assert [(state.get("after"), state.get("feedback")) for state in asked] == [
        (None, None), (None, {"verdict": "wrong", "why": "twice"}), (1, None),
    ]  # fmt: skip


@pytest.mark.browser
def test_stop_from_the_moment_of_asking(w: World, browser: Any) -> None:
    started = Gate()

    @w.analyst.on("endless")
    async def endless(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("It goes ")
        started.open()
        await asyncio.to_thread(cancel.wait, 60)

    with shown(w, browser, "chat") as page:
        page.get_by_label("Question", exact=True).fill("endless")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Stop").click()
        page.locator('.svc-turn[data-status="aborted"]').wait_for(timeout=60_000)
        assert "Stopped." in page.locator(".svc-turn").inner_text()


@pytest.mark.browser
def test_in_a_frame_of_another_origin_it_says_its_height_takes_a_theme_and_a_new_session(
    w: World, browser: Any
) -> None:
    session_id = w.session(externalId="ana", userAttributes=REGION).json()["sessionId"]
    with (
        serving(host_page(f"{w.http.base_url}/embed/d/32/chat?session={session_id}")) as host,
        browser.new_context() as context,
    ):
        elsewhere: list[str] = []
        page = context.new_page()
        page.route(
            "**/*",
            lambda route: (
                route.continue_()
                if "127.0.0.1" in route.request.url or "localhost" in route.request.url
                else elsewhere.append(route.request.url) or route.abort()
            ),
        )
        page.goto(host.replace("127.0.0.1", "localhost"))  # another site than the service's
        inside = page.frame_locator("iframe")
        inside.get_by_label("Question", exact=True).fill("orders")
        inside.get_by_role("button", name="Ask", exact=True).click()
        inside.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        page.wait_for_function(
            "heard.some((m) => m.svc === 'ready') && heard.some((m) => m.svc === 'height' && m.height > 300)"
        )
        page.evaluate("tell({svc: 'theme', theme: 'dark'})")
        inside.locator(".svc-chat.svc-dark").wait_for(timeout=60_000)
        page.evaluate("tell({svc: 'theme', theme: 'light'})")
        inside.locator(".svc-chat:not(.svc-dark)").wait_for(timeout=60_000)
        w.clock.advance(90_000)  # the token has ended
        inside.get_by_label("Question", exact=True).fill("and now")
        inside.get_by_role("button", name="Ask", exact=True).click()
        inside.get_by_text("Your session has ended.").wait_for(timeout=60_000)
        page.wait_for_function("heard.some((m) => m.svc === 'expired')")
        fresh = w.session(externalId="ana", userAttributes=REGION).json()["sessionId"]
        page.evaluate("(id) => tell({svc: 'session', sessionId: id})", fresh)
        inside.locator('.svc-turn[data-status="complete"]').wait_for(timeout=60_000)
        inside.get_by_text("Your session has ended.").wait_for(state="hidden", timeout=60_000)
        inside.get_by_label("Question", exact=True).fill("and now")
        inside.get_by_role("button", name="Ask", exact=True).click()
        inside.locator('.svc-turn[data-turn="2"]').wait_for(timeout=60_000)
        assert elsewhere == []


@pytest.mark.browser
def test_a_page_opened_with_an_ended_session_is_renewed_by_its_host(w: World, browser: Any) -> None:
    with (
        serving(host_page(f"{w.http.base_url}/embed/d/32/chat?session={'0' * 32}")) as host,
        browser.new_context() as context,
    ):
        page = context.new_page()
        page.goto(host.replace("127.0.0.1", "localhost"))
        inside = page.frame_locator("iframe")
        inside.get_by_text("This session has ended").wait_for(timeout=60_000)
        page.wait_for_function("heard.some((m) => m.svc === 'expired')")
        fresh = w.session(externalId="ana", userAttributes=REGION).json()["sessionId"]
        page.evaluate("(id) => tell({svc: 'session', sessionId: id})", fresh)
        inside.get_by_role("button", name="How many orders are there?").wait_for(timeout=60_000)


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 320), ("light", 1100), ("dark", 1100)])
def test_it_is_accessible_and_fits(with_dashboards: World, browser: Any, scheme: str, width: int) -> None:
    size = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with shown(with_dashboards, browser, "app", **size) as page:
        page.get_by_label("Question", exact=True).fill("orders")
        page.keyboard.press("Enter")
        page.get_by_text("There are 2 rows.").wait_for(timeout=60_000)
        page.locator(".svc-evidence summary").click()
        check_labels(page.locator(".svc-evidence"))
        page.get_by_role("button", name="Threads").click()
        page.locator(".svc-drawer li").wait_for(timeout=60_000)
        assert violations(page, "main") == []
        page.get_by_role("button", name="Orders & more").click()
        page.locator('.svc-chart[data-drawn="true"]').wait_for(timeout=60_000)
        assert violations(page, "main") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def host_page(url: str) -> Any:
    """An application of another origin that holds the page in a frame."""
    html = f"""<!doctype html><title>Host</title><iframe src="{url}" width="700" height="600"></iframe><script>
      const heard = []; addEventListener("message", (event) => heard.push(event.data));
      const tell = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*");
    </script>"""
    return Starlette(routes=[Route("/", lambda _: HTMLResponse(html))])
