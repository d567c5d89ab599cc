"""The widget's module in a page of its own, wired to a real conversation that acts out a script."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

from ..widgets.acted_chat import ActedChat, spoken
from .conftest import settled, shot
from .lab import patience
from .stage import Stage

WORDS = [f"word{i} " for i in range(40)]


def test_an_answer_grows_and_ends_with_table_chart_and_evidence(page: Any, requests_elsewhere: list[str]) -> None:
    chat = ActedChat(spoken(["The **five largest** carriers:\n\n", *WORDS, "\n\n- United leads\n- Alaska is last"]))
    stage = Stage(page, chat)
    stage.until(lambda: stage.count(".svc-idea") == 2)
    stage.ask("flights by carrier")
    assert page.get_by_role("button", name="Stop").is_visible(), "from the moment of sending"
    seen: set[int] = set()

    def grown() -> bool:
        seen.add(len(page.locator(".svc-log").inner_text()))
        return stage.count('.svc-turn[data-status="complete"]') == 1

    stage.until(grown)
    assert len(seen) >= 5
    assert page.locator(".svc-prose strong").inner_text() == "five largest"
    stage.until(lambda: stage.count('.svc-chart[data-drawn="true"] svg') == 1, within=60, what="chart")
    assert page.locator(".svc-table-box caption").inner_text() == "Flights by carrier · first 5 of 16 rows"
    page.locator(".svc-evidence summary").click()
    assert "carrier is one of the user's" in page.locator(".svc-evidence").inner_text()
    assert [idea.inner_text() for idea in page.locator(".svc-idea").all()] == ["now by month", "only Delta"]
    shot(page, "stage-light")
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.style.background='#111'; document.body.dataset.jpThemeLight = 'false'")
    stage.until(lambda: stage.count(".svc-chat.svc-dark") == 1)
    settled(page)
    shot(page, "stage-dark")
    assert requests_elsewhere == []


def test_stop_ends_a_long_answer_and_keeps_what_came(page: Any) -> None:
    chat = ActedChat(spoken(WORDS * 100))
    stage = Stage(page, chat)
    stage.ask("a long one")
    stage.until(lambda: "word12" in page.locator(".svc-live").inner_text())
    started = time.monotonic()
    page.keyboard.press("Escape")
    stage.until(lambda: stage.count('.svc-turn[data-status="aborted"]') == 1)
    assert time.monotonic() - started < patience()
    text = page.locator(".svc-turn").inner_text()
    assert "word12" in text
    assert "Stopped." in text
    assert not page.get_by_role("button", name="Stop").is_visible()


def test_stop_before_the_first_word(page: Any) -> None:
    chat = ActedChat(spoken(WORDS, pause=0.2))
    stage = Stage(page, chat)
    stage.until(lambda: stage.count(".svc-idea") == 2)
    stage.ask("at once")
    page.get_by_role("button", name="Stop").click()
    stage.until(lambda: stage.count('.svc-turn[data-status="aborted"]') == 1)
    assert chat.streams[0].aborted.is_set()


def test_a_second_view_and_a_lost_message_end_with_the_exact_text(page: Any) -> None:
    chat = ActedChat(spoken(WORDS * 3))
    stage = Stage(page, chat)
    stage.ask("twice")
    stage.until(lambda: "word5" in page.locator(".svc-live").first.inner_text())
    while stage.down.empty():
        time.sleep(0.005)
    stage.down.get()  # lost on the way
    page.evaluate("() => { window.openView() }")
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 2)
    whole = "".join(WORDS * 3).strip()
    assert [turn.inner_text() for turn in page.locator(".svc-prose").all()] == [whole, whole]


def test_at_most_thirty_pieces_a_second_and_only_what_is_new(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(["abcdef "] * 600, pause=0.002)))
    stage.ask("fast")
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1)
    pieces = [(at, m) for at, m in stage.sent if m["t"] == "d" and m["k"] == "text"]
    assert sum(len(m["d"]) for _, m in pieces) == 600 * 7
    gaps = [b[0] - a[0] for a, b in pairwise(pieces)]
    assert sorted(gaps)[len(gaps) // 2] > 0.03


def test_draft_focus_selection_and_scroll_survive(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(["line of words\n\n"] * 160, pause=0.01)))
    stage.ask("much")
    stage.until(lambda: page.locator(".svc-log").evaluate("e => e.scrollHeight > e.clientHeight + 200"))
    page.get_by_label("Question", exact=True).fill("my next quest")
    page.locator(".svc-log").evaluate("e => { e.scrollTop = 5 }")
    page.evaluate("""() => { const p = document.querySelector('.svc-live .svc-prose div');
        const r = document.createRange(); r.selectNodeContents(p); getSelection().removeAllRanges(); getSelection().addRange(r); }""")
    page.get_by_label("Question", exact=True).focus()
    stage.until(lambda: len(chatted(page)) > 1500)
    assert page.locator(".svc-log").evaluate("e => e.scrollTop") == 5
    assert page.get_by_label("Question", exact=True).input_value() == "my next quest"
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"


def chatted(page: Any) -> str:
    return str(page.locator(".svc-log").text_content())


def test_keys_recall_sort_and_retry(page: Any) -> None:
    chat = ActedChat(spoken(["ok"]))
    stage = Stage(page, chat)
    for number, question in enumerate(("first", "second"), 1):
        stage.ask(question)
        stage.until(lambda n=number: stage.count('.svc-turn[data-status="complete"]') == n)
    box = page.get_by_label("Question", exact=True)
    box.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert box.input_value() == "first"
    page.keyboard.press("Shift+Enter")
    assert "\n" in box.input_value()
    box.fill("")
    # By key: a chart that comes into view is drawn then, and moves the head from under a pointer.
    page.locator(".svc-turn").last.get_by_role("button", name="Average delay").focus()
    page.keyboard.press("Enter")
    cells = page.locator(".svc-turn").last.locator("td:nth-child(3)")
    stage.until(lambda: cells.all_inner_texts() == ["9.26", "12.10", "13.00", "19.96", "null"])
    page.locator(".svc-turn").first.get_by_role("button", name="Ask again").click()
    stage.until(lambda: chat.asked == ["first", "second", "first"])


def test_threads_can_be_listed_renamed_deleted_and_opened(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(["ok"]), chat_id="t-1"))
    page.get_by_role("button", name="Threads").click()
    stage.until(lambda: stage.count(".svc-drawer li") == 2)
    page.locator(".svc-drawer li").nth(1).get_by_role("button", name="Rename").click()
    page.get_by_label("New title").fill("Late flights")
    page.keyboard.press("Enter")
    stage.until(lambda: "Late flights" in page.locator(".svc-drawer").inner_text())
    remove = page.locator(".svc-drawer li").nth(1).get_by_role("button", name="Delete")
    remove.click()
    page.get_by_role("button", name="Delete for good?").click()
    stage.until(lambda: stage.count(".svc-drawer li") == 1)


def test_a_kernel_that_does_not_hear_is_told_with_the_way_out(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(WORDS, pause=0.1)))
    stage.until(lambda: stage.count(".svc-idea") == 2)
    stage.deaf = True
    stage.ask("anyone?")
    stage.until(lambda: "■" in page.locator(".svc-status").inner_text())


def test_a_stop_that_is_not_heard_stays_told_while_text_goes_on_coming(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(WORDS * 5, pause=0.03)))
    stage.ask("long")
    stage.until(lambda: "word3" in page.locator(".svc-live").inner_text())
    stage.deaf = True
    page.keyboard.press("Escape")
    stage.until(lambda: "■" in page.locator(".svc-status").inner_text())
    came = len(page.locator(".svc-live").inner_text())
    stage.until(lambda: len(page.locator(".svc-live").inner_text()) > came + 40)
    assert "■" in page.locator(".svc-status").inner_text()


def test_narrow_and_wide(page: Any) -> None:
    stage = Stage(page, ActedChat(spoken(["The answer. " * 30])))
    page.set_viewport_size({"width": 320, "height": 700})
    stage.ask("flights by carrier")
    stage.until(lambda: stage.count('.svc-chart[data-drawn="true"]') == 1, within=60)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    shot(page, "stage-320")
