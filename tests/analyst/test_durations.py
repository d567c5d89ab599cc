"""How long something takes: from one time to another, of a row, over a join, to the first of several, between events."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest
from asking import NOW, ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_BEGUN = date(2024, 1, 2)


def _day(number: int) -> date:
    return _BEGUN + timedelta(days=number)


@cache
def _tables() -> dict[str, pd.DataFrame]:
    """Sails that a loft mends: when they came in, were cut, sewn and fetched; what the scales and benches wrote down."""
    owners = pd.DataFrame(
        {
            "owner_id": range(1, 13),
            "owner_name": [f"{n} Quill" for n in "Ada Bo Cy Dot Eve Fay Gus Hal Ida Jo Kim Lou".split()],
            "signed_up_on": pd.to_datetime([_day(n * 3) for n in range(12)]),
        }
    )
    sails = pd.DataFrame(
        [
            {
                "sail_no": 700 + n, "owner_id": n % 11 + 1, "cloth": ("dacron", "nylon", "laminate")[n % 3],
                "brought_in_on": _day(40 + n), "cut_on": _day(42 + n + n % 4), "sewn_on": _day(47 + n + n * n % 13),
                "picked_up_on": None if n % 9 == 5 else _day(63 + n + n * 7 % 12),
            }
            for n in range(60)
        ]
    )  # fmt: skip
    faults = pd.DataFrame(
        [
            {"fault_no": n, "sail_no": int(sail.sail_no), "noticed_on": sail.picked_up_on + timedelta(days=3 + n % 5)}
            for n, sail in enumerate(sails[sails.picked_up_on.notna()].iloc[::4].itertuples(), 1)
        ]
    )
    steps = pd.DataFrame(
        [
            {
                "step_id": 4 * n + place, "sail_no": 700 + n, "stage": stage,
                "logged_at": pd.Timestamp("2024-03-01 08:00") + timedelta(hours=5 * n, minutes=place * (20 + n % 7)),
            }
            for n in range(60)
            for place, stage in enumerate(("washed", "dried", "inspected"))
        ]
    )  # fmt: skip
    tables = {"owners": owners, "sails": sails, "faults": faults, "bench_log": steps}
    return {name: table.apply(_as_time) for name, table in tables.items()}


def _as_time(column: pd.Series) -> pd.Series:
    return pd.to_datetime(column) if column.name.endswith(("_on", "_at")) else column


@cache
def _loft() -> World:
    tables = _tables()
    engine = DuckDBEngine.open(None, data=dict(tables))
    return World(SemanticLayer(load_model(scaffold_model(tables)), engine))


def _days(one: pd.Series, other: pd.Series) -> pd.Series:
    return (other - one).dt.days


def _sails() -> pd.DataFrame:
    return _tables()["sails"]


def _to_first_sail() -> pd.Series:
    first = _sails().merge(_tables()["owners"], on="owner_id").groupby("owner_id")
    return _days(first.signed_up_on.min(), first.brought_in_on.min())


def _washed_to_inspected() -> pd.Series:
    log = _tables()["bench_log"].pivot(index="sail_no", columns="stage", values="logged_at")
    return (log.inspected - log.washed).dt.total_seconds() / 60


_SINGLE = {
    "how many days does a sail take to be picked up, on average": lambda s: _days(s.brought_in_on, s.picked_up_on).mean(),
    "how long does it take from being cut to being sewn, median days": lambda s: _days(s.cut_on, s.sewn_on).median(),
    "how long does it take to sew a sail once it is cut": lambda s: _days(s.cut_on, s.sewn_on).mean(),
    "how many sails were sewn within 9 days of being brought in": lambda s: (_days(s.brought_in_on, s.sewn_on) <= 9).sum(),
    "how many sails were picked up more than 3 weeks after they were cut": lambda s: (_days(s.cut_on, s.picked_up_on) > 21).sum(),
    "average days between pick-up and fault": lambda s: _days(
        *(_tables()["faults"].merge(s, on="sail_no")[name] for name in ("picked_up_on", "noticed_on"))
    ).mean(),
    "median days from sign-up to the first sail": lambda s: _to_first_sail().median(),
    "average minutes between washed and inspected": lambda s: _washed_to_inspected().mean(),
    "average minutes from washed to inspected for nylon sails": lambda s: _washed_to_inspected()[
        s[s.cloth == "nylon"].sail_no
    ].mean(),
}  # fmt: skip


@pytest.mark.parametrize("question", _SINGLE)
def test_a_time_between_two_times_is_one_number(question: str) -> None:
    [row] = ask(_loft(), question).rows()
    assert row[-1] == pytest.approx(_SINGLE[question](_sails()))


def test_it_is_grouped() -> None:
    rows = dict(ask(_loft(), "average days from cutting to sewing by cloth").rows())
    sails = _sails()
    assert rows == pytest.approx(dict(_days(sails.cut_on, sails.sewn_on).groupby(sails.cloth).mean()))


def test_the_row_that_took_longest_is_named_with_how_long() -> None:
    [row] = ask(_loft(), "which sail took longest to be picked up after it was sewn").rows()
    took = _days(_sails().sewn_on, _sails().picked_up_on)
    assert row[0] in set(_sails()[took == took.max()].sail_no) and row[-1] == took.max()


def test_groups_are_ranked_by_their_average() -> None:
    [row] = ask(_loft(), "which cloth is slowest to be sewn").rows()
    took = _days(_sails().brought_in_on, _sails().sewn_on).groupby(_sails().cloth).mean()
    assert row == (took.idxmax(), pytest.approx(took.max()))


def test_rows_are_listed_by_how_long_they_took() -> None:
    rows = ask(_loft(), "sails picked up more than 25 days after they were brought in").rows()
    took = _days(_sails().brought_in_on, _sails().picked_up_on)
    assert {row[0] for row in rows} == set(_sails()[took > 25].sail_no)


def test_days_since_the_last_of_several_rows() -> None:
    rows = ask(_loft(), "days since the last sail of each owner").rows()
    last = _sails().merge(_tables()["owners"], on="owner_id").groupby("owner_name").brought_in_on.max()
    today = pd.Timestamp(NOW.date())
    assert {row[0]: row[-1] for row in rows} == {name: (today - when).days for name, when in last.items()}


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("how many days does a sail take to be sewn", "brought in on to sewn on"),
        ("average days from sign-up to the first sail", "signed up on to first brought in on"),
        ("average minutes between washed and inspected", "stage is washed to logged at where stage is inspected"),
    ],
)
def test_the_two_times_are_told(question: str, ends: str) -> None:
    assert ends in ask(_loft(), question).answer.text


def test_a_unit_that_is_said_is_told_in() -> None:
    [row] = ask(_loft(), "how long does it take to sew a sail, in weeks").rows()
    assert row[-1] == pytest.approx(_days(_sails().brought_in_on, _sails().sewn_on).mean() / 7)
