"""Reading and writing in the widget: formatted while it streams, long and odd content, the keyboard alone, every size and contrast."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from svc_notebook.protocol.tools import Column

from ..widgets.acted_chat import CARRIERS, ActedAnswer, ActedChat, ActedResult, spoken
from .accessibility import violations
from .conftest import shot
from .stage import Stage

LINES = ["The **five** largest:\n\n", "- [United](https://united.example/x) leads\n", "- *Alaska* is last\n\n"]
TEXT = "".join(LINES) + "| carrier | n |\n|---|--:|\n| UA | 1 |\n\n" + "```sql\nSELECT 1\n```\n\nDone."


def pieces(text: str, size: int = 5) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def held(text: str, results: Sequence[ActedResult] = ()) -> tuple[Callable[[ActedAnswer], Iterator[ActedAnswer]], Any]:
    """A script that says ``text``, waits until it is let go, and ends."""
    import threading

    gate = threading.Event()

    def script(answer: ActedAnswer) -> Iterator[ActedAnswer]:
        for piece in pieces(text, 40):
            answer = replace(answer, text=answer.text + piece)
            yield answer
        gate.wait(60)
        yield replace(answer, results=results)

    return script, gate


def test_text_is_formatted_while_it_streams_and_finished_blocks_stay(page: Any) -> None:
    script, gate = held(TEXT)
    stage = Stage(page, ActedChat(script))
    stage.ask("what")
    stage.until(lambda: stage.count(".svc-live .svc-prose pre code") == 1, what="the code block, while it runs")
    assert stage.count('.svc-live[aria-busy="true"] .svc-prose strong') == 1
    assert stage.count(".svc-live .svc-prose li") == 2
    assert stage.count(".svc-live .svc-prose td") == 2
    stage.until(lambda: page.locator(".svc-live .svc-prose").inner_text().strip().endswith("Done."))
    shown = page.locator(".svc-live .svc-prose").inner_text()
    gate.set()
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1)
    squeeze = lambda text: " ".join(text.split())  # noqa: E731 - two lines below
    assert squeeze(page.locator(".svc-prose").inner_text()) == squeeze(shown)


def test_a_finished_block_is_never_touched_again_and_a_selection_survives(page: Any) -> None:
    text = "First **block** stays.\n\n" + "A second one that goes on and on with *stars*. " * 40
    stage = Stage(page, ActedChat(spoken(pieces(text, 12), pause=0.02)))
    stage.ask("what")
    stage.until(lambda: stage.count(".svc-live .svc-prose > div:first-child > div") == 1)
    page.evaluate("""() => { const block = document.querySelector('.svc-live .svc-prose > div:first-child > div');
        window.first = block; const range = document.createRange(); range.selectNodeContents(block);
        getSelection().removeAllRanges(); getSelection().addRange(range); }""")
    length = len(page.locator(".svc-live .svc-prose").inner_text())
    stage.until(lambda: len(page.locator(".svc-live .svc-prose").inner_text()) > length + 400)
    assert page.evaluate("window.first.isConnected")
    assert page.evaluate("String(getSelection())").strip() == "First block stays."
    page.evaluate("getSelection().removeAllRanges()")
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1)


def test_odd_content_stays_inside(page: Any) -> None:
    wide = ActedResult(
        schema=[Column(f"column_{n}", "Int64", title=f"Column {n}") for n in range(200)],
        rows=[list(range(200)) for _ in range(100)], total_rows=100, title="Wide", vega_spec=None,
    )  # fmt: skip
    words = "Donaudampfschifffahrtsgesellschaft" * 40 + "\n\nمرحبا بالعالم 42\n\nשלום\n\n👩‍👩‍👧‍👦🛫 done"
    charts = [replace(CARRIERS, uuid=f"c-{n}") for n in range(10)]
    script, gate = held(words, [wide, *charts])
    page.set_viewport_size({"width": 320, "height": 700})
    stage = Stage(page, ActedChat(script))
    stage.ask("x" * 600)
    gate.set()
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert stage.count(".svc-result") == 11
    log = page.locator(".svc-log")
    assert log.evaluate("e => e.scrollWidth - e.clientWidth") <= 1, "only the table scrolls sideways"
    arabic = page.locator(".svc-prose p").nth(1)
    right, left = arabic.evaluate("""e => { const r = document.createRange(); r.selectNodeContents(e);
        const t = r.getBoundingClientRect(), b = e.getBoundingClientRect(); return [b.right - t.right, t.left - b.left]; }""")
    assert right < 2 < left, "text from right to left begins at the right"
    assert "👩‍👩‍👧‍👦🛫 done" in log.inner_text()
    for n in range(10):
        page.locator(".svc-chart").nth(n).scroll_into_view_if_needed()
        stage.until(lambda n=n: page.locator(".svc-chart").nth(n).get_attribute("data-drawn") == "true", within=60)


def test_four_thousand_messages_open_at_once_and_page_back(page: Any) -> None:
    past = [ActedAnswer(f"question {n}", f"answer **{n}**", status="complete") for n in range(1, 4_001)]
    stage = Stage(page, ActedChat(spoken(["ok"]), history=past, chat_id="t-1"))
    stage.until(lambda: stage.count(".svc-turn") == 30)
    assert "question 4000" in page.locator(".svc-log").inner_text()
    state = next(m for _, m in stage.sent if m["t"] == "state" and m["turns"])
    assert len(str(state)) < 60_000
    page.locator(".svc-log").evaluate("e => { e.scrollTop = 0 }")
    first = page.locator(".svc-turn").first
    before = first.evaluate("e => e.getBoundingClientRect().top")
    page.get_by_role("button", name="Show earlier questions, 3970 are left").click()
    stage.until(lambda: stage.count(".svc-turn") == 60)
    assert "question 3941" in (page.locator(".svc-turn").first.text_content() or "")
    moved = page.locator('[data-turn="3971"]').evaluate("e => e.getBoundingClientRect().top")
    assert abs(moved - before) < 60, "what one was reading stays where it was"
    stage.ask("and now")
    stage.until(lambda: stage.count('[data-turn="4001"][data-status="complete"]') == 1)


def test_a_whole_session_with_the_keyboard_alone(page: Any) -> None:
    chat = ActedChat(spoken(pieces("word " * 40)))
    stage = Stage(page, chat)
    press = page.keyboard.press

    def tab_to(name: str, limit: int = 60) -> None:
        for _ in range(limit):
            press("Tab")
            if page.evaluate(
                "document.activeElement !== document.body && (document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText).trim().startsWith("
                + repr(name)
                + ")"
            ):
                assert page.evaluate("document.activeElement.matches(':focus-visible')")
                return
        raise AssertionError(f"Tab does not come to {name}")

    stage.until(lambda: stage.count(".svc-idea") == 2)
    tab_to("Question")
    page.keyboard.type("flights by carrier")
    press("Enter")
    stage.until(lambda: "word" in page.locator(".svc-live").inner_text())
    press("Escape")
    stage.until(lambda: stage.count('[data-status="aborted"]') == 1)
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA", "the place to write is where one still is"
    page.keyboard.type("again")
    press("Enter")
    stage.until(lambda: stage.count('[data-status="complete"]') == 1)
    press("ArrowUp")
    assert page.get_by_label("Question", exact=True).input_value() == "again"
    press("ArrowDown")
    tab_to("Threads")
    press("Enter")
    stage.until(lambda: stage.count(".svc-drawer li") == 2)
    tab_to("Rename Flights by carrier")
    press("Enter")
    page.keyboard.type("Mine")
    press("Enter")
    stage.until(lambda: "Mine" in page.locator(".svc-drawer").inner_text())
    press("Escape")
    stage.until(lambda: page.locator(".svc-drawer").is_hidden())
    assert page.evaluate("document.activeElement.innerText") == "Threads"
    tab_to("Flights by carrier")  # a tool card
    press("Enter")
    assert stage.count(".svc-tool[open]") == 1
    tab_to("Copy SQL")
    press("Enter")
    stage.until(lambda: page.evaluate("navigator.clipboard.readText()").startswith("SELECT"))
    tab_to("Average delay")
    press("Enter")
    assert stage.count('th[aria-sort="ascending"]') == 1
    tab_to("Edit question")
    press("Enter")
    assert page.get_by_label("Question", exact=True).input_value() in {"flights by carrier", "again"}
    tab_to("Ask")
    press("Enter")
    stage.until(lambda: len(chat.asked) == 3)
    stage.until(lambda: stage.count('[data-status="running"]') == 0)
    tab_to("now by month")
    press("Enter")
    stage.until(lambda: chat.asked[-1] == "now by month")


def test_roles_and_live_regions(page: Any) -> None:
    script, gate = held("Some words")
    stage = Stage(page, ActedChat(script))
    stage.ask("what")
    stage.until(lambda: "Some words" in page.locator(".svc-live").inner_text())
    log = page.get_by_role("log", name="Conversation")
    assert log.get_attribute("aria-live") == "polite"
    assert log.get_by_role("article", name="Answer in progress").get_attribute("aria-busy") == "true", (
        "not read piece by piece"
    )
    assert page.get_by_role("status").count() == 1
    page.get_by_role("button", name="Stop").click()
    assert page.get_by_role("status").inner_text() == "Stopping…"
    gate.set()
    stage.until(lambda: log.get_by_role("article", name="Answer 1").count() == 1)
    assert log.get_by_role("article").get_attribute("aria-busy") is None


@pytest.mark.parametrize("width", [320, 768, 1600])
@pytest.mark.parametrize("look", ["light", "dark", "forced"])
def test_axe_finds_nothing(page: Any, width: int, look: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(
        color_scheme="dark" if look == "dark" else "light", forced_colors="active" if look == "forced" else "none"
    )
    script, gate = held(TEXT, [replace(CARRIERS, notes=["a note"])])
    stage = Stage(page, ActedChat(script))
    stage.until(lambda: stage.count(".svc-idea") == 2)
    assert violations(page, ".svc-chat") == [], "empty"
    stage.ask("what")
    stage.until(lambda: stage.count(".svc-live pre code") == 1)
    assert violations(page, ".svc-chat") == [], "streaming"
    gate.set()
    stage.until(lambda: stage.count('.svc-chart[data-drawn="true"]') == 1, within=60)
    page.locator(".svc-evidence summary").click()
    page.get_by_role("button", name="Threads").click()
    stage.until(lambda: stage.count(".svc-drawer li") == 2)
    assert violations(page, ".svc-chat") == [], "with everything open"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"axe-{look}-{width}")


def test_ten_charts_cross_with_one_renderer_and_pictures_come_back_once(page: Any) -> None:
    charts = [replace(CARRIERS, uuid=f"p-{n}") for n in range(3)]
    script, gate = held("Three", charts)
    stage = Stage(page, ActedChat(script))
    stage.ask("three")
    gate.set()
    for n in range(3):
        stage.until(lambda n=n: stage.count(".svc-chart") > n)
        page.locator(".svc-chart").nth(n).scroll_into_view_if_needed()
        stage.until(lambda n=n: page.locator(".svc-chart").nth(n).get_attribute("data-drawn") == "true", within=60)
    stage.until(lambda: all(stage.conversation.pictures.of(f"p-{n}") for n in range(3)))
    assert sum(m["t"] == "vega" for _, m in stage.sent) == 1
    assert len(stage.conversation.pictures.of("p-0")) < 60_000


def test_the_sql_is_copied_as_a_cell_where_no_notebook_can_be_written(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(["ok"])))
    stage.ask("flights")
    stage.until(lambda: stage.count('[data-status="complete"]') == 1)
    page.locator(".svc-evidence summary").click()
    button = page.locator(".svc-evidence").get_by_role("button", name="Copy as cell")
    button.click()
    stage.until(lambda: page.evaluate("navigator.clipboard.readText()").startswith("%%svcsql\nSELECT carrier"))
    assert "paste" in page.locator(".svc-evidence .svc-row").inner_text()
