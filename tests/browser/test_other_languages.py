"""What stands about an answer in the page is in the language of the answer: chips, buttons, fields, what a table says."""

from __future__ import annotations

from typing import Any

import pandas as pd

import svc_notebook as svc

from .accessibility import violations
from .conftest import settled, shot
from .stage import Stage

ROWS = pd.DataFrame(
    {
        "Datum": pd.Timestamp("2024-01-01") + pd.to_timedelta([n % 300 for n in range(900)], unit="D"),
        "Filiale": [f"Filiale {n % 30:02d}" for n in range(900)], "Umsatz": [(n * 37 % 401) + 0.5 for n in range(900)],
    }
)  # fmt: skip


def buttons(page: Any) -> list[str]:
    return [each.inner_text() for each in page.locator(".svc-turn").last.locator("button.svc-b:visible").all()]


def test_buttons_and_fields_are_in_the_language_of_the_answer(page: Any) -> None:
    with svc.embedded({"verkaeufe": ROWS}) as client:
        stage = Stage(page, client.chat())
        stage.ask("Summe von Umsatz nach Filiale")
        stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1)
        last = page.locator(".svc-turn").last
        assert last.locator(".svc-find").get_attribute("placeholder") == "Zeilen filtern"
        assert {"Kopieren", "Als Markdown kopieren", "Noch einmal", "Ändern"} <= set(buttons(page))
        assert last.locator(".svc-pages").inner_text() == "1–25 von 30"
        assert last.locator(".svc-evidence summary").inner_text().startswith("Nachweis")
        assert last.get_attribute("lang") == "de" and "nach" in last.locator(".svc-reading").inner_text()
        assert last.locator('td[style*="--svc-part"]').count() == 25, "amounts are drawn behind their numbers"
        wide = last.locator("th").first.evaluate("(head) => head.offsetWidth")
        last.locator(".svc-width").first.press("ArrowRight")
        assert last.locator("th").first.evaluate("(head) => head.offsetWidth") > wide
        assert page.get_by_label("Question", exact=True).get_attribute("placeholder") == "Nach den Daten fragen"
        assert last.locator(".svc-count").all_inner_texts()[-1] == "30 Zeilen"
        assert not {"Thinking", "Threads", "New", "Ask"} & set(page.locator("button, summary").all_inner_texts())
        settled(page)
        assert violations(page, ".svc-chat") == []
        shot(page, "german")
        last.locator(".svc-chip-words").nth(1).click()
        shot(page, "german-chip")
        stage.ask("total Umsatz by Filiale")
        stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 2)
        assert page.locator(".svc-find").last.get_attribute("placeholder") == "Filter rows"
        assert page.get_by_role("button", name="Ask", exact=True).is_visible()
        assert {"Copy", "Retry", "Edit"} <= set(buttons(page))
