"""Small tables of which conversations are held, and how their turns are asked one after the other."""

from __future__ import annotations

import asyncio
import json
import random
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

import pandas as pd

from svc_notebook.analyst.base import AnswerDone, PastTurn, ToolFinished, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

NOW = datetime(2025, 1, 15, tzinfo=UTC)


@cache
def rides() -> pd.DataFrame:
    """Rides of a ski lift."""
    chance = random.Random("rides")
    start = date(2023, 1, 1)
    return pd.DataFrame([
        {"ride_id": 10 + number, "lift": chance.choices(["Gondola", "Chair", "Tow"], [5, 3, 2])[0],
         "pass_kind": chance.choices(["day", "season", "evening"], [5, 3, 1])[0],
         "ridden_on": start + timedelta(days=chance.randint(0, 730)), "minutes_queued": chance.randint(0, 25),
         "price": round(4 + 9 * chance.random(), 2), "refused": chance.random() < 0.1}
        for number in range(600)
    ])  # fmt: skip


@cache
def bills() -> dict[str, pd.DataFrame]:
    """Bills with an amount of their own, and their lines with a price and how many."""
    chance, lines, whole = random.Random("bills"), [], []
    for number in range(1, 121):
        start = date(2023, 1, 1) + timedelta(days=chance.randint(0, 700))
        made = [(round(2 + 20 * chance.random(), 2), chance.randint(1, 5)) for _ in range(chance.randint(1, 4))]
        lines += [
            {"bill_line_id": 5 * number + place, "bill_id": number, "unit_price": price, "quantity": many}
            for place, (price, many) in enumerate(made)
        ]
        total = round(sum(price * many for price, many in made), 2)
        whole.append({"bill_id": number, "billed_on": start, "region": chance.choice(["East", "West"]), "total": total})
    return {"bill": pd.DataFrame(whole), "bill_line": pd.DataFrame(lines)}


@cache
def flights_of_balloons() -> dict[str, pd.DataFrame]:
    """Flights of balloons from one field to another: two roles of the same table."""
    chance = random.Random("balloons")
    fields = pd.DataFrame({"field_id": range(1, 6), "town": ["Asker", "Bodo", "Carlow", "Dax", "Ennis"],
                           "side": ["North", "North", "South", "South", "West"]})  # fmt: skip
    flown = pd.DataFrame([
        {"flight_id": number, "from_field_id": chance.choices(range(1, 6), [6, 3, 2, 2, 1])[0],
         "to_field_id": chance.randint(1, 5), "flown_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 700)),
         "pilot": chance.choice(["Ines", "Jarl", "Kaia"]), "fare": round(40 + 50 * chance.random(), 2)}
        for number in range(1, 301)
    ])  # fmt: skip
    return {"fields": fields, "flights": flown}


@cache
def falls() -> dict[str, pd.DataFrame]:
    """Accidents in a yard, one row each, without a key: a colour, and a time of day that is a word."""
    chance = random.Random("falls")
    return {"falls": pd.DataFrame([
        {"color": chance.choices(["red", "blue"], [4, 1])[0], "time_of_day": chance.choice(["Day", "Dusk", "Night"]),
         "payment": chance.choice(["card", "cash"]), "guests": chance.randint(1, 4), "fare": chance.randint(3, 40),
         "cause": chance.choices(["ice", "wind", "rope"], [5, 3, 2])[0], "damage": chance.choice(["none", "heavy"]),
         "fell_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 700))}
        for _ in range(400)
    ])}  # fmt: skip


@cache
def repairs() -> dict[str, pd.DataFrame]:
    """Repairs of clocks, some of which are not paid yet, and whose clocks they are."""
    chance = random.Random("repairs")
    owners = pd.DataFrame({"owner_id": range(1, 41), "owner_name": [f"{chance.choice('ABCDEF')}o {number}son" for number in range(40)],
                           "town": [chance.choice(["Arvik", "Borg", "Calden"]) for _ in range(40)]})  # fmt: skip
    made = [date(2023, 1, 1) + timedelta(days=chance.randint(0, 730)) for _ in range(500)]
    done = pd.DataFrame([
        {"repair_id": number, "owner_id": chance.randint(1, 40), "received_on": day, "kind": kind,
         "price": round(20 + 90 * chance.random(), 2), "repaired_by": chance.choice(["Ines", "Jarl", "Kaia"]),
         "paid_on": day + timedelta(days=chance.randint(3, 90)) if chance.random() < 0.8 else None}
        for number, day in enumerate(made, 1)
        for kind in [chance.choices(["cleaning", "spring", "glass"], [5, 3 if day.year == 2023 else 9, 2])[0]]
    ])  # fmt: skip
    return {"owners": owners, "repairs": done.astype({"received_on": "datetime64[us]", "paid_on": "datetime64[us]"})}


_TABLES = {"bills": bills, "balloons": flights_of_balloons, "falls": falls, "repairs": repairs}


@cache
def layer(name: str = "rides") -> SemanticLayer:
    data = {"rides": rides()} if name == "rides" else _TABLES[name]()
    engine = DuckDBEngine.open(None, data=data)
    return SemanticLayer(load_model(scaffold_model(data, engine=engine)), engine)


def answered(
    *questions: str, history: tuple[PastTurn, ...] = (), over: str = "rides"
) -> tuple[str, list[list[Any]] | None]:
    """What the last of the turns is told, and its rows; None where it is not answered by a query."""
    found: tuple[str, list[list[Any]] | None] = ("", None)
    for question in questions:
        found, past = asyncio.run(_asked(layer(over), question, history))
        history = (*history, past)
    return found


async def _asked(
    known: SemanticLayer, question: str, history: tuple[PastTurn, ...]
) -> tuple[tuple[str, list[list[Any]] | None], PastTurn]:
    toolbox = Toolbox(known, SecurityContext.operator())
    rows: list[list[Any]] | None = None
    past = PastTurn(question)
    async for event in OfflineAnalyst().answer(Turn(question, history, now=NOW), toolbox, toolbox.cancel):
        if isinstance(event, ToolFinished) and event.name == "svcSqlApi":
            told = json.loads(event.result)
            rows = _rows(toolbox.table(told["uuid"])) if "uuid" in told else None
        if isinstance(event, AnswerDone):
            past = PastTurn(question, event.text, memory=event.memory)
    return (past.answer, rows), past


def _rows(table: Any) -> list[list[Any]]:
    columns = [column.to_pylist() for column in table.columns]
    return sorted(([_plain(value) for value in row] for row in zip(*columns, strict=True)), key=repr)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, (str, date, bool)) or value is None else round(float(value), 4)


def rows_of(frame: pd.DataFrame) -> list[list[Any]]:
    """The rows of a frame as those of an answer are given."""
    return sorted(([_plain(value) for value in row] for row in frame.itertuples(index=False)), key=repr)
