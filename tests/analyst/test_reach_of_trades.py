"""What a question over a stranger's tables can mean: the right form is among the first candidates, whatever ranks them.

The numbers are those of pandas over the tables themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from small_trades import Tables, trade
from worlds import NOW

from svc_notebook.analyst.offline.budget import Budget
from svc_notebook.analyst.offline.forms import CannotWrite, in_words, to_sql
from svc_notebook.analyst.offline.grammar import Candidate
from svc_notebook.analyst.offline.reader import forms_of
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import SemanticError

_FIRST = 6


def _days(start: pd.Series, end: pd.Series) -> pd.Series:
    return (end.dt.normalize() - start.dt.normalize()).dt.days


def _length(t: Tables) -> pd.Series:
    return _days(t["stays"].admitted_at, t["stays"].discharged_at)


def _age(born: pd.Series) -> pd.Series:
    return born.map(lambda b: NOW.year - b.year - ((NOW.month, NOW.day) < (b.month, b.day)))


def _in(times: pd.Series, year: int, month: int | None = None) -> pd.Series:
    return (times.dt.year == year) & ((times.dt.month == month) if month else True)


def _among(t: Tables, year: int, other: int) -> tuple[set[Any], set[Any]]:
    came = t["stays"]
    return tuple(set(came[_in(came.admitted_at, y)].patient_id) for y in (year, other))  # type: ignore[return-value]  # two


def _seen_in(t: Tables, park: str) -> set[str]:
    return set(t["sightings"].merge(t["parks"], on="park_id").query("park_name == @park").species)


def _rows(series: pd.Series) -> list[tuple[Any, ...]]:
    return list(series.items())


def _busiest_town(t: Tables) -> tuple[Any, ...]:
    loans = t["loans"].merge(t["borrowers"], on="borrower_id").groupby("town")
    each = loans.size() / loans.borrower_id.nunique()
    return each.idxmax(), each.max()


def _dearest_ward(t: Tables) -> tuple[Any, ...]:
    each = t["stays"].groupby("ward").cost.mean()
    return each.idxmax(), each.max()


def _still_there(t: Tables) -> list[tuple[Any, ...]]:
    open_stays = t["stays"][t["stays"].discharged_at.isna()]
    known = t["patients"][t["patients"].patient_id.isin(open_stays.patient_id)].astype(object)
    return list(known.where(known.notna(), None).itertuples(index=False, name=None))


REACHED: dict[tuple[str, str], Callable[[Tables], list[tuple[Any, ...]]]] = {
    # a time between two times
    ("hospital", "average length of stay by ward"): lambda t: _rows(_length(t).groupby(t["stays"].ward).mean()),
    ("hospital", "how many stays lasted longer than 10 days?"): lambda t: [(int((_length(t) > 10).sum()),)],
    ("library", "how long do loans last on average?"): lambda t: [(_days(t["loans"].loaned_on, t["loans"].returned_on).mean(),)],
    ("jobs", "average time to decision in days"): lambda t: [(_days(t["applications"].applied_on, t["applications"].decided_on).mean(),)],
    ("jobs", "average days from application to decision by position"): lambda t: _rows(
        _days(t["applications"].applied_on, t["applications"].decided_on).groupby(t["applications"].position).mean()
    ),
    # an age from a birth
    ("hospital", "how many patients are older than 60?"): lambda t: [(int((_age(t["patients"].birth_date) > 60).sum()),)],
    ("hospital", "average age by sex"): lambda t: _rows(_age(t["patients"].birth_date).groupby(t["patients"].sex).mean()),
    ("hospital", "number of patients by age group"): lambda t: _rows((_age(t["patients"].birth_date) // 10 * 10).value_counts()),
    ("jobs", "how many candidates are between 30 and 40 years old"): lambda t: [
        (int(_age(t["applications"].date_of_birth).between(30, 40).sum()),)
    ],
    # different rows of one thing
    ("hospital", "how many patients were admitted in 2022 but not in 2023?"): lambda t: [(len(_among(t, 2022, 2023)[0] - _among(t, 2022, 2023)[1]),)],
    ("hospital", "how many patients were admitted both in 2022 and 2023?"): lambda t: [(len(_among(t, 2022, 2023)[0] & _among(t, 2022, 2023)[1]),)],
    ("wildlife", "species seen in Birch Moor but not in Fox Hollow"): lambda t: [(s,) for s in _seen_in(t, "Birch Moor") - _seen_in(t, "Fox Hollow")],
    # one word of several values
    ("wildlife", "how many fox sightings were there?"): lambda t: [(int(t["sightings"].species.str.contains("fox").sum()),)],
    ("bakery", "cake revenue by shop"): lambda t: _rows(
        t["till_sales"][t["till_sales"]["product"].str.contains("cake")].groupby("shop").amount.sum()
    ),
    # what is missing
    ("hospital", "how many patients have unknown insurance?"): lambda t: [(int(t["patients"].insurance.isna().sum()),)],
    ("hospital", "how many patients have no insurance recorded?"): lambda t: [(int(t["patients"].insurance.isna().sum()),)],
    ("library", "how many loans are not returned yet?"): lambda t: [(int(t["loans"].returned_on.isna().sum()),)],
    ("homes", "how many listings without a balcony"): lambda t: [(int((~t["listings"].balcony).sum()),)],
    # for each of something in a group, ranked
    ("library", "which town has the most loans per borrower?"): lambda t: [_busiest_town(t)],
    ("hospital", "which ward costs the most per stay?"): lambda t: [_dearest_ward(t)],
    # by its own size, and of either side
    ("wildlife", "largest park"): lambda t: [("Eagle Tarn", 3100)],
    ("wildlife", "parks larger than 1000"): lambda t: [tuple(r) for r in t["parks"][t["parks"].area_ha > 1000].values],
    ("football", "how many matches of Rovers"): lambda t: [(40,)],
    ("football", "how many matches of Rovers at home"): lambda t: [(20,)],
    ("homes", "maximum days between listing and availability by district"): lambda t: _rows(
        _days(t["listings"].listed_on, t["listings"].available_from).groupby(t["listings"].district).max()
    ),
    ("hospital", "which patients have not been discharged yet"): _still_there,
    ("hospital", "how many patients were never admitted"): lambda t: [(int((~t["patients"].patient_id.isin(t["stays"].patient_id)).sum()),)],
    # what was done when
    ("wildlife", "how many animals were seen in total"): lambda t: [(int(t["sightings"].animals.sum()),)],
    ("homes", "how many listings under 1000 are furnished"): lambda t: [
        (int((t["listings"].furnished & (t["listings"].monthly_rent < 1000)).sum()),)
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "question"), REACHED)
def test_the_right_form_is_among_the_first(name: str, question: str) -> None:
    tables, _ = trade(name)
    wanted = _comparable(REACHED[name, question](tables))
    found = [_result(name, candidate) for candidate in _candidates(name, question)]
    assert wanted in found, found


def test_a_denial_that_denies_nothing_is_no_reading() -> None:
    for candidate in _candidates("hospital", "how many patients were admitted in 2022 but not in 2023?"):
        different = any(feature == "related:apart" for feature, _ in candidate.features)
        vacuous = any(feature == "lost:denial" for feature, _ in candidate.features)
        assert different or vacuous or candidate.unread or _waits(candidate), to_sql(candidate.form)


def test_ages_and_times_between_are_told_in_words() -> None:
    _, world = trade("hospital")
    told = [
        in_words(_candidates("hospital", question)[0].form, world.metadata.catalog)
        for question in ("average age by sex", "average length of stay by ward")
    ]
    assert told == ["average age by birth date by sex", "average days from admitted at to discharged at by ward"]


def _waits(candidate: Candidate) -> bool:
    return any(feature.startswith(("waits:", "skip:")) for feature, _ in candidate.features)


def _candidates(name: str, question: str) -> list[Candidate]:
    found = forms_of(question, trade(name)[1].metadata, NOW, None, 1, Budget())
    return [c for c in found if not any(feature.startswith("lost:") for feature, _ in c.features)][:_FIRST]


def _result(name: str, candidate: Candidate) -> list[str]:
    try:
        table = trade(name)[1].layer.query(SecurityContext.operator(), to_sql(candidate.form)).table
    except (CannotWrite, SemanticError):
        return []
    return _comparable(list(zip(*(c.to_pylist() for c in table.columns), strict=True)))


def _comparable(rows: list[tuple[Any, ...]]) -> list[str]:
    return sorted(
        repr(tuple(round(float(v), 4) if isinstance(v, (int, float)) else str(v) for v in row)) for row in rows
    )
