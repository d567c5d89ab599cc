"""What is offered beside an answer says something else than the answer does."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.forms import Form, Role
from svc_notebook.analyst.offline.forms.form import Limit
from svc_notebook.analyst.offline.ranking.apart import apart
from svc_notebook.analyst.offline.ranking.standing import Standing

FORMS = [Form(Role("orders"), limit=Limit(n)) for n in (1, 2, 3)]


def offered(*results: tuple[object, ...]) -> int:
    found = [Standing(form, (), score=-place) for place, form in enumerate(FORMS[: len(results)])]
    given = dict(zip(FORMS, results, strict=False))
    return len(apart(found, lambda form: given[form], answered=True))


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ((1, "[0.0245118416]"), (1, "[2.45118416]"), False),  # a share, and the same in per cent
        ((1, "[Decimal('0.25')]"), (1, "[25.0]"), False),
        ((1, "[0.0245]"), (1, "[0.0246]"), True),
        ((1, "[5]"), (1, "[500]"), True),  # of whole numbers none is a share
        ((2, "['a', 1]", "['b', 2]"), (1, "['b', 2]"), False),  # the first of a list that is shown
        ((2, "['a', 1]", "['b', 2]"), (1, "['c', 2]"), True),
        ((2, "['a', 1]", "['b', 2]"), None, False),
    ],
)
def test_readings_that_give_the_same_are_one(one: tuple[object, ...], other: tuple[object, ...], differ: bool) -> None:
    assert offered(one, other) == 1 + differ


MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
      - {name: shop, sql: shop, type: string}
      - {name: late, sql: late, type: boolean}
    measures:
      - {name: count, type: count}
      - {name: late_count, type: count, filters: [{sql: "{CUBE}.late"}], title: Late orders}
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[svc.Client]:
    place = tmp_path_factory.mktemp("model") / "orders.yml"
    place.write_text(MODEL)
    rows = pd.DataFrame({"id": range(40), "city": ["Rome", "Bonn"] * 20, "late": [True, False, False, False] * 10})
    rows["shop"] = ["Market", "Market", "Corner", "Corner", "Station"] * 8
    with svc.embedded(place, data={"orders": rows}) as opened:
        yield opened


def test_a_count_of_some_rows_is_not_a_count_of_all(client: svc.Client) -> None:
    answer = client.chat().ask("late orders by city")
    assert answer.df is not None
    assert sorted(int(n) for n in answer.df.iloc[:, -1])[-1] == 10
    assert "late" in str(answer.reading).lower()
    assert not answer.choices or "late" in answer.choices[0].question.lower()


def test_a_comparison_of_what_no_row_is_both_of_answers_nothing_of_the_kind(client: svc.Client) -> None:
    answer = client.chat().ask("compare Rome and Corner")
    assert answer.df is None or len(answer.df) > 1
