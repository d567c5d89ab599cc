"""A result of a million rows in JupyterLab: each thing one does to its table, from the click to the rows that are drawn."""

from __future__ import annotations

from typing import Any

import pytest

from .lab import Lab, Notebook, patience

ROWS = 1_000_000
LIMIT = 200.0  # ms
MADE = f"""\
import numpy as np, pandas as pd
import svc_notebook as svc
random, n = np.random.default_rng(4), {ROWS}
frame = pd.DataFrame({{
    "parcel": np.arange(n), "depot": np.array([f"Depot {{i:03d}}" for i in range(400)])[random.integers(0, 400, n)],
    "weight": random.gamma(2, 3, n).round(2), "posted": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 366 * 86400, n), unit="s"),
    "fragile": random.random(n) < 0.2,
}})
client = svc.embedded({{"parcels": frame}})
result = client.query("SELECT parcel, depot, weight, posted, fragile FROM parcels")
result.load_all()
print(len(result))"""

# An action, and what shows that it is done: the time between them, drawn.
TIMED = """async ([act, done]) => {
    const root = document.querySelector('.svc-table-whole'), find = (css) => root.querySelector(css);
    const head = (i) => root.querySelectorAll('.svc-sort')[i], cell = (row, i) => root.querySelectorAll('tbody tr')[row]?.cells[i]?.innerText;
    const acts = {
        turn: () => find('[aria-label="Rows after"]').click(), back: () => find('[aria-label="Rows before"]').click(),
        sort: (i) => head(i).click(),
        filter: (words) => { const field = find('.svc-find'); field.value = words; field.dispatchEvent(new Event('input')); },
        wide: () => find('.svc-width').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true })),
        stop: () => find('[aria-label$=": Stop"]').click(),
        press: (label) => [...root.querySelectorAll('button')].find((each) => each.textContent === label).click(),
    };
    window.copied = window.saved = null;
    navigator.clipboard.writeText = async (text) => { window.copied = text; };
    HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
    const before = root.querySelector('tbody').innerText, pages = find('.svc-pages').innerText, wide = find('th').offsetWidth;
    const ends = {
        rows: () => root.querySelector('tbody').innerText !== before, pages: () => find('.svc-pages').innerText !== pages && /\\d/.test(find('.svc-pages').innerText),
        wider: () => find('th').offsetWidth > wide, copied: () => window.copied, saved: () => window.saved,
        share: () => find('[aria-label$=": Stop"]'), stopped: () => !find('[aria-label$=": Stop"]'),
    };
    const start = performance.now();
    acts[act[0]](act[1]);
    while (!ends[done]()) {
        if (performance.now() - start > 20000) throw new Error(`${act} is never done`);
        await new Promise((next) => requestAnimationFrame(next));
    }
    return [performance.now() - start, find('.svc-pages').innerText, cell(0, 0)];
}"""

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.soak]


def test_everything_one_does_to_a_million_rows_is_done_at_once(lab: Lab, page: Any) -> None:
    nb = Notebook(lab, page, "million.ipynb", [MADE, "svc.ResultView(result)"])
    nb.run(0)
    nb.expect(0, str(ROWS))
    nb.run(1)
    page.wait_for_selector(".svc-table-whole")
    page.wait_for_timeout(3000)  # the texts a filter looks through are made beside

    took: dict[str, float] = {}

    def timed(name: str, act: list[Any], done: str) -> tuple[str, str]:
        ms, pages, first = page.evaluate(TIMED, [act, done])
        took[name] = min(ms, took.get(name, ms))
        print(f"{name}: {ms:.0f} ms ({pages}; {first})")
        return pages, first

    assert timed("next page", ["turn"], "rows")[0] == f"26–50 of {ROWS:,}"
    timed("page before", ["back"], "rows")
    for column in (1, 2, 3, 0):  # by the first they stand already
        timed(f"sort by column {column}", ["sort", column], "rows")
        timed(f"sort by column {column}, the other way", ["sort", column], "rows")
    for words in ("depot 0", "depot 01", "12.5", "zzz", ""):
        timed(f"filter {words!r}", ["filter", words], "pages")
    timed("wider", ["wide"], "wider")
    timed("copy", ["press", "Copy"], "copied")
    timed("copy as Markdown", ["press", "Copy as Markdown"], "copied")
    for kind in ("CSV", "Parquet", "Excel"):
        timed(f"{kind}: how far it is", ["press", kind], "share")
        timed(f"{kind}: stopped", ["stop"], "stopped")
        page.wait_for_function(
            "label => [...document.querySelectorAll('.svc-b')].some((b) => b.textContent === label)", arg=kind
        )
    for kind in ("CSV", "Parquet"):
        timed(f"{kind}, saved", ["press", kind], "saved")
    slow = {name: ms for name, ms in took.items() if ms > LIMIT * patience() and "saved" not in name}
    assert not slow, took
