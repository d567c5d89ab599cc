"""Forms, administration, users side by side, magics and answers in cells, in real JupyterLab; axe-core over them."""

from __future__ import annotations

from typing import Any

import pytest

from .accessibility import violations
from .conftest import settled, shot
from .lab import Lab, Notebook

TAUGHT = """\
import pandas as pd
import svc_notebook as svc
sales = pd.DataFrame({"product": ["tea", "rum", "tea"], "qty": [2, 5, 1]})
client = svc.embedded(sales)
svc.ModelEditor(client, "taught-model")"""

REVIEWED = """\
import pandas as pd
import svc_notebook as svc
sales = pd.DataFrame({"product": ["tea", "rum", "tea"], "packing_delay": [2, 5, 1], "delivery_delay": [3, 6, 2]})
client = svc.embedded({"sales": sales})
chat = client.chat(external_id="ana", is_ephemeral=False)
for question in ["number of sales by gizmo", "sales per gizmo, please", "number of sales by product"]:
    chat.ask(question)
chat.ask("average delay by product").judge("wrong", why="until it is delivered")
svc.ReviewPanel(client, folder="reviewed-model", cases="ours.yml")"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_session_form_and_tenant_admin(lab: Lab, page: Any, requests_elsewhere: list[str]) -> None:
    nb = Notebook(
        lab,
        page,
        "forms.ipynb",
        [
            "import svc_notebook as svc\nclient = svc.demo()\nform = svc.SessionForm(client)\nform",
            "admin = svc.TenantAdmin(client, 'acme-corp')\nadmin",
            "token = form.session.token()\nprint(len(token) > 20)",
        ],
    )
    nb.run(0)
    user = page.get_by_label("Id", exact=True)
    user.fill("Ana B")
    page.wait_for_function("document.querySelector('.svp').innerText.includes('Lower-case and without spaces')")
    user.fill("ana")
    page.get_by_label("Embed tenant", exact=True).fill("acme-corp")
    page.get_by_label("Creator mode").check()
    page.get_by_label("Groups", exact=True).select_option("replace")
    page.get_by_label("Group names").fill("analysts")
    page.get_by_role("button", name="Add to Group definitions").click()
    page.get_by_label("Group definitions: name").fill("analysts")
    page.get_by_role("button", name="Add to Attribute definitions").click()
    page.get_by_label("Attribute definitions: name").fill("carrier")
    page.get_by_label("Attribute definitions: type").select_option("string_array")
    page.get_by_role("button", name="Add to User attributes").click()
    page.get_by_label("User attributes: name").fill("carrier")
    page.get_by_label("User attributes: type").select_option("string_array")
    page.get_by_label("User attributes: value").fill("DL, UA")
    page.get_by_text("As Python").click()
    page.wait_for_function("document.querySelector('.svp pre').innerText.includes(\"['DL', 'UA']\")")
    page.get_by_role("button", name="Create session").click()
    page.wait_for_selector(".svp-outcome code")
    session, url = [code.inner_text() for code in page.locator(".svp-outcome code").all()]
    assert len(session) == 32
    assert url == f"http://svc.local/embed/d/1/chat?session={session}"
    page.wait_for_function("/[45]:\\d\\d left/.test(document.querySelector('.svp').innerText)")
    assert violations(page, ".svp") == []
    shot(page, "forms")
    nb.run(2)
    nb.expect(2, "True")

    page.get_by_label("Attribute definitions: type").select_option("string")
    page.get_by_label("User attributes: type").select_option("string")
    page.get_by_role("button", name="Create session").click()
    page.wait_for_function("document.querySelector('.svp').innerText.includes('cannot change type')")

    nb.run(1)
    page.wait_for_selector(".svp table")
    delete = page.get_by_role("button", name="Delete analysts")
    delete.click()
    delete.click()
    page.wait_for_function("document.querySelectorAll('.svp')[1].innerText.includes('still has 1 member')")
    page.get_by_role("button", name="Delete carrier").click()
    page.get_by_role("button", name="Delete carrier").click()
    page.wait_for_function("document.querySelectorAll('.svp')[1].innerText.includes('Deleted carrier.')")
    assert violations(page, ".svp") == []
    assert requests_elsewhere == []


def test_users_side_by_side_and_answers_in_cells(lab: Lab, page: Any, requests_elsewhere: list[str]) -> None:
    users = "{'external_id': 'dora', 'user_attributes': {'carrier': ['DL']}}, {'external_id': 'uwe', 'user_attributes': {'carrier': ['UA']}}"
    nb = Notebook(
        lab,
        page,
        "cells.ipynb",
        [
            f"import svc_notebook as svc\nclient = svc.demo()\nboth = svc.CompareUsers(client, {users})\nboth",
            "client.chat().ask('average arrival delay by carrier')",
            "%load_ext svc_notebook\n%svc connect client external_id=ana carrier=DL",
            "%%ask flights <<\nhow many flights were there",
            "flights.df.iloc[0, 0]",
            "wanted = ['JFK', \"O'Hare\"]",
            "%%svcsql frame <<\nSELECT origin, MEASURE(count) AS n FROM flights WHERE origin IN {wanted} GROUP BY 1",
            "print(frame.values.tolist())",
            "flights.chart or svc.ResultView(flights)",
            "client.chat().ask('average arrival delay by carrier').chart.properties(height=200)",
        ],
    )
    nb.run(0)
    page.wait_for_selector(".svc-side .svc-chat")
    question = page.locator(".svc-compare > .svc-input textarea")
    question.fill("how many flights were there")
    question.press("Enter")
    page.wait_for_function("document.querySelectorAll('.svc-side .svc-turn[data-status=complete]').length === 2")
    dora, uwe = [side.inner_text() for side in page.locator(".svc-side .svc-prose").all()]
    assert "48,110" in dora
    assert "58,665" in uwe
    settled(page)
    assert violations(page, ".svc-compare") == []
    shot(page, "compare")

    nb.run(1)
    cell = page.locator(".jp-Cell").nth(1)
    cell.locator(".vega-embed svg.marks, .vega-embed canvas.marks").wait_for()
    cell.locator("table.svc-table").wait_for()
    assert cell.locator(".vega-actions").count() == 0 or "View Source" not in cell.locator(".vega-actions").inner_text()
    cell.scroll_into_view_if_needed()
    shot(page, "answer-cell")
    for index in range(2, 10):
        nb.run(index)
    nb.expect(4, "48110")
    nb.expect(7, "[['JFK', ")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.scrollToItem(9)")
    page.locator(".jp-Cell").nth(9).locator(".vega-embed svg.marks, .vega-embed canvas.marks").wait_for()
    saved = nb.save()
    kinds = [set(output["data"]) for output in saved["cells"][1]["outputs"]]
    assert [next(iter(kind & {"application/vnd.vegalite.v5+json"}), "") for kind in kinds].count(
        "application/vnd.vegalite.v5+json"
    ) == 1
    assert requests_elsewhere == []


def test_model_editor_teaches_a_word(lab: Lab, page: Any, requests_elsewhere: list[str]) -> None:
    nb = Notebook(
        lab,
        page,
        "editor.ipynb",
        [
            TAUGHT,
            "print(len(client.chat().ask('number of sales by gizmo').df))",
        ],
    )
    nb.run(0)
    page.get_by_label("Also called of sales.product", exact=True).fill("gizmo, article")
    page.get_by_label("Unit of sales.qty", exact=True).click()  # what is typed is taken when it is left
    page.get_by_text("sales.product: synonyms · → gizmo, article").wait_for()
    page.keyboard.type("boxes")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save 2 changes").wait_for()
    page.get_by_label("Hidden of sales.qty", exact=True).check()
    page.get_by_role("button", name="Save 3 changes").click()
    page.get_by_text("Answers use it from now on.").wait_for()
    assert page.get_by_role("button", name="Save", exact=True).is_disabled()
    assert violations(page, ".svp") == []
    page.get_by_text("Certify a question").click()
    page.get_by_label("Question", exact=True).fill("What counts?")
    page.get_by_label("SQL over the data model").fill("SELECT nothing FROM sales")
    page.get_by_role("button", name="Try it and certify").click()
    page.wait_for_function(
        "[...document.querySelectorAll('.svp [role=alert]')].some((e) => e.innerText.includes('nothing'))"
    )
    page.get_by_label("SQL over the data model").fill("SELECT MEASURE(count) AS n FROM sales")
    page.get_by_role("button", name="Try it and certify").click()
    page.get_by_text("What counts?: certified").wait_for()
    page.get_by_role("searchbox", name="Search").fill("prod")
    assert page.locator(".svp tbody tr").count() == 1
    nb.run(1)
    assert nb.output(1).strip() == "2"


def test_review_panel_closes_the_loop(lab: Lab, page: Any, requests_elsewhere: list[str]) -> None:
    checks = "print(len(client.chat().ask('number of sales by gizmo').df), open('ours.yml').read().count('question:'))"
    nb = Notebook(lab, page, "review.ipynb", [REVIEWED, checks])
    nb.run(0)
    wrong = page.get_by_role("region", name="average delay by product", exact=True)
    wrong.get_by_text("Askers said: until it is delivered").wait_for()
    wrong.get_by_text("Give the answer").click()
    wrong.get_by_role("button", name="Keep as eval case").click()  # without a query
    page.wait_for_function("[...document.querySelectorAll('.svp [role=alert]')].some((e) => e.innerText)")
    wrong.get_by_role("button", name="Take: Average delivery delay by product").click()
    assert "delivery_delay" in wrong.get_by_label("SQL over the data model").input_value()
    wrong.get_by_role("button", name="Keep as eval case").click()
    page.get_by_role("region", name="average delay by product", exact=True).get_by_text("Kept in ours.yml").wait_for()
    refused = page.locator('.svp-finding[data-kind="refused"]').first
    refused.get_by_text("Teach a word").click()
    assert refused.get_by_label("Word or phrase").input_value() == "gizmo"
    refused.get_by_label("Member", exact=True).fill("sales.product")
    assert violations(page, ".svp") == []
    shot(page, "review")
    refused.get_by_role("button", name="Accept as synonym").click()
    page.get_by_text("“gizmo” names sales.product from now on.").first.wait_for()
    page.get_by_label("Show", exact=True).select_option("wrong")
    assert page.locator(".svp-finding").count() == 1
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    page.wait_for_selector('[data-jp-theme-light="false"] .svp')
    page.get_by_label("Show", exact=True).select_option("")
    assert violations(page, ".svp") == []
    shot(page, "review-dark")
    nb.run(1)
    assert nb.output(1).strip() == "2 1"
    assert requests_elsewhere == []
