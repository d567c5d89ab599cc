"""Conversations of our own making (``*.yml``) over the demo and eleven small tables, and how each turn comes out.

A file holds dialogues; a turn is what is asked and the ``sql`` over the model that answers it. ``or`` lists other right
answers, ``refused``: asking back or refusing is right as well (alone, where there is no SQL), ``told``: something is
said without a query, ``ordered``: the order of rows counts.

::

    python -m benchmarks.conversations [NAME …] [--fails]
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from svc_notebook.analyst.base import AnswerDone, PastTurn, ToolFinished, Turn
from svc_notebook.analyst.evaluation import compare_rows
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["FILES", "NOW", "Outcome", "dialogues", "is_right", "layer_of", "outcomes", "rows_of_sql"]

NOW = datetime(2025, 1, 15, tzinfo=UTC)
FILES = (
    "animals", "charges", "flights", "lessons", "loans", "parcels", "podcasts", "readings", "stays", "tickets", "visits",
)  # fmt: skip
_OPERATOR = SecurityContext.operator()
_EXTRA = 2  # columns that an answer may have besides

Said = Mapping[str, Any]
Rows = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn came out: ``right``, ``refused`` (or asked back, where a query answers it) or ``wrong``."""

    name: str
    questions: tuple[str, ...]
    verdict: str
    sql: str
    text: str


def dialogues(name: str) -> list[list[Said]]:
    """The dialogues of one file."""
    found = yaml.safe_load((Path(__file__).parent / f"{name}.yml").read_text("utf8"))
    return list(found)


@cache
def layer_of(name: str) -> SemanticLayer:
    """The demo's model, or the one that is written for a small table."""
    if name == "flights":
        return SemanticLayer(load_model(model_folder()), DuckDBEngine.open(None, data=data_files()))
    made = _TABLES[name]()
    data = made if isinstance(made, dict) else {name: made}
    engine = DuckDBEngine.open(None, data=data)
    return SemanticLayer(load_model(scaffold_model(data, engine=engine)), engine)


def outcomes(name: str) -> Iterator[Outcome]:
    """Every turn of one file's dialogues, asked one after the other in their threads."""
    layer = layer_of(name)
    for dialogue in dialogues(name):
        history: tuple[PastTurn, ...] = ()
        for said in dialogue:
            past, sql, rows = asyncio.run(_asked(layer, str(said["ask"]), history))
            history = (*history, past)
            asked = tuple(turn.question for turn in history)
            yield Outcome(name, asked, _verdict(layer, said, past, rows), sql, past.answer)


async def _asked(
    layer: SemanticLayer, question: str, history: tuple[PastTurn, ...]
) -> tuple[PastTurn, str, Rows | None]:
    toolbox = Toolbox(layer, _OPERATOR)
    turn, past, sql, rows = Turn(question, history, now=NOW), PastTurn(question), "", None
    async for event in OfflineAnalyst().answer(turn, toolbox, toolbox.cancel):
        if isinstance(event, ToolFinished) and event.name == "svcSqlApi":
            sql, told = json.loads(event.input)["sqlQuery"], json.loads(event.result)
            rows = _plain_rows(toolbox.table(told["uuid"])) if "uuid" in told else None
        if isinstance(event, AnswerDone):
            past = PastTurn(question, event.text, memory=event.memory)
    return past, sql, rows


def _verdict(layer: SemanticLayer, said: Said, past: PastTurn, rows: Rows | None) -> str:
    if rows is None:
        silent = said.get("refused") or said.get("told") and bool(past.answer)
        return "right" if silent else "refused"
    return "right" if is_right(layer, said, rows) else "wrong"


def is_right(layer: SemanticLayer, said: Said, rows: Rows) -> bool:
    """Whether rows are those of an answer that is given, with two more columns at most."""
    for sql in [said["sql"], *said.get("or", ())] if "sql" in said else []:
        wanted = rows_of_sql(layer, sql)
        wide = bool(rows) and bool(wanted) and len(rows[0]) > len(wanted[0]) + _EXTRA and not said.get("any")
        if not wide and compare_rows(rows, wanted, ordered=bool(said.get("ordered"))):
            return True
    return False


def rows_of_sql(layer: SemanticLayer, sql: str) -> Rows:
    """What a query over the model gives."""
    return _plain_rows(layer.query(_OPERATOR, sql).table)


def _plain_rows(table: Any) -> Rows:
    columns = [column.to_pylist() for column in table.columns]
    return [[_plain(value) for value in row] for row in zip(*columns, strict=True)]


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _moment(year: int) -> datetime:
    return datetime.combine(date(year, 1, 1), datetime.min.time())


# ---- the tables: the same rows at each call ----


def _loans() -> pd.DataFrame:
    chance, rows = random.Random("loans"), []
    for number in range(1200):
        kept = chance.randint(1, 60)
        rows.append({
            "loan_id": 5000 + number, "branch": chance.choices(["Central", "Harbour", "Northgate", "Old Town"], [5, 3, 2, 1])[0],
            "genre": chance.choices(["Fiction", "History", "Science", "Children", "Travel"], [6, 2, 1, 5, 3])[0],
            "member_type": chance.choices(["adult", "student", "child"], [5, 3, 2])[0],
            "borrowed_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 730)), "days_kept": kept,
            "renewals": chance.randint(0, 3), "fine": round(max(0, kept - 28) * 0.17, 2), "overdue": kept > 28,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _tickets() -> pd.DataFrame:
    chance, rows = random.Random("tickets"), []
    slow = {"Billing": 9, "Hardware": 40, "Network": 25, "Accounts": 6}
    for number in range(500):
        team = chance.choices(list(slow), [4, 3, 2, 1])[0]
        rows.append({
            "ticket_id": 100 + number, "team": team, "priority": chance.choices(["low", "normal", "high", "urgent"], [3, 6, 3, 1])[0],
            "channel": chance.choices(["email", "phone", "chat", "portal"], [4, 3, 2, 2])[0],
            "opened_at": _moment(2023) + timedelta(minutes=chance.randint(0, 1_050_000)),
            "status": chance.choices(["closed", "open", "pending"], [7, 2, 1])[0],
            "hours_to_resolve": round(chance.random() * 2 * slow[team], 1), "satisfaction": chance.randint(1, 5),
        })  # fmt: skip
    return pd.DataFrame(rows)


def _readings() -> pd.DataFrame:
    chance, rows = random.Random("readings"), []
    size = {"Foundry": 900, "Depot": 200, "Head Office": 120, "Warehouse": 400}
    for number in range(1500):
        site, fuel = chance.choice(list(size)), chance.choices(["gas", "electricity", "district heat"], [3, 5, 1])[0]
        moment = _moment(2024) + timedelta(hours=chance.randint(0, 8783))
        used = round(size[site] * (0.4 + 0.8 * chance.random()), 1)
        rows.append({
            "reading_id": number + 1, "site": site, "fuel": fuel, "read_at": moment, "consumption_kwh": used,
            "cost": round(used * {"gas": 0.09, "electricity": 0.27, "district heat": 0.13}[fuel], 2),
            "peak": 8 <= moment.hour < 20,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _parcels() -> pd.DataFrame:
    chance, rows = random.Random("parcels"), []
    for number in range(1500):
        rows.append({
            "parcel_id": 7000 + number, "depot": chance.choices(["Leeds", "Cardiff", "Derby", "Exeter"], [5, 3, 2, 1])[0],
            "carrier": chance.choices(["Swift", "Redline", "Northway"], [4, 3, 2])[0],
            "service": chance.choices(["express", "standard", "economy"], [2, 5, 3])[0],
            "country": chance.choices(["France", "Germany", "Spain", "Italy"], [4, 5, 2, 3])[0],
            "sent_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 730)),
            "weight_kg": round(chance.random() ** 2 * 40 + 0.1, 2), "price": round(4 + chance.random() * 30, 2),
            "days_in_transit": chance.randint(1, 12), "returned": chance.random() < 0.07,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _visits() -> pd.DataFrame:
    chance, rows = random.Random("visits"), []
    slow = {"Orthopedics": 48, "Cardiology": 31, "Pediatrics": 22, "Dermatology": 27}
    for number in range(1400):
        department = chance.choices(list(slow), [4, 3, 3, 2])[0]
        rows.append({
            "visit_id": number + 1, "department": department,
            "doctor": chance.choices(["Adler", "Bose", "Costa", "Dunn", "Ekman", "Farr"], [6, 5, 4, 3, 2, 1])[0],
            "kind": chance.choices(["routine", "emergency", "follow up"], [5, 2, 3])[0],
            "arrived_at": _moment(2023) + timedelta(minutes=chance.randint(0, 1_050_000)),
            "wait_minutes": chance.randint(1, 2 * slow[department]), "fee": round(30 + chance.random() * 200, 2),
            "no_show": chance.random() < 0.11, "patient_age": chance.randint(0, 95),
        })  # fmt: skip
    return pd.DataFrame(rows)


def _lessons() -> pd.DataFrame:
    chance, rows = random.Random("lessons"), []
    good = {"yoga": 4.4, "pilates": 4.1, "spinning": 3.6, "boxing": 3.9}
    for number in range(1300):
        discipline = chance.choices(list(good), [4, 2, 3, 2])[0]
        rows.append({
            "lesson_id": 300 + number, "studio": chance.choices(["Riverside", "Uptown", "Station"], [4, 3, 2])[0],
            "trainer": chance.choices(["Amir", "Bea", "Chloe", "Dora", "Emil"], [5, 4, 3, 2, 1])[0],
            "discipline": discipline, "held_at": _moment(2023) + timedelta(hours=chance.randint(0, 17500)),
            "attendees": chance.randint(2, 24), "capacity": 24,
            "rating": round(min(5.0, good[discipline] + chance.uniform(-0.6, 0.6)), 1), "cancelled": chance.random() < 0.08,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _charges() -> pd.DataFrame:
    chance, rows = random.Random("charges"), []
    fast, longest = {"CCS": 0.9, "Type 2": 0.15, "CHAdeMO": 0.6}, {"CCS": 70, "Type 2": 300, "CHAdeMO": 60}
    for number in range(1600):
        connector = chance.choices(list(fast), [6, 4, 1])[0]
        minutes = chance.randint(8, longest[connector])
        energy = round(minutes * fast[connector] * (0.6 + 0.6 * chance.random()), 2)
        rows.append({
            "session_id": 40000 + number, "site": chance.choices(["Airport", "Mall", "Marina", "Depot"], [5, 4, 2, 3])[0],
            "connector": connector, "started_at": _moment(2023) + timedelta(minutes=chance.randint(0, 1_052_000)),
            "minutes_plugged": minutes, "energy_kwh": energy, "amount": round(energy * 0.49 + 1, 2),
            "failed": chance.random() < 0.09,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _stays() -> pd.DataFrame:
    chance, rows = random.Random("stays"), []
    price = {"tent": 22, "caravan": 34, "cabin": 81}
    for number in range(1400):
        nights, pitch = chance.randint(1, 14), chance.choices(list(price), [4, 3, 2])[0]
        rows.append({
            "booking_id": number + 1, "campground": chance.choices(["Lakeside", "Pine Hollow", "Dune Park", "Hilltop"], [5, 3, 4, 2])[0],
            "pitch": pitch, "guest_country": chance.choices(["Netherlands", "Belgium", "Germany", "Denmark"], [5, 3, 4, 1])[0],
            "channel": chance.choices(["website", "phone", "agency"], [6, 2, 2])[0],
            "arrived_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 730)), "nights": nights,
            "guests": chance.randint(1, 6), "price": round(nights * price[pitch] * (0.8 + 0.5 * chance.random()), 2),
            "with_pets": chance.random() < 0.2,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _animals() -> pd.DataFrame:
    chance, rows = random.Random("animals"), []
    days, wanted = {"dog": 90, "cat": 60, "rabbit": 40}, {"dog": 0.7, "cat": 0.6, "rabbit": 0.5}
    for number in range(1300):
        species = chance.choices(list(days), [5, 6, 2])[0]
        rows.append({
            "animal_id": 900 + number, "species": species, "branch": chance.choices(["North", "Riverside", "Airfield"], [4, 3, 2])[0],
            "sex": chance.choice(["male", "female"]), "size": chance.choices(["small", "medium", "large"], [3, 3, 2])[0],
            "age_months": chance.randint(1, 160), "intake_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 730)),
            "days_in_care": chance.randint(2, days[species]), "fee": float(chance.choice([20, 45, 60, 90, 120, 180])),
            "adopted": chance.random() < wanted[species],
        })  # fmt: skip
    return pd.DataFrame(rows)


def _podcasts() -> dict[str, pd.DataFrame]:
    chance, rows = random.Random("podcasts"), []
    named = [
        ("Night Trains", "Ida Berg", "travel"), ("Ledger Lines", "Tom Okafor", "business"), ("Half Past Funny", "Rosa Lind", "comedy"),
        ("Deep Field", "Mina Sato", "science"), ("Off Menu Town", "Ida Berg", "food"), ("Small Caps", "Jon Weir", "business"),
        ("Loud Laugh", "Tom Okafor", "comedy"), ("Tide Lab", "Vera Holt", "science"),
    ]  # fmt: skip
    shows = [
        {"show_id": place + 1, "title": title, "host": host, "topic": topic, "launched_on": date(2019 + place % 4, 1 + place, 3)}
        for place, (title, host, topic) in enumerate(named)
    ]  # fmt: skip
    for number in range(2000):
        rows.append({
            "play_id": number + 1, "show_id": chance.choices(range(1, 9), [5, 3, 6, 4, 2, 1, 3, 2])[0],
            "device": chance.choices(["phone", "desktop", "car", "speaker"], [6, 2, 3, 2])[0],
            "country": chance.choices(["Norway", "Sweden", "Finland"], [4, 5, 2])[0],
            "played_at": _moment(2023) + timedelta(minutes=chance.randint(0, 1_052_000)),
            "minutes_listened": round(chance.random() * 55 + 1, 1), "finished": chance.random() < 0.42,
        })  # fmt: skip
    return {"plays": pd.DataFrame(rows), "shows": pd.DataFrame(shows)}


_TABLES: dict[str, Callable[[], pd.DataFrame | dict[str, pd.DataFrame]]] = {
    "animals": _animals, "charges": _charges, "lessons": _lessons, "loans": _loans, "parcels": _parcels,
    "podcasts": _podcasts, "readings": _readings, "stays": _stays, "tickets": _tickets, "visits": _visits,
}  # fmt: skip
