"""Take the pictures of the README and the docs: a question asked in JupyterLab, in a real browser, from the demo.

python scripts/take_pictures.py [docs/images]
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402  after the path is set

from tests.browser.lab import Lab, Notebook  # noqa: E402

CELL = "import svc_notebook as svc\n\nclient = svc.demo()\nsvc.ChatWidget(client)"
FORM = "import svc_notebook as svc\n\nform = svc.SessionForm(svc.demo())\nform"
EDITOR = "import svc_notebook as svc\n\nsvc.ModelEditor(svc.demo())"
REVIEW = """\
import pandas as pd
import svc_notebook as svc

sales = pd.DataFrame({"product": ["tea", "rum", "tea"], "packing_delay": [2, 5, 1], "delivery_delay": [3, 6, 2]})
client = svc.embedded({"sales": sales})
chat = client.chat(external_id="ana", is_ephemeral=False)
for question in ["number of sales by gizmo", "sales per gizmo, please"]:
    chat.ask(question)
chat.ask("average delay by product").judge("wrong", why="until it is delivered")
svc.ReviewPanel(client)"""
SIZE = {"width": 1180, "height": 900}


def main(folder: Path) -> None:
    chromium = os.environ.get("SVC_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        lab = Lab(Path(temporary))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_page(viewport=SIZE)
            notebook = Notebook(lab, page, "ask_a_question.ipynb", [CELL])
            page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
            notebook.run(0)
            box = page.get_by_label("Question", exact=True).first
            box.fill("flights per month by origin")
            box.press("Enter")
            page.wait_for_selector('.svc-chart[data-drawn="true"] svg', timeout=60_000)
            page.wait_for_selector(".svc-turn[data-status=complete]")
            page.mouse.move(5, 5)
            page.wait_for_timeout(500)
            page.screenshot(path=str(folder / "chat.png"))
            beside = browser.new_page(viewport=SIZE)
            Notebook(lab, beside, "a_form.ipynb", [FORM]).run(0)
            beside.get_by_label("Id", exact=True).fill("dana")
            beside.get_by_label("Embed tenant", exact=True).fill("acme-air")
            beside.wait_for_function("() => document.querySelector('.svp pre')?.textContent.includes('dana')")
            beside.locator(".svp").first.screenshot(path=str(folder / "session-form.png"))
            beside.close()
            editing = browser.new_page(viewport=SIZE)
            Notebook(lab, editing, "a_model.ipynb", [EDITOR]).run(0)
            editing.get_by_label("Cube or view").select_option("flight_facts")
            editing.get_by_label("Also called of flight_facts.distance", exact=True).fill("miles, trip length")
            editing.get_by_role("searchbox", name="Search").focus()
            editing.get_by_role("button", name="Save 1 change").wait_for()
            editing.locator(".svp").first.screenshot(path=str(folder / "model-editor.png"))
            editing.close()
            review = browser.new_page(viewport=SIZE)
            Notebook(lab, review, "a_review.ipynb", [REVIEW]).run(0)
            review.locator('.svp-finding[data-kind="wrong"]').get_by_text("Give the answer").click()
            review.locator('.svp-finding[data-kind="refused"]').get_by_text("Teach a word").click()
            review.locator(".svp").first.screenshot(path=str(folder / "review-panel.png"))
            review.close()
            theme = "() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
            page.evaluate(theme)
            page.wait_for_selector(".svc-chat.svc-dark")
            page.wait_for_timeout(1_500)
            page.screenshot(path=str(folder / "chat-dark.png"))
        finally:
            browser.close()
            lab.close()
    for picture in sorted(folder.glob("*.png")):
        print(picture, picture.stat().st_size // 1024, "kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images")
