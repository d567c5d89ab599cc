"""The gallery of the documentation: questions, what is answered, and the picture, as anybody gets them.

``python -m benchmarks.gallery`` writes ``docs/gallery.md`` and its pictures anew.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import svc_notebook as svc
from svc_notebook.results.charts import Chart, render_result

from . import gallery_tables

__all__ = ["QUESTIONS", "Shown", "answers", "dark", "main", "write"]

ROOT = Path(__file__).parent.parent
QUESTIONS = {
    "flights": (
        "Every flight that left New York in 2013 (the demo)",
        (
            "how many flights were there", "average arrival delay by carrier", "flights per month",
            "flights per month by origin", "top 5 destinations by flights", "average departure delay by weekday",
            "average departure delay by month and carrier", "share of flights by carrier",
            "share of cancelled flights by origin", "which carrier has the highest average departure delay",
            "how did the number of flights change from January to February",
            "why was the average departure delay higher in July than in September", "distribution of arrival delay",
            "correlation between departure delay and arrival delay", "compare JFK and LGA average departure delay",
            "which destinations make up 80% of the flights", "flights by carrier and origin",
            "average arrival delay and number of flights by carrier",
        ),
    ),
    "orders": (
        "Orders of a furniture shop: no August 2022, missing regions, a month that is cut off",
        (
            "revenue by month", "revenue by region", "revenue by month by region", "revenue by month by category",
            "revenue by year", "return rate by category", "average unit price by region and category",
            "why did revenue change from 2022 to 2023", "trend of revenue", "outliers in revenue",
        ),
    ),
    "meters": (
        "Hourly meter readings: three days without rows, a few readings far out",
        (
            "total kwh by site", "average kwh by hour of day", "average kwh per day",
            "average kwh by weekday by site", "distribution of kwh", "correlation between temperature and kwh",
        ),
    ),
    "clinic": (
        "Visits to a clinic: a ward of three visits",
        (
            "average stay days by ward", "number of visits by ward and channel", "why did average stay days change from 2021 to 2022",
            "number of visits by month", "average wait minutes by hour of day", "summarize the visits",
        ),
    ),
}  # fmt: skip


_INK, _FAINT = "#e4e4e8", "#ffffff30"
_WORDS = {"labelColor": _INK, "titleColor": _INK}
_DARK = {
    "background": "#131416", "view": {"stroke": "transparent"}, "text": {"color": _INK}, "rule": {"color": _INK},
    "axis": {**_WORDS, "gridColor": _FAINT, "domainColor": _FAINT, "tickColor": _FAINT}, "legend": _WORDS,
    "header": _WORDS, "title": {"color": _INK, "subtitleColor": _INK},
}  # fmt: skip


_HEAD = """
Forty questions to the [offline analyst](analyst.md) and what it answers: words and pictures as anybody gets them,
without a language model. `python -m benchmarks.gallery` makes this page anew; a test checks what is drawn and said (marks
have a size, labels do not overlap, units are there, order is right, every number in the words is in a result or follows
from one).
"""


@dataclass(frozen=True)
class Shown:
    """A question of the gallery with its answer and the charts of its results, as a notebook draws them."""

    table: str
    question: str
    answer: svc.Answer
    charts: tuple[Chart, ...]


def answers(only: str | None = None) -> Iterator[Shown]:
    """Ask every question in a thread of its own."""
    for table, (_, questions) in QUESTIONS.items():
        if only not in (None, table):
            continue
        with _client(table) as client:
            for question in questions:
                answer = client.chat().ask(question)
                for result in answer.results:
                    result.load_all()
                yield Shown(table, question, answer, tuple(c for r in answer.results if (c := render_result(r))))


def _client(table: str) -> svc.EmbeddedClient:
    if table == "flights":
        return svc.demo()
    name = {"orders": "orders", "meters": "readings", "clinic": "visits"}[table]
    return svc.embedded({name: getattr(gallery_tables, table)()})


def dark(chart: Chart) -> Chart:
    """The same chart as a dark page draws it: light letters and faint lines, numbers' colours from a lighter end."""
    spec = _lightened(chart.spec)
    config = {**spec.get("config", {}), **_DARK}
    return Chart({**spec, "config": config}, chart.rows, chart.notes, chart.problem, chart.title)


def _lightened(part: Any) -> Any:
    if isinstance(part, list):
        return [_lightened(each) for each in part]
    if not isinstance(part, dict):
        return part
    if part.get("scheme") == "viridis":
        return {**part, "scheme": {"name": "viridis", "extent": [0.2, 1]}}
    return {key: _lightened(value) for key, value in part.items()}


def write(page: Path, pictures: Path) -> int:
    """Write the page and its pictures; returns how many questions it shows."""
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    lines = ["# Gallery", "", " ".join(_HEAD.split())]
    shown = list(answers())
    for table, (title, _) in QUESTIONS.items():
        lines += ["", f"## {title}"]
        for number, one in enumerate((s for s in shown if s.table == table), 1):
            lines += ["", f"### {one.question[:1].upper()}{one.question[1:]}", "", (one.answer.text or "").strip()]
            for place, chart in enumerate(one.charts, 1):
                name = f"{table}-{number:02d}-{place}"
                folder = pictures.relative_to(page.parent).as_posix()
                for theme, drawn in (("light", chart), ("dark", dark(chart))):
                    svg = drawn.to_svg()
                    if svg is None:
                        raise RuntimeError(f"{one.question!r}: the chart could not be drawn")
                    file = f"{name}{'-dark' if theme == 'dark' else ''}.svg"
                    (pictures / file).write_text(svg, "utf-8")
                    directive = [
                        f"```{{image}} {folder}/{file}",
                        f":alt: {chart.title}",
                        f":class: only-{theme}",
                        "```",
                    ]
                    lines += ["", *directive]
    page.write_text("\n".join(lines) + "\n", "utf-8")
    return len(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="folder of the page")
    out = parser.parse_args().out.resolve()
    print(f"{write(out / 'gallery.md', out / 'images' / 'gallery')} questions in {out / 'gallery.md'}")


if __name__ == "__main__":
    main()
