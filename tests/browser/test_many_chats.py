"""What happens to notebooks: Run All with several chats, a cell deleted while it streams, a kernel that dies, two tabs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .lab import Lab, Notebook, write_notebook
from .test_jupyterlab import DEMO, LONG, ask, done

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_run_all_with_five_chats_then_a_cell_goes_and_the_kernel_restarts(
    lab: Lab, page: Any, requests_elsewhere: list[str]
) -> None:
    more = "svc.ChatWidget(client)"
    nb = Notebook(lab, page, "many.ipynb", [LONG, more, more, more, more, "print('all ran')"])
    nb.command("notebook:run-all-cells")
    nb.wait_idle(5)
    nb.expect(5, "all ran")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.scrollToItem(0)")
    page.wait_for_function("globalThis.__svc_notebook.chats.size === 5")
    page.wait_for_function("[...globalThis.__svc_notebook.chats.values()].every((chat) => chat.known)")
    page.locator(".svc-chat").first.wait_for()
    ask(page, "long")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')")
    page.evaluate(
        """() => { const nb = window.jupyterapp.shell.currentWidget.content; nb.activeCellIndex = 0; nb.deselectAll();
                   nb.mode = 'command'; window.jupyterapp.commands.execute('notebook:delete-cell'); }"""
    )
    page.wait_for_function("!document.querySelector('.svc-live')")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.scrollToItem(0)")
    ask(page, "short")
    done(page)

    ask(page, "long")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.wait_for_function(
        """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.connectionStatus === 'connected'
                 && window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"""
    )
    nb.command("notebook:run-all-cells")  # the cell that made the client has gone: an ordinary error, then all again
    page.wait_for_function("document.body.innerText.includes('NameError')")
    write_notebook(nb.path, [DEMO])
    page.goto("about:blank")
    nb.open()
    nb.run(0)
    page.wait_for_selector(".svc-idea")
    ask(page, "how many flights were there")
    done(page)
    assert requests_elsewhere == []


def test_two_tabs_on_one_kernel_show_the_same_and_a_dead_kernel_is_told(lab: Lab, page: Any) -> None:
    nb = Notebook(lab, page, "tabs.ipynb", [LONG])
    nb.run(0)
    page.wait_for_selector(".svc-chat textarea")
    nb.save()
    second = page.context.new_page()
    second.set_default_timeout(60_000)
    second.goto(page.url, wait_until="domcontentloaded")
    second.wait_for_selector(".svc-chat textarea")
    ask(page, "medium")
    second.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 5')")
    done(page)
    done(second)
    texts = [tab.locator(".svc-turn .svc-prose").inner_text() for tab in (page, second)]
    assert texts[0] == texts[1]
    assert texts[0].rstrip().endswith("piece 59 of the answer,")
    second.close()
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    ask(page, "short")
    page.wait_for_function("/not running|busy/.test(document.querySelector('.svc-status').innerText)")


def test_sql_goes_into_the_notebook_as_a_cell_and_runs_as_who_asked(lab: Lab, page: Any) -> None:
    user = "external_id='dora', user_attributes={'carrier': ['DL']}"
    nb = Notebook(
        lab,
        page,
        "insert.ipynb",
        [f"import svc_notebook as svc\nwidget = svc.ChatWidget(svc.demo(), {user})\nwidget", "1"],
    )
    nb.run(0)
    page.wait_for_selector(".svc-idea")
    ask(page, "flights by carrier")
    done(page)
    page.locator(".svc-evidence summary").click()
    page.locator(".svc-evidence").get_by_role("button", name="Insert as cell").click()
    page.wait_for_function("document.querySelector('.svc-status').innerText.includes('new cell below')")
    cells = [cell["source"] for cell in nb.save()["cells"]]
    assert len(cells) == 4
    assert "".join(cells[1]) == "%load_ext svc_notebook"
    assert "".join(cells[2]).startswith("%%svcsql as widget\nSELECT")
    nb.run(1)
    nb.run(2)
    nb.expect(2, "48110")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.scrollToItem(0)")
    page.locator(".svc-evidence").get_by_role("button").nth(1).click()
    page.wait_for_function("window.jupyterapp.shell.currentWidget.content.widgets.length === 5", timeout=20_000)


def test_untrusted_and_without_a_kernel_the_transcript_has_its_chart(lab: Lab, page: Any) -> None:
    nb = Notebook(lab, page, "chart.ipynb", [DEMO])
    nb.run(0)
    page.wait_for_selector(".svc-idea")
    ask(page, "flights per month by origin")
    done(page)
    page.wait_for_selector('.svc-chart[data-drawn="true"]')
    page.wait_for_function(
        """() => JSON.stringify(window.jupyterapp.shell.currentWidget.content.model.cells.get(0).outputs.toJSON())
                 .includes('data:image/png')"""
    )
    saved = nb.save()
    assert len(json.dumps(saved)) < 120_000
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.goto("about:blank")
    saved["cells"][0]["source"] += "\n# changed elsewhere, so that it is not trusted"
    nb.path.write_text(json.dumps(saved))
    nb.open()
    page.wait_for_selector(".svc-static img")
    assert not page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets[0].model.trusted")
    assert page.locator(".svc-static img").evaluate("e => e.complete && e.naturalWidth > 300")
    assert "336,776" in nb.output(0) or "flights per month" in nb.output(0)
    assert "Error" not in nb.output(0)


def test_a_cell_that_is_run_again_goes_on_with_its_thread(lab: Lab, page: Any) -> None:
    chat = "widget = svc.ChatWidget(client, external_id='ana', user_attributes={'carrier': ['DL']})\nwidget"
    nb = Notebook(lab, page, "again.ipynb", ["import svc_notebook as svc\nclient = svc.demo()", chat])
    nb.run(0)
    nb.run(1)
    page.wait_for_selector(".svc-idea")
    ask(page, "how many flights were there")
    done(page)
    for cell in (1, 1):
        nb.run(cell)
        page.wait_for_function(
            "document.querySelector('.svc-turn[data-status=complete]')?.innerText.includes('48,110')"
        )
        assert page.locator(".svc-chat").count() == 1
    ask(page, "and by month")
    done(page, count=2)
    nb.run(0)  # another service, which knows no such thread: a new conversation, and no error
    nb.run(1)
    page.wait_for_selector(".svc-idea")
    assert page.locator(".svc-turn").count() == 0
    assert page.locator(".svc-status").inner_text() == ""
