"""How often a changed figure or name in a model's words is caught, and how often right words are doubted.

Answers are written over results of the demo by templates, each in several roundings; a script then changes one figure or
name. Run: ``python -m benchmarks.claims``.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from svc_notebook.analyst.llm.checking import Evidence, unfounded
from svc_notebook.analyst.llm.figures import figures

QUERIES = {
    "flights per carrier": "SELECT carrier, MEASURE(count) AS flights FROM flights GROUP BY 1 ORDER BY 2 DESC",
    "flights per origin": "SELECT origin, MEASURE(count) AS flights FROM flights GROUP BY 1 ORDER BY 2 DESC",
    "top destinations": "SELECT destination, MEASURE(count) AS flights FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
}
NAMES = ["Zurich", "Oslo Airways", "Berlin", "Quito", "Meridian"]


def written(value: float, chance: random.Random) -> str:
    """A number as somebody may write it."""
    if value != int(value):
        return f"{value:,.{chance.choice([1, 2])}f}"
    forms = [f"{value:,.0f}", f"{value:.0f}"]
    if value >= 10_000:
        forms += [f"about {value / 1000:,.1f} thousand", f"{value / 1000:.1f}k"]
    return chance.choice(forms)


def answer(columns: list[str], rows: list[list[Any]], chance: random.Random) -> str:
    """Two to four right sentences over a result."""
    label, measure = columns
    total = sum(row[1] for row in rows)
    best, worst = max(rows, key=lambda row: row[1]), min(rows, key=lambda row: row[1])
    one, other = chance.sample(rows, 2)
    said = [
        f"{best[0]} leads with {written(best[1], chance)} {measure}.",
        f"{worst[0]} has the fewest: {written(worst[1], chance)}.",
        f"{one[0]} recorded {written(one[1], chance)} {measure}, {other[0]} {written(other[1], chance)}.",
        f"{one[0]} had {written(abs(one[1] - other[1]), chance)} {'more' if one[1] > other[1] else 'fewer'} than {other[0]}.",
        f"{one[0]} accounts for {100 * one[1] / total:.1f} % of the {measure}.",
        f"In all there were {written(total, chance)} {measure} across {len(rows)} values of {label}.",
        f"{best[0]} had {best[1] / max(1, worst[1]):.1f} times as many as {worst[0]}.",
    ]
    return " ".join(chance.sample(said, chance.randint(2, 4)))


def digit_changed(text: str, rows: list[list[Any]], chance: random.Random) -> str | None:
    """One digit of one number is another."""
    places = [found.start() for found in re.finditer(r"\d", text)]
    at = chance.choice(places)
    return text[:at] + chance.choice([d for d in "123456789" if d != text[at]]) + text[at + 1 :]


def scaled(text: str, rows: list[list[Any]], chance: random.Random) -> str | None:
    """A number is ten times as large."""
    figure = chance.choice(list(figures(text)))
    found = re.search(r"\d[\d,]*", text[figure.start :])
    assert found is not None
    begin = figure.start + found.start()
    return text[:begin] + f"{int(found[0].replace(',', '')) * 10:,}" + text[begin + len(found[0]) :]


def name_made_up(text: str, rows: list[list[Any]], chance: random.Random) -> str | None:
    """A name is one that no row has."""
    known = [str(row[0]) for row in rows if str(row[0]) in text]
    return text.replace(chance.choice(known), chance.choice(NAMES)) if known else None


def name_exchanged(text: str, rows: list[list[Any]], chance: random.Random) -> str | None:
    """A name is that of another row."""
    known = [str(row[0]) for row in rows if str(row[0]) in text]
    others = [str(row[0]) for row in rows if str(row[0]) not in text]
    return text.replace(chance.choice(known), chance.choice(others), 1) if known and others else None


CHANGES: list[Callable[[str, list[list[Any]], random.Random], str | None]] = [
    digit_changed, scaled, name_made_up, name_exchanged,
]  # fmt: skip


def same_meaning(changed: str, text: str) -> bool:
    return (
        changed == text
        or [f.value for f in figures(changed)] == [f.value for f in figures(text)]
        and (re.sub(r"[\d,.]", "", changed) == re.sub(r"[\d,.]", "", text))
    )


def rates(
    results: list[tuple[list[str], list[list[Any]]]], changed: int, untouched: int, seed: int = 1
) -> dict[str, Any]:
    """Shares caught by kind of change, and the share of right answers that were doubted."""
    chance = random.Random(seed)
    tried: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    while tried.total() < changed:
        columns, rows = chance.choice(results)
        text = answer(columns, rows, chance)
        change = CHANGES[tried.total() % len(CHANGES)]
        other = change(text, rows, chance)
        if other is None or same_meaning(other, text):
            continue
        tried[change.__name__] += 1
        caught[change.__name__] += bool(unfounded(other, [Evidence(columns, rows)]))
    doubted = 0
    for _ in range(untouched):
        columns, rows = chance.choice(results)
        doubted += bool(unfounded(answer(columns, rows, chance), [Evidence(columns, rows)]))
    return {
        "tried": dict(tried), "caught": {kind: caught[kind] / tried[kind] for kind in tried},
        "all caught": caught.total() / tried.total(), "false alarms": doubted / untouched,
    }  # fmt: skip


def demo_results() -> list[tuple[list[str], list[list[Any]]]]:
    import svc_notebook as svc

    with svc.demo() as client:
        found = [client.query(sql) for sql in QUERIES.values()]
        return [(list(each.columns), [[str(row[0]), float(row[1])] for row in each.rows]) for each in found]


if __name__ == "__main__":
    import json

    print(json.dumps(rates(demo_results(), 2_000, 500), indent=1))
