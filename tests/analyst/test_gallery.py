"""The gallery's answers, looked at by rule: what is drawn has a size and can be read, what is said is in the results."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import pytest
from test_chart_scenes import marks, rectangle

from benchmarks.gallery import QUESTIONS, Shown, answers, dark
from svc_notebook.results.values import label

pytest.importorskip("vl_convert")

SVG = "{http://www.w3.org/2000/svg}"
CHARACTER = 5.2  # mean width of a letter at 10 px
DERIVED = ("why", "trend", "correlation")  # numbers of these are computed anew in test_recipes
LATER = ("meters", "clinic")
PARAMS = [pytest.param(name, marks=[pytest.mark.soak] if name in LATER else []) for name in QUESTIONS]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


@dataclass(frozen=True)
class Label:
    """A text of a drawn chart: where it is, how much room it takes, and of which axis it is."""

    text: str
    x: float
    y: float
    upright: bool
    axis: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, right, top, bottom."""
        size = len(self.text) * CHARACTER
        wide, tall = (10.0, size) if self.upright else (size, 10.0)
        return self.x - wide / 2, self.x + wide / 2, self.y - tall / 2, self.y + tall / 2


def labels(svg: ET.Element) -> list[Label]:
    """The labels of all axes."""
    return list(_labels(svg, 0.0, 0.0, itertools.count(), None))


def _labels(node: ET.Element, x: float, y: float, axes: Iterator[int], axis: int | None) -> Iterator[Label]:
    moved = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    if "role-axis-label" in node.get("class", ""):
        axis = next(axes)
    if node.tag == f"{SVG}text" and axis is not None and node.text and node.get("opacity") != "0":
        upright = "rotate" in node.get("transform", "")
        wide = len(node.text) * CHARACTER
        shift = {"end": -wide / 2, "start": wide / 2}.get(node.get("text-anchor", "start"), 0.0)
        yield Label(node.text, x if upright else x + shift, y, upright, axis)
    for child in node:
        yield from _labels(child, x, y, axes, axis)


@pytest.fixture(scope="module", params=PARAMS)
def gallery(request: pytest.FixtureRequest) -> list[Shown]:
    return list(answers(request.param))


Scene = tuple[str, Any, ET.Element]


@pytest.fixture(scope="module")
def scenes(gallery: list[Shown]) -> list[Scene]:
    """Every chart in light and dark, drawn once for all that is asked of it."""
    return list(_drawn(gallery))


def _drawn(gallery: list[Shown]) -> Iterator[Scene]:
    for one in gallery:
        for chart in (each for light in one.charts for each in (light, dark(light))):
            svg = chart.to_svg()
            assert svg is not None, one.question
            yield one.question, chart, ET.fromstring(svg)


def test_every_question_is_answered_and_marks_have_a_size(gallery: list[Shown], scenes: list[Scene]) -> None:
    for one in gallery:
        assert one.answer.status == "complete" and one.answer.results, (one.question, one.answer.text)
        assert not one.answer.choices and "could not" not in (one.answer.text or ""), one.question
    for question, chart, svg in scenes:
        paths = [str(path.get("d")) for path in marks(svg)]
        texts = [node for node in svg.iter(f"{SVG}text") if node.text]
        assert paths or texts, question
        assert not any("NaN" in path for path in paths), question
        sizes = [size for path in paths if (size := rectangle(path)) is not None]
        assert sum(width <= 0.5 for width, _ in sizes) <= len(sizes) / 4, question  # the smallest of very unequal bars
        assert not sizes or max(min(size) for size in sizes) > 5, question
        assert not chart.notes, (question, chart.notes)


def test_labels_do_not_lie_over_each_other(scenes: list[Scene]) -> None:
    for question, _, svg in scenes:
        for _, group in itertools.groupby(labels(svg), key=lambda label: label.axis):
            for one, other in itertools.combinations(group, 2):
                (left, right, top, bottom), (left2, right2, top2, bottom2) = one.box, other.box
                apart = right <= left2 + 3 or right2 <= left + 3 or bottom <= top2 + 3 or bottom2 <= top + 3
                assert apart, (question, one, other)


def test_units_are_there_and_titles_are_words(gallery: list[Shown], scenes: list[Scene]) -> None:
    for question, chart, svg in scenes:
        texts = [str(node.text) for node in svg.iter(f"{SVG}text") if node.text]
        assert not any("_" in text for text in texts), (question, texts)
        for text in texts:
            if re.fullmatch(r"Average (departure|arrival) delay.*", text) and not text.endswith(("lowest", "highest")):
                assert "(minutes)" in text or text not in _axis_titles(chart.spec), (question, text)
        assert chart.title and chart.title[0].isupper() | chart.title[0].isdigit(), (question, chart.title)
        for result in next(one for one in gallery if one.question == question).answer.results:
            assert all("_" not in (column.title or column.name) for column in result.schema), (question, result.schema)


def test_heads_of_tables_say_what_their_numbers_are_counted_in(gallery: list[Shown]) -> None:
    for one in gallery:
        said = set(re.findall(r"\*\*-?[\d.,]+ (minutes|days|hours|kWh)\b", one.answer.text or ""))
        heads = [label(column) for result in one.answer.results for column in result.schema]
        assert all(any(unit in head for head in heads) for unit in said), (one.question, said, heads)
        assert not any(re.search(r"\([^()]*\) \(", head) for head in heads), (one.question, heads)


def test_how_a_question_was_read_is_said_in_words(gallery: list[Shown]) -> None:
    for one in gallery:
        words = [text for _, text, _ in one.answer.reading.rows()] if one.answer.reading is not None else []
        for text in words:
            assert not re.search(r"\d\.\d{7}|\belse \d|\b(\w[\w ]+) per \1\b|\d{4}-\d\d-\d\d and ", text), (
                one.question,
                text,
            )


def test_no_axis_goes_on_below_amounts_that_begin_at_nothing(scenes: list[Scene]) -> None:
    for question, chart, svg in scenes:
        numbers = [cell for row in chart.rows for cell in row.values() if isinstance(cell, int | float)]
        below = [text.text for text in labels(svg) if re.fullmatch(r"\u2212[\d.,]+[kMB%]?", text.text)]
        assert not below or min(numbers, default=0) < 0, (question, below)


def _axis_titles(spec: Any) -> set[str]:
    if isinstance(spec, dict):
        own = {str(spec[c]["title"]) for c in ("x", "y") if isinstance(spec.get(c), dict) and spec[c].get("title")}
        return own.union(*map(_axis_titles, spec.values()))
    return set().union(*map(_axis_titles, spec)) if isinstance(spec, list) else set()


def test_weekdays_and_moments_are_in_order(scenes: list[Scene]) -> None:
    for question, _, svg in scenes:
        for _, group in itertools.groupby(labels(svg), key=lambda label: label.axis):
            days = [label.text[:3] for label in group]
            if len(days) == 7 and set(days) == set(DAYS):
                assert days == DAYS, question


def test_every_number_of_the_words_is_in_a_result_or_follows_from_one(gallery: list[Shown]) -> None:
    for one in gallery:
        if one.question.startswith(DERIVED):
            continue
        allowed, text = _allowed(one), one.answer.text or ""
        plain = re.sub(
            r"\(95 % interval[^)]*\)|\d{4}-\d{2}-\d{2}|\b\d{1,2} [A-Z][a-z]+ \d{4}|\b(19|20)\d\d\b|\d+:00|3\.5 robust|80 %",
            " ",
            text,
        )
        cells = {cell for result in one.answer.results for row in result.rows for cell in row}
        for name in (cell for cell in cells if isinstance(cell, str) and re.search(r"\d", cell)):  # Line 6
            plain = plain.replace(name, " ")
        for found in re.findall(r"(?<![A-Za-z\d])-?\d[\d,]*\.?\d*(?![A-Za-z\d])", plain):
            number = abs(float(found.rstrip(".,").replace(",", "")))
            digits = len(found.rstrip(".").partition(".")[2])
            step = max(0.51 * 10.0**-digits, 0.005 * number if number < 1 else 0.0)
            assert any(abs(number - value) <= step for value in allowed), (one.question, found, text)


def _allowed(one: Shown) -> set[float]:
    """Numbers of the results, counts of rows and groups, sums, shares of sums, differences, growth and quotients."""
    allowed = {float(n) for n in range(6)}
    for result in one.answer.results:
        rows = result.rows
        allowed |= {float(len(rows)), *(float(len({str(row[i]) for row in rows})) for i in range(len(result.schema)))}
        for place in range(len(result.schema)):
            pairs = [(row[:place], float(row[place])) for row in rows if isinstance(row[place], (int, float))]
            allowed |= _derived([value for _, value in pairs])
            for cut in range(place):
                groups: dict[str, list[float]] = {}
                for keys, value in pairs:
                    groups.setdefault(str(keys[cut]), []).append(value)
                allowed |= _derived([sum(values) for values in groups.values()][:60])
                allowed = allowed.union(*(_derived(values) for values in list(groups.values())[:30]))
        counts = [float(cell) for row in rows[:60] for cell in row if isinstance(cell, int)]
        whole = one.answer.results[-1].rows[0][0] if one.answer.results[-1].rows else 0
        allowed |= {100 * n / whole for n in counts if isinstance(whole, int) and whole}
    main = one.answer.results[-1].rows
    if len(main) == 2:
        allowed |= {float(row[1]) / days for row in main for days in (28, 29, 30, 31, 365, 366)}
    if len(main) == 2:  # two sides: what groups contribute to their difference
        gap = abs(float(main[0][1]) - float(main[1][1]))
        allowed |= {abs(n) / gap * 100 for n in list(allowed) if gap and abs(n) <= 2 * gap}
    lone = {float(n) for r in one.answer.results if len(r.rows) == 1 for n in r.rows[0] if isinstance(n, (int, float))}
    lone |= {
        float(sum(row[-1] for row in r.rows)) for r in one.answer.results if r.rows and isinstance(r.rows[0][-1], int)
    }
    for a, b in itertools.permutations(lone, 2):  # also the fences of two quartiles
        allowed |= {abs(a - b), abs(a - 3 * (b - a)), *({abs(a / b) * 100} if b else ())}
    return allowed


def _derived(numbers: list[float]) -> set[float]:
    if not numbers:
        return set()
    total, few = sum(numbers), numbers[:60]
    found = {abs(n) for n in numbers} | {abs(n) * 100 for n in numbers} | {abs(total), float(len(numbers))}
    found |= {abs(median(numbers))}
    found |= {abs(n) / total * 100 for n in numbers if total} | set(itertools.accumulate(numbers))
    found |= {part / total * 100 for part in itertools.accumulate(numbers) if total}
    for a, b in itertools.permutations(few, 2):
        found |= {abs(a - b), abs(a - b) * 100} | ({abs(a - b) / abs(b) * 100, abs(a / b)} if b else set())
    return found
