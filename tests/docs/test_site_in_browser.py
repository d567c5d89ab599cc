"""The pages in a real browser, opened as files with no host to reach: charts, narrow screens, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}
READ = ["docs/index", "docs/quickstart", "docs/concepts", "docs/service", "docs/wire", "docs/endpoints", "docs/api", "docs/command-line",
        "docs/troubleshooting", "docs/security", "docs/data-model", "docs/client", "docs/migrating-from-cube", "docs/dependencies", "notebooks/01_ask_a_question", "notebooks/06_results"]  # fmt: skip
CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const color = getComputedStyle(node).backgroundColor;
      if (!/, 0(\\.\\d+)?\\)$/.test(color) && color !== "transparent") return color;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  for (const node of document.querySelectorAll("article p, article td, article th, article li, article h1, article h2, article summary")) {
    if (!node.offsetParent || !node.innerText.trim()) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(node.innerText.slice(0, 60));
  }
  return faint;
}"""


@pytest.fixture
def open_page(browser: Any, site: Path) -> Iterator[Any]:
    """``open_page(name, viewport, scheme)``; the test fails when a page asked for anything but a file of the site."""
    contexts, asked = [], []

    def opened(name: str, viewport: dict[str, int], **options: Any) -> Any:
        context = browser.new_context(viewport=viewport, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:"))] == []


def test_charts_are_drawn_and_take_the_place_of_their_pictures(open_page: Any) -> None:
    page = open_page("notebooks/01_ask_a_question", WIDE)
    wanted = page.locator("script.drawn-chart").count()
    for index in range(wanted):
        page.locator("script.drawn-chart").nth(index).evaluate("(script) => script.parentElement.scrollIntoView()")
        page.locator(".chart svg").nth(index).wait_for()
    page.wait_for_function(f"document.querySelectorAll('img.drawn').length === {wanted}")
    assert page.locator(".cell_output img:visible").count() == 0
    assert "Flights" in page.locator(".chart svg").first.text_content()


def test_without_javascript_the_pictures_stay(open_page: Any) -> None:
    page = open_page("notebooks/01_ask_a_question", WIDE, java_script_enabled=False)
    pictures = page.locator(".cell_output img")
    assert pictures.count() > 1
    assert all(pictures.nth(index).is_visible() for index in range(pictures.count()))
    assert page.locator(".chart").count() == 0


@pytest.mark.parametrize("name", READ)
def test_pages_read_well_in_light_and_dark_and_on_a_phone(open_page: Any, name: str) -> None:
    page = open_page(name, WIDE)
    assert page.evaluate(CONTRAST) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert page.evaluate(CONTRAST) == []
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert page.locator("article h1").is_visible()


def test_search_finds_a_page_without_a_server(open_page: Any) -> None:
    page = open_page("search", WIDE)
    page.locator("input[name=q]").last.fill("ephemeral")
    page.locator("input[name=q]").last.press("Enter")
    page.locator("ul.search li a").first.wait_for()
    assert page.locator("ul.search li a[href*='service.html']").count() >= 1
