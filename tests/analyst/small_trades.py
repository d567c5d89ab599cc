"""Eight small trades as their keepers export them: tables without a model, and drawn the same every time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["TRADES", "Tables", "trade"]

Tables = dict[str, pd.DataFrame]
_FIRST = ["Ada", "Bruno", "Clara", "Dario", "Elsa", "Felix", "Greta", "Hugo", "Ivana", "Jonas"]
_LAST = ["Abel", "Bauer", "Conti", "Dumas", "Egger", "Faber", "Gallo", "Hofer"]


def _moments(dice: np.random.Generator, start: str, days: int, count: int) -> pd.Series:
    """Moments between six and twenty-two o'clock."""
    day = pd.to_timedelta(dice.integers(0, days, count), unit="D")
    return pd.Series(pd.Timestamp(start) + day + pd.to_timedelta(dice.integers(6 * 60, 22 * 60, count), unit="m"))


def _days(dice: np.random.Generator, start: str, days: int, count: int) -> pd.Series:
    return pd.Series(pd.Timestamp(start) + pd.to_timedelta(dice.integers(0, days, count), unit="D"))


def _names(count: int) -> list[str]:
    return [f"{_FIRST[n % 10]} {_LAST[(n // 10) % 8]}" for n in range(count)]


def _pick(dice: np.random.Generator, values: Sequence[Any], count: int, odds: Sequence[float] | None = None) -> Any:
    return dice.choice(np.array(values, dtype=object), count, p=odds)


def hospital() -> Tables:
    dice = np.random.default_rng(101)
    patients = pd.DataFrame({
        "patient_id": range(1, 81), "name": _names(80), "birth_date": _days(dice, "1935-01-01", 29000, 80),
        "sex": _pick(dice, ["female", "male"], 80), "insurance": _pick(dice, ["public", "private", None], 80, [0.6, 0.25, 0.15]),
    })  # fmt: skip
    count = 500
    came = _moments(dice, "2022-01-03", 1000, count)
    stays = pd.DataFrame({
        "stay_id": range(1, count + 1), "patient_id": dice.integers(1, 75, count),
        "ward": _pick(dice, ["Cardiology", "Surgery", "Maternity", "Intensive care", "Neurology"], count, [.3, .25, .2, .1, .15]),
        "diagnosis": _pick(dice, ["Heart failure", "Heart attack", "Hip fracture", "Wrist fracture", "Stroke", "Birth"], count),
        "admitted_at": came, "discharged_at": came + pd.to_timedelta(dice.integers(8, 400, count), unit="h"),
        "cost": dice.gamma(3, 900, count).round(2), "emergency": dice.random(count) < 0.35,
    })  # fmt: skip
    stays.loc[dice.random(count) < 0.06, "discharged_at"] = pd.NaT
    return {"patients": patients, "stays": stays}


def library() -> Tables:
    dice = np.random.default_rng(202)
    titles = ["The Salt Road", "Winter Bees", "A Map of Rain", "Night Ferry", "The Glass Orchard", "Seven Lanterns", "Paper Rivers",
              "The Quiet Engine", "Moth Season", "Low Tide", "Iron Garden", "The Last Almanac", "Blue Chapel", "Harvest of Stones",
              "The Tin Parade", "Open Water", "A Study in Moss", "Kites at Dusk", "The Long Ladder", "Amber Hours"]  # fmt: skip
    books = pd.DataFrame({
        "book_id": range(1, 21), "title": titles, "author": _pick(dice, ["Nora Vale", "Ivo Stern", "Mae Lindt", "Otto Reyes"], 20),
        "genre": _pick(dice, ["Historical novel", "Crime novel", "Poetry", "Travel writing"], 20), "published_year": dice.integers(1950, 2021, 20),
    })  # fmt: skip
    borrowers = pd.DataFrame({
        "borrower_id": range(1, 61), "name": _names(60), "town": _pick(dice, ["Elmswell", "Thurston", "Bury"], 60),
        "joined_on": _days(dice, "2019-01-01", 1200, 60),
    })  # fmt: skip
    count = 600
    lent = _days(dice, "2022-02-01", 800, count)
    loans = pd.DataFrame({
        "loan_id": range(1, count + 1), "book_id": dice.integers(1, 19, count), "borrower_id": dice.integers(1, 56, count),
        "loaned_on": lent, "returned_on": lent + pd.to_timedelta(dice.integers(1, 45, count), unit="D"),
        "fine": _pick(dice, [0.0, 0.0, 0.0, 1.5, 3.0], count).astype(float), "renewed": dice.random(count) < 0.2,
    })  # fmt: skip
    loans.loc[dice.random(count) < 0.1, "returned_on"] = pd.NaT
    return {"books": books, "borrowers": borrowers, "loans": loans}


def meters() -> Tables:
    dice = np.random.default_rng(303)
    count = 1500
    return {"readings": pd.DataFrame({
        "reading_id": range(1, count + 1), "meter": _pick(dice, ["M-01", "M-02", "M-03", "M-04", "M-05"], count),
        "building": _pick(dice, ["School", "Town hall", "Swimming pool", "Fire station"], count), "read_at": _moments(dice, "2023-01-01", 600, count),
        "kwh": dice.gamma(4, 12, count).round(2), "tariff": _pick(dice, ["day", "night"], count), "estimated": dice.random(count) < 0.12,
        "temperature": np.where(dice.random(count) < 0.15, np.nan, dice.normal(11, 7, count).round(1)),
    })}  # fmt: skip


def football() -> Tables:
    dice = np.random.default_rng(404)
    teams = ["Rovers", "United", "Athletic", "Wanderers", "Albion", "Harriers"]
    pairs = [(a, b) for a in teams for b in teams if a != b] * 4
    count = len(pairs)
    return {"matches": pd.DataFrame({
        "match_id": range(1, count + 1), "played_on": _days(dice, "2021-08-01", 1050, count), "home_team": [a for a, _ in pairs],
        "away_team": [b for _, b in pairs], "home_goals": dice.poisson(1.6, count), "away_goals": dice.poisson(1.1, count),
        "attendance": dice.integers(800, 42000, count), "stadium": [f"{a} Park" for a, _ in pairs],
        "referee": _pick(dice, ["P. Lowe", "S. Adeyemi", "J. Kerr", None], count, [.35, .3, .25, .1]), "extra_time": dice.random(count) < 0.1,
    })}  # fmt: skip


def bakery() -> Tables:
    dice = np.random.default_rng(505)
    count = 1600
    goods = {
        "Rye bread": 4.2,
        "White bread": 3.1,
        "Apple cake": 3.8,
        "Cheese cake": 4.5,
        "Butter croissant": 1.9,
        "Coffee": 2.6,
    }
    sold = _pick(dice, list(goods), count, [0.2, 0.25, 0.1, 0.1, 0.2, 0.15])
    many = dice.integers(1, 5, count)
    return {"till_sales": pd.DataFrame({
        "sale_id": range(1, count + 1), "sold_at": _moments(dice, "2023-03-01", 540, count), "shop": _pick(dice, ["Market", "Station", "Harbour"], count, [.5, .3, .2]),
        "product": sold, "quantity": many, "amount": (many * np.array([goods[p] for p in sold])).round(2),
        "payment": _pick(dice, ["card", "cash", "voucher"], count, [.55, .4, .05]), "customer_card": _pick(dice, [f"C{n:02d}" for n in range(1, 41)] + [None], count),
    })}  # fmt: skip


def homes() -> Tables:
    dice = np.random.default_rng(606)
    count = 300
    return {"listings": pd.DataFrame({
        "listing_id": range(1, count + 1), "district": _pick(dice, ["Old Town", "New Town", "Riverside", "Hill Park"], count),
        "rooms": dice.integers(1, 6, count), "area_sqm": dice.integers(22, 160, count), "monthly_rent": dice.integers(420, 3100, count),
        "heating": _pick(dice, ["gas boiler", "heat pump", "district heating", None], count, [.4, .25, .25, .1]),
        "balcony": dice.random(count) < 0.4, "furnished": dice.random(count) < 0.25, "listed_on": _days(dice, "2023-06-01", 420, count),
        "available_from": _days(dice, "2024-09-01", 200, count), "agent": _pick(dice, ["Ines Roth", "Paul Dorn", "Lea Kurz"], count),
    })}  # fmt: skip


def jobs() -> Tables:
    dice = np.random.default_rng(707)
    count = 400
    applied = _days(dice, "2023-01-02", 650, count)
    frame = pd.DataFrame({
        "application_id": range(1, count + 1), "candidate": [f"{a} {n:03d}" for n, a in enumerate(_pick(dice, _FIRST, count))],
        "date_of_birth": _days(dice, "1960-01-01", 16000, count), "position": _pick(dice, ["Data analyst", "Sales analyst", "Warehouse clerk", "Office manager"], count),
        "source": _pick(dice, ["referral", "job board", "website"], count, [.2, .5, .3]), "applied_on": applied,
        "decided_on": applied + pd.to_timedelta(dice.integers(2, 70, count), unit="D"), "status": _pick(dice, ["hired", "rejected", "withdrawn"], count, [.2, .65, .15]),
        "test_score": np.where(dice.random(count) < 0.1, np.nan, dice.integers(20, 100, count)), "experience_years": dice.integers(0, 25, count),
    })  # fmt: skip
    frame.loc[dice.random(count) < 0.15, "decided_on"] = pd.NaT
    return {"applications": frame}


def wildlife() -> Tables:
    dice = np.random.default_rng(808)
    parks = pd.DataFrame({"park_id": range(1, 7), "park_name": ["Birch Moor", "Cold Fell", "Deep Fen", "Eagle Tarn", "Fox Hollow", "Grey Sands"],
                          "region": ["North", "North", "South", "West", "South", "West"], "area_ha": [1200, 900, 2400, 3100, 400, 650]})  # fmt: skip
    count = 700
    sightings = pd.DataFrame({
        "sighting_id": range(1, count + 1), "park_id": dice.integers(1, 6, count), "species": _pick(dice, ["Red fox", "Arctic fox", "Grey seal", "Common seal", "Golden eagle", "Otter"], count),
        "seen_at": _moments(dice, "2022-05-01", 900, count), "animals": dice.integers(1, 12, count),
        "observer": _pick(dice, ["Kim Oakes", "Lou Petrov", "Mo Quist", None], count, [.4, .3, .2, .1]), "weather": _pick(dice, ["sunny", "cloudy", "rain", None], count, [.35, .3, .2, .15]),
        "confirmed": dice.random(count) < 0.7,
    })  # fmt: skip
    return {"parks": parks, "sightings": sightings}


TRADES = {f.__name__: f for f in (hospital, library, meters, football, bakery, homes, jobs, wildlife)}


@cache
def trade(name: str) -> tuple[Tables, World]:
    """A trade's tables, and the model that is made where nobody describes them."""
    tables = TRADES[name]()
    model = load_model(scaffold_model(tables))
    return tables, World(SemanticLayer(model, DuckDBEngine.open(None, data=tables)), f"trade_{name}")
