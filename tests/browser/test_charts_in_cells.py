"""A chart that a cell shows: as wide as the cell at most, and in the colours the page has now."""

from __future__ import annotations

from typing import Any

import pytest

import svc_notebook as svc

from .conftest import settled, shot
from .lab import Lab, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ALONE = "import svc_notebook as svc\nchat = svc.demo().chat()\nanswer = chat.ask('flights per month by origin')\nanswer.chart"
WITH_WORDS = "chat.ask('flights per month by origin')"
OTHERS = (
    "from IPython.display import display\n"
    "spec = {'data': {'values': [{'a': 1}]}, 'mark': 'bar', 'encoding': {'y': {'field': 'a', 'type': 'quantitative'}}}\n"
    "display({'application/vnd.vegalite.v5+json': spec}, raw=True)"
)

PAINTED = """(place) => {
    const luminance = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return (r + g + b) / 3; };
    const svg = place.querySelector('svg.marks');
    return {
        ink: luminance(getComputedStyle(svg.querySelector('.role-title text')).fill),
        axis: luminance(getComputedStyle(svg.querySelector('.role-axis-label text')).fill),
        page: luminance(getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor),
        behind: getComputedStyle(svg).backgroundColor,
        filled: svg.querySelector(':scope > rect')?.getAttribute('fill') ?? 'none',
    };
}"""

INSIDE = """(place) => {  // all of the chart is in its cell, or in what is scrolled there
    const right = (node) => node.getBoundingClientRect().right;
    const wrapper = place.querySelector('.chart-wrapper'), svg = place.querySelector('svg.marks');
    const seen = right(place.closest('.jp-OutputArea')) + 1;
    return right(wrapper) <= seen && (right(svg) <= seen || wrapper.scrollWidth > wrapper.clientWidth);
}"""


def charts(page: Any, count: int) -> Any:
    found = page.locator(".jp-OutputArea-child .vega-embed:has(svg.marks .role-title)")
    found.nth(count - 1).wait_for(state="attached")
    return found


def test_a_chart_shrinks_with_its_cell_and_follows_the_theme(lab: Lab, page: Any) -> None:
    nb = Notebook(lab, page, "narrow.ipynb", [ALONE, WITH_WORDS])
    nb.run(0)
    nb.run(1)
    found = charts(page, 2)
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    for wide in (1100, 700, 400):
        page.set_viewport_size({"width": wide, "height": 2400})
        settled(page)
        for at in range(2):
            box = found.nth(at).locator("svg.marks").bounding_box()
            assert found.nth(at).evaluate(INSIDE), (wide, at)
            assert 0.4 < box["height"] / box["width"] < 0.7  # it keeps its shape
            assert box["width"] >= 340  # and can be read
        shot(page, f"cell-{wide}")
    page.set_viewport_size({"width": 1000, "height": 2400})
    for theme in ("Dark", "Light"):
        page.evaluate(
            "(t) => window.jupyterapp.commands.execute('apputils:change-theme', {theme: t})", f"JupyterLab {theme}"
        )
        page.wait_for_function(
            "(dark) => (document.body.dataset.jpThemeLight === 'false') === dark", arg=theme == "Dark"
        )
        settled(page)
        for at in range(2):
            painted = found.nth(at).evaluate(PAINTED)
            assert abs(painted["ink"] - painted["page"]) > 150, (theme, painted)
            assert abs(painted["axis"] - painted["page"]) > 150, (theme, painted)
            assert painted["behind"] == "rgba(0, 0, 0, 0)" and painted["filled"] in ("none", "transparent"), painted
        shot(page, f"cell-{theme.lower()}")


def test_a_chart_shrinks_beside_charts_of_others(lab: Lab, page: Any) -> None:
    """The first chart of a page decides what vega-embed's style is; ours bring their rule in the answer too."""
    nb = Notebook(lab, page, "others.ipynb", [OTHERS, ALONE.replace("\nanswer.chart", "\nanswer")])
    nb.run(0)
    nb.run(1)
    page.set_viewport_size({"width": 600, "height": 2400})
    settled(page)
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    assert charts(page, 1).first.evaluate(INSIDE)


def test_numbers_of_a_wide_table_are_not_broken(page: Any) -> None:
    with svc.demo() as client:
        written = client.chat().ask("distribution of air time").to_html()
    page.set_viewport_size({"width": 500, "height": 900})
    page.set_content(written)
    lines = page.evaluate("""() => [...document.querySelectorAll('.svc-answer table td')].map((cell) => {
        const text = document.createRange(); text.selectNodeContents(cell); return text.getClientRects().length; })""")
    assert len(lines) > 20 and set(lines) == {1}
    assert page.evaluate("document.documentElement.scrollWidth") <= 500  # the table is scrolled, not the page
