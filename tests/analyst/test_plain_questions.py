"""Single questions as people write them over worlds that nobody described: the answers that pandas gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pandas as pd
import pytest
from plain_frames import departures, energy, hospital, library

import svc_notebook as svc

Want = float | str | list[str] | set[str] | Mapping[str, object]

CLIENTS: dict[str, svc.Client] = {}
WORLDS = {"hospital": hospital, "energy": energy, "library": library, "departures": departures}


@pytest.fixture(scope="module", autouse=True)
def _services() -> Iterator[None]:
    yield
    while CLIENTS:
        CLIENTS.popitem()[1].close()


def joined(world: str) -> pd.DataFrame:
    """The rows of events with all that is known of them."""
    tables = WORLDS[world]()
    rows = next(iter(tables.values()))
    for other in list(tables.values())[1:]:
        rows = rows.merge(other, on=other.columns[0])
    if world == "hospital":
        rows["days"] = (rows.discharged - rows.admitted).dt.days
    return rows


def is_like(cell: object, wanted: object) -> bool:
    """A number about as large (or the share as a per cent), a text that is or begins so."""
    if isinstance(wanted, str):
        return str(cell) == wanted or str(cell).startswith(wanted)
    try:
        number = float(str(cell))
    except ValueError:
        return False
    return any(abs(each - wanted) <= 0.01 + 1e-3 * abs(wanted) for each in (number, 100 * number))  # type: ignore[operator]  # a number here


def says(answer: svc.Answer, wanted: Want) -> bool:
    """Whether the rows of an answer are what is wanted, and no more."""
    rows = [list(row) for row in answer.df.itertuples(index=False)]
    if isinstance(wanted, Mapping):
        pairs = [(key, value) for key, value in wanted.items()]
        found = [
            any(any(is_like(c, k) for c in row) and any(is_like(c, v) for c in row) for row in rows) for k, v in pairs
        ]
        return len(rows) == len(pairs) and all(found)
    if isinstance(wanted, list):
        return len(rows) == len(wanted) and all(
            any(is_like(c, w) for c in r) for w, r in zip(wanted, rows, strict=True)
        )
    if isinstance(wanted, set):
        return len(rows) == len(wanted) and all(any(str(c) in wanted for c in row) for row in rows)
    return len(rows) == 1 and any(is_like(cell, wanted) for cell in rows[0])


def between(rows: pd.DataFrame, time: str, low: str, high: str) -> pd.DataFrame:
    return rows[(rows[time] >= low) & (rows[time] < high)]


QUESTIONS: dict[str, dict[str, Callable[[pd.DataFrame], Want]]] = {
    "hospital": {
        "visits between march and june 2022": lambda v: len(between(v, "admitted", "2022-03-01", "2022-07-01")),
        "visits from november 2022 to february": lambda v: len(between(v, "admitted", "2022-11-01", "2023-03-01")),
        "average length of stay": lambda v: v.days.mean(),
        "avg stay by ward": lambda v: v.groupby("ward").days.mean().to_dict(),
        "longest stay": lambda v: v.days.max(),
        "most common diagnosis in each ward": lambda v: {
            ward: rows.diagnosis.value_counts().idxmax() for ward, rows in v.groupby("ward")
        },
        "percentage of emergency visits by ward": lambda v: (100 * v.groupby("ward").emergency.mean()).to_dict(),
        "doctors without any visits": lambda v: {"Haddad"},
        "how many patients are at least 65 years old": lambda v: int((v.patient_age >= 65).sum()),
        "who treated the most strokes in 2023": lambda v: [
            v[(v.diagnosis == "stroke") & (v.admitted.dt.year == 2023)].groupby("name").size().idxmax()
        ],
        "cost in North and cost in South": lambda v: (
            v[v.ward.isin(["North", "South"])].groupby("ward").cost.sum().to_dict()
        ),
        "share of fractures among women": lambda v: 100 * (v[v.gender == "female"].diagnosis == "fracture").mean(),
    },
    "energy": {
        "kwh per month": lambda r: r.groupby(r.reading_date.dt.strftime("%Y-%m")).kwh.sum().to_dict(),
        "highest consumption at mill lane": lambda r: r[r.site == "Mill Lane"].kwh.max(),
        "which month had the highest consumption": lambda r: [
            r.groupby(r.reading_date.dt.strftime("%Y-%m")).kwh.sum().idxmax()
        ],
        "which site uses the most electricity": lambda r: [
            r[r.meter == "electricity"].groupby("site").kwh.sum().idxmax()
        ],
        "top 2 sites by gas use": lambda r: list(r[r.meter == "gas"].groupby("site").kwh.sum().nlargest(2).index),
        "how much gas did dock road use in january 2024": lambda r: between(
            r[(r.site == "Dock Road") & (r.meter == "gas")], "reading_date", "2024-01-01", "2024-02-01"
        ).kwh.sum(),
        "site with the lowest gas consumption in 2023": lambda r: [
            r[(r.meter == "gas") & (r.reading_date.dt.year == 2023)].groupby("site").kwh.sum().idxmin()
        ],
        "oldest site": lambda r: ["Park View"],
        "sites without readings": lambda r: {"Old Farm"},
    },
    "library": {
        "oldest member": lambda b: [b.loc[b.birth_year.idxmin()].full_name],
        "newest book": lambda b: [library()["books"].set_index("title").published.idxmax()],
        "longest book": lambda b: [library()["books"].set_index("title").pages.idxmax()],
        "how many loans have not been returned": lambda b: int(b.returned_on.isna().sum()),
        "average loan duration by genre": lambda b: (
            (b.returned_on - b.borrowed_on).dt.days.groupby(b.genre).mean().to_dict()
        ),
        "genre with the most fines in 2023": lambda b: [
            b[b.borrowed_on.dt.year == 2023].groupby("genre").fine.sum().idxmax()
        ],
        "how many members never borrowed a book": lambda b: 2,
        "headcount": lambda b: 24,
    },
    "departures": {
        "JFK vs LaGuardia": lambda f: f[f.origin.isin(["JFK", "LGA"])].groupby("origin_airport").size().to_dict(),
        "delayed flights JFK vs LaGuardia": lambda f: (
            f[f.origin.isin(["JFK", "LGA"]) & f.delayed].groupby("origin_airport").size().to_dict()
        ),
        "average air time to Los Angeles": lambda f: f[f.destination == "LAX"].air_time.mean(),
        "average air time to san francisco": lambda f: f[f.destination == "SFO"].air_time.mean(),
        "which hours of the day have the most delays": lambda f: [
            str(f[f.delayed].groupby("hour_of_day").size().idxmax())
        ],
    },
}
CASES = [(world, question) for world, questions in QUESTIONS.items() for question in questions]


@pytest.mark.parametrize(("world", "question"), CASES, ids=[question for _, question in CASES])
def test_a_question_is_answered_as_pandas_does(world: str, question: str) -> None:
    if world not in CLIENTS:
        CLIENTS[world] = svc.embedded(data=WORLDS[world]())
    answer = CLIENTS[world].chat().ask(question)
    assert answer.outcome == "complete", answer.text
    assert says(answer, QUESTIONS[world][question](joined(world))), answer.text
