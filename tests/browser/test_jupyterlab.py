"""The main job in real JupyterLab: ask, watch it grow, stop it, keep table and chart; saved, reopened, busy."""

from __future__ import annotations

import time
from typing import Any

import pytest

from .accessibility import violations
from .conftest import settled, shot
from .evidence_labels import check_labels
from .lab import Lab, Notebook, StopWatch, patience, stop_limit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DEMO = "import svc_notebook as svc\nclient = svc.demo()\nwidget = svc.ChatWidget(client)\nwidget"
LONG = """
import svc_notebook as svc
from tests.browser.slow_analyst import SlowAnalyst
analyst = SlowAnalyst()
client = svc.demo(analyst=analyst)
widget = svc.ChatWidget(client)
widget
"""


def ask(page: Any, question: str, at: int = 0) -> None:
    box = page.get_by_label("Question", exact=True).nth(at)
    box.fill(question)
    box.press("Enter")


def done(page: Any, status: str = "complete", count: int = 1) -> None:
    page.wait_for_function(
        "([status, n]) => document.querySelectorAll(`.svc-turn[data-status=${status}]`).length >= n",
        arg=[status, count],
        timeout=60_000,
    )


def watch_growth(page: Any) -> None:
    """Collect in the page every length the running answer's text takes."""
    page.evaluate("""() => { window.lengths = new Set(); const see = () => {
        const text = document.querySelector('.svc-live .svc-plain'); if (text) window.lengths.add(text.innerText.length); };
        new MutationObserver(see).observe(document.body, {subtree: true, childList: true, characterData: true}); }""")


def test_a_question_streams_into_text_table_and_interactive_chart(
    lab: Lab, page: Any, requests_elsewhere: list[str]
) -> None:
    nb = Notebook(lab, page, "demo.ipynb", [DEMO])
    nb.run(0)
    page.wait_for_selector(".svc-idea")
    watch_growth(page)
    ask(page, "average arrival delay by carrier")
    assert page.get_by_role("button", name="Stop", exact=True).is_visible()
    done(page)
    assert len(page.evaluate("[...window.lengths]")) >= 5
    page.wait_for_selector('.svc-chart[data-drawn="true"] svg', timeout=60_000)
    assert page.locator(".svc-table-box tbody tr").count() == 16
    bar = page.locator(".svc-chart svg path[aria-roledescription=bar]").first
    bar.hover()
    page.wait_for_selector("#vg-tooltip-element.visible")  # interactive
    page.mouse.move(5, 5)
    page.locator(".svc-evidence summary").click()
    check_labels(page.locator(".svc-evidence"))
    shot(page, "lab-light")
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    page.wait_for_selector(".svc-chat.svc-dark")
    settled(page)
    shot(page, "lab-dark")
    settled(page)
    assert violations(page, ".svc-chat") == []
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Light'})")
    page.wait_for_selector(".svc-chat:not(.svc-dark)")
    settled(page)
    assert violations(page, ".svc-chat") == []
    assert requests_elsewhere == []


def test_stop_ends_turn_and_query_within_half_a_second_and_keeps_the_text(lab: Lab, page: Any) -> None:
    check = (  # the page is told first; the analyst has a moment to leave
        "import time, json\nuntil = time.monotonic() + 3\n"
        "while analyst.running and time.monotonic() < until: time.sleep(0.01)\n"
        "print(json.dumps({'cancelled': analyst.cancelled, 'running': analyst.running}))"
    )
    nb = Notebook(lab, page, "stop.ipynb", [LONG, check, "widget.chat.ask('short').status"])
    nb.run(0)
    page.wait_for_selector(".svc-chat textarea")
    ask(page, "long")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 7')")
    limit = stop_limit(page)
    watch = StopWatch(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    assert watch.seconds() < limit
    assert "piece 7" in page.locator(".svc-turn .svc-prose").inner_text()
    nb.run(1)
    nb.expect(1, '{"cancelled": 1, "running": 0}')

    ask(page, "query")
    page.wait_for_selector(".svc-live .svc-tool.svc-is-running")
    watch = StopWatch(page)
    page.keyboard.press("Escape")
    assert watch.seconds() < limit
    nb.run(1)
    nb.expect(1, '"cancelled": 2, "running": 0')
    nb.run(2)
    nb.expect(2, "complete")


def test_streams_and_stops_while_another_cell_runs(lab: Lab, page: Any) -> None:
    sync = "import time\nprint('on')\nfor _ in range(300): time.sleep(0.02)"
    waiting = "import asyncio\nprint('on')\nfor _ in range(300): await asyncio.sleep(0.02)"
    nb = Notebook(
        lab,
        page,
        "busy.ipynb",
        [LONG, sync, waiting, "answer = client.chat().ask('long')\nprint(answer.status, len(answer.text) > 20)"],
    )
    nb.run(0)
    page.wait_for_selector(".svc-chat textarea")
    limit = stop_limit(page)
    for number, cell in enumerate((1, 2), 1):
        nb.run(cell, wait=False)
        nb.wait_output(cell)
        ask(page, "long")
        page.wait_for_function(
            "document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')", timeout=4_000
        )
        watch = StopWatch(page)
        page.get_by_role("button", name="Stop", exact=True).click()
        assert watch.seconds() < limit
        done(page, "aborted", number)
        nb.wait_idle(cell)
    nb.run(3, wait=False)
    page.wait_for_function("document.querySelectorAll('.jp-Cell')[3].innerText.includes('piece 3')")
    started = time.monotonic()
    nb.command("notebook:interrupt-kernel")
    nb.wait_idle(3)
    assert time.monotonic() - started < 2 * patience()
    nb.expect(3, "aborted True")


def test_saved_and_reopened_it_shows_the_transcript_once(lab: Lab, page: Any) -> None:
    nb = Notebook(lab, page, "saved.ipynb", [DEMO, "chat = client.chat()\nsecond = svc.ChatWidget(chat)\nsecond"])
    nb.run(0)
    nb.run(1)
    page.wait_for_function("document.querySelectorAll('.svc-chat .svc-idea').length >= 2")
    ask(page, "how many flights were there", at=0)
    done(page)
    assert (
        page.get_by_text("Run this cell to go on").count() == 0
        or not page.get_by_text("Run this cell to go on").first.is_visible()
    )
    page.wait_for_function(
        """() => { const { outputs } = window.jupyterapp.shell.currentWidget.content.widgets[0].model;
                   return String(outputs.get(1)?.data["text/html"] ?? "").includes("336,776"); }"""
    )
    saved = nb.save()
    outputs = saved["cells"][0]["outputs"]
    assert len(str(saved)) < 60_000
    assert "336,776" in "".join(outputs[1]["data"]["text/html"])
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.goto("about:blank")
    nb.open()
    page.wait_for_function("document.querySelectorAll('.svc-static').length === 2")
    shown = nb.output(0)
    assert shown.count("how many flights were there") == 1
    assert "336,776" in shown
    assert "Error" not in shown + nb.output(1)
    assert "ChatWidget(" not in shown
    nb.run(0)
    page.wait_for_selector(".svc-chat textarea")


def test_page_reload_in_mid_answer_ends_with_the_exact_text(lab: Lab, page: Any) -> None:
    nb = Notebook(lab, page, "reload.ipynb", [LONG, "print(widget.conversation.turns[-1]['text'])"])
    nb.run(0)
    page.wait_for_selector(".svc-chat textarea")
    nb.save()
    ask(page, "medium")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 5')")
    page.reload()
    done(page)
    nb.run(1)
    nb.expect(1, "piece 59")
    assert page.locator(".svc-turn .svc-prose").inner_text().strip() == nb.output(1).split("]:")[-1].strip()
