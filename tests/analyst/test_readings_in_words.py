"""What a reading is called when it is offered: by things and what they have, and never longer than one reads through."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from worlds import NOW, World

from svc_notebook.analyst.offline.calendar.moments import MomentReader
from svc_notebook.analyst.offline.forms import in_words
from svc_notebook.analyst.offline.understanding import form_of
from svc_notebook.analyst.offline.words.text import tokenize
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

GUESTS = pd.DataFrame({
    "guest_id": range(1, 9), "town": list("ABCDEFGH"), "age": range(20, 28), "joined_on": pd.date_range("2024-01-01", periods=8),
    "hobby": list("ijklmnop"), "language": list("qrstuvwx"), "diet": list("ababcdcd"), "floor": [1, 1, 2, 2, 3, 3, 1, 2],
})  # fmt: skip
STAYS = pd.DataFrame({
    "stay_id": range(1, 13), "guest_ref": [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5], "arrived_on": pd.date_range("2024-02-01", periods=12),
    "kind": ["short", "long", "short"] * 4, "price": [10.5 * n for n in range(1, 13)],
})  # fmt: skip


@cache
def house() -> World:
    data = {"guests": GUESTS, "stays": STAYS}
    engine = DuckDBEngine.open(None, data=data)
    return World(SemanticLayer(load_model(scaffold_model(data, engine=engine)), engine))


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "SELECT town FROM guests WHERE guest_id NOT IN (SELECT guest_ref FROM stays WHERE guest_ref IS NOT NULL AND kind = 'long')",
            "town of guests, where there are no stays (kind is long)",
        ),
        (
            "SELECT town FROM guests WHERE guest_id IN (SELECT guest_ref FROM stays GROUP BY 1 HAVING COUNT(*) >= 3)",
            "town of guests, where number of stays at least 3",
        ),
        ("SELECT COUNT(DISTINCT guest_id) FROM guests WHERE floor = 2", "number of different guests, where floor is 2"),
        (
            "SELECT town FROM guests ORDER BY joined_on DESC LIMIT 1",
            "town of guests, the one with the latest joined on",
        ),
        ("SELECT town FROM guests ORDER BY age LIMIT 3", "town of guests, the 3 with the smallest age"),
        ("SELECT town FROM guests WHERE age >= 21.0", "town of guests, where age at least 21"),
        (
            "SELECT town FROM guests WHERE hobby IN ('i', 'j', 'k', 'l', 'm', 'n', 'o')",
            "town of guests, where hobby is i, j, k or 4 others",
        ),
        (
            "SELECT guest_id, town, age, joined_on, hobby, language, diet FROM guests WHERE floor = 1",
            "guest id, town, age and 4 more columns of guests, where floor is 1",
        ),
        (
            "SELECT kind, CASE WHEN arrived_on >= DATE '2023-01-01' AND arrived_on < DATE '2024-01-01' THEN '2023' WHEN arrived_on >= DATE '2024-01-01' AND arrived_on < DATE '2025-01-01' THEN '2024' END AS period, SUM(price) FROM stays WHERE (arrived_on >= DATE '2023-01-01' AND arrived_on < DATE '2024-01-01') OR (arrived_on >= DATE '2024-01-01' AND arrived_on < DATE '2025-01-01') GROUP BY 1, 2",
            "total price by kind and arrived on (2023 or 2024), where (arrived on in 2023 or arrived on in 2024)",
        ),
        (
            "SELECT kind, SUM(price) FROM stays GROUP BY 1 ORDER BY MIN(CASE WHEN arrived_on >= DATE '2023-01-01' AND arrived_on < DATE '2024-01-01' THEN 0 ELSE 1 END)",
            "total price by kind, sorted by arrived on in 2023 first",
        ),
        ("SELECT stay_id FROM stays WHERE price > 5.199999999999996", "stay id of stays, where price above 5.2"),
        ("SELECT MIN(arrived_on), MAX(arrived_on) FROM stays", "first arrived on and last arrived on"),
        (
            "SELECT kind, COUNT(*) FILTER (WHERE price > 20) * 1.0 / COUNT(*) FROM stays GROUP BY 1",
            "share of stays where price above 20 by kind",
        ),
    ],
)
def test_a_reading_is_said_as_people_say_it(sql: str, words: str) -> None:
    form = form_of(sql, house().metadata)
    assert form is not None
    assert in_words(form, house().metadata.catalog) == words


def test_this_spring_and_the_last_one_are_two() -> None:
    tokens = tokenize("visits this summer against last summer")
    reader = MomentReader(tokens, NOW, None)
    now, last = reader.relative(1), reader.relative(4)
    assert now is not None and last is not None and now[0] is not None and last[0] is not None
    assert (now[0].year, last[0].year) == (NOW.year, NOW.year - 1)
