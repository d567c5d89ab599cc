"""Tutors, their pupils and lessons: three tables without a model, and what people ask of them one turn after the other."""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import cache
from typing import Any

import pandas as pd
from asking import Asked, ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["lessons", "rows", "talk"]


@cache
def tables() -> dict[str, pd.DataFrame]:
    chance = random.Random("tuition")
    tutors = pd.DataFrame({
        "tutor_id": range(1, 7), "tutor_name": ["Ola Rau", "Pete Lind", "Quinn Marsh", "Rosa Behn", "Sven Oke", "Tara Fink"],
        "subject": ["maths", "french", "physics", "chess", "maths", "french"],
        "city": ["Delft", "Breda", "Gouda", "Delft", "Breda", "Gouda"],
    })  # fmt: skip
    pupils = pd.DataFrame([
        {"pupil_id": n, "pupil_name": f"{['Ann', 'Bob', 'Cleo', 'Dan', 'Edith'][n % 5]} {['Moor', 'Tarn', 'Beck', 'Dale'][n // 5 % 4]}",
         "school": chance.choice(["Lyceum", "Park School", "Abbey School"]), "grade": chance.randint(5, 12),
         "email": f"p{n}@mail.test"}
        for n in range(1, 21)
    ])  # fmt: skip
    held = pd.DataFrame([
        {"lesson_id": n, "tutor_id": chance.choices(range(1, 7), [7, 5, 3, 4, 6, 2])[0], "pupil_id": chance.randint(1, 20),
         "held_on": date(2023, 1, 1) + timedelta(days=chance.randint(0, 680)), "minutes": chance.choice([45, 60, 90]),
         "fee": float(chance.randint(18, 60)), "online": chance.random() < 0.4,
         "outcome": chance.choices(["held", "cancelled", "missed"], [8, 2, 1])[0]}
        for n in range(1, 601)
    ])  # fmt: skip
    return {"tutors": tutors, "pupils": pupils, "lessons": held}


@cache
def lessons() -> pd.DataFrame:
    """The lessons, each with who gave it to whom."""
    known = tables()
    whole = known["lessons"].merge(known["tutors"], on="tutor_id").merge(known["pupils"], on="pupil_id")
    return whole.assign(year=pd.to_datetime(whole.held_on).dt.year)


@cache
def world() -> World:
    engine = DuckDBEngine.open(None, data=tables())
    return World(SemanticLayer(load_model(scaffold_model(tables(), engine=engine)), engine))


def talk(*turns: str) -> Asked:
    return ask(world(), *turns)


def rows(*turns: str) -> list[tuple[Any, ...]] | None:
    """What the last turn gives, in no order; None where it is not answered."""
    asked = talk(*turns)
    return sorted(asked.rows(), key=repr) if asked.table is not None else None
