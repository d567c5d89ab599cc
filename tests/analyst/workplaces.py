"""Four more keepers' tables that nobody described: wind farms, a film festival, a bakery and an orchestra."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from small_trades import Tables
from strangers import _days as days_of
from strangers import _moments as moments
from strangers import _names as names
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["workplace"]


def pick(dice: np.random.Generator, values: Sequence[Any], count: int, shares: Sequence[float] | None = None) -> Any:
    return dice.choice(np.array(values, dtype=object), count, p=shares)


def wind_farms() -> Tables:
    d = np.random.default_rng(101)
    farms = pd.DataFrame(
        {
            "farm_id": range(1, 7),
            "farm_name": ["Nordkamm", "Stony Ridge", "Alta Vista", "Windhoek", "Brae Moor", "Salt Flats"],
            "country": ["Norway", "Scotland", "Spain", "Spain", "Scotland", "Norway"],
            "grid_operator": ["Statnett", "SSEN", "REE", "REE", "SSEN", "Statnett"],
        }
    )
    tur = pd.DataFrame(
        {
            "turbine_id": [f"T{n:03d}" for n in range(1, 61)],
            "farm_id": d.integers(1, 7, 60),
            "manufacturer": pick(d, ["Vestas", "Siemens Gamesa", "Enercon", "Nordex"], 60, [0.4, 0.3, 0.2, 0.1]),
            "rated_power_kw": pick(d, [2000, 3000, 3450, 4200], 60).astype(int),
            "hub_height_m": pick(d, [80, 94, 120, 140], 60).astype(int),
            "commissioned_on": days_of(d, "2008-03-01", 5000, 60),
            "decommissioned_on": pd.NaT,
        }
    )
    g = d.choice(60, 7, False)
    tur.loc[g, "decommissioned_on"] = pd.Timestamp("2023-01-10") + pd.to_timedelta(d.integers(0, 600, 7), unit="D")
    tech = pd.DataFrame(
        {
            "technician_id": range(1, 16),
            "technician_name": names(15),
            "level": pick(d, ["junior", "senior", "lead"], 15, [0.5, 0.3, 0.2]),
            "employed_since": days_of(d, "2012-01-01", 4000, 15),
        }
    )
    n = 700
    wo = pd.DataFrame(
        {
            "work_order_id": range(5001, 5001 + n),
            "turbine_id": pick(d, tur.turbine_id[:55], n),
            "technician_id": d.integers(1, 15, n),
            "fault_type": pick(
                d, ["gearbox", "blade", "pitch system", "generator", "sensor"], n, [0.1, 0.15, 0.25, 0.1, 0.4]
            ),
            "reported_at": moments(d, "2023-01-02", 680, n),
            "priority": pick(d, ["low", "medium", "high", "critical"], n, [0.4, 0.35, 0.2, 0.05]),
            "parts_cost_eur": np.where(d.random(n) < 0.12, np.nan, d.gamma(1.5, 900, n).round(2)),
            "labour_hours": (d.gamma(2, 3, n) + 0.5).round(1),
            "remotely_solved": d.random(n) < 0.22,
        }
    )
    wo["repaired_at"] = wo.reported_at + pd.to_timedelta(d.integers(40, 20000, n), unit="m")
    wo.loc[d.random(n) < 0.07, "repaired_at"] = pd.NaT
    rows = []
    for t in tur.turbine_id[:58]:
        for m in range(18):
            rows.append(
                (
                    t,
                    pd.Timestamp("2023-01-01") + pd.DateOffset(months=m),
                    round(float(d.gamma(8, 90)), 1),
                    round(float(d.random() * 60), 1),
                    round(float(90 + d.random() * 10), 2),
                )
            )
    prod = pd.DataFrame(rows, columns=["turbine_id", "month", "energy_mwh", "downtime_hours", "availability_pct"])
    return {"farms": farms, "turbines": tur, "technicians": tech, "work_orders": wo, "monthly_production": prod}


def festival() -> Tables:
    d = np.random.default_rng(202)
    n = 320
    dirs = pd.DataFrame(
        {
            "director_id": range(1, 121),
            "name": names(120),
            "nationality": pick(d, ["French", "Italian", "Polish", "Korean", "Chilean"], 120),
            "born": d.integers(1945, 2001, 120),
        }
    )
    sub = pd.DataFrame(
        {
            "submission_no": [f"S-{1000 + n}" for n in range(n)],
            "title": [
                f"{a} {b}"
                for a in [
                    "The Silent",
                    "A Distant",
                    "Paper",
                    "Blue",
                    "Last",
                    "Northern",
                    "My",
                    "Two",
                    "Burning",
                    "Hollow",
                    "Green",
                    "Little",
                    "Second",
                    "Glass",
                    "Iron",
                    "Winter",
                ]
                for b in [
                    "River",
                    "Mother",
                    "Train",
                    "Garden",
                    "Letters",
                    "Island",
                    "Summer",
                    "Houses",
                    "Voices",
                    "Bridge",
                    "Moon",
                    "Market",
                    "Sister",
                    "Road",
                    "Harvest",
                    "Storm",
                    "Dance",
                    "Key",
                    "Dogs",
                    "Shore",
                ]
            ],
            "director_id": d.integers(1, 112, n),
            "category": pick(d, ["feature", "short", "documentary", "animation"], n, [0.4, 0.35, 0.18, 0.07]),
            "runtime_min": d.integers(5, 190, n),
            "submitted_on": days_of(d, "2023-09-01", 150, n),
            "entry_fee": pick(d, [0, 25, 40, 60], n, [0.1, 0.4, 0.3, 0.2]).astype(float),
            "premiere": pick(d, ["world", "european", "none"], n, [0.3, 0.3, 0.4]),
            "decision": pick(d, ["accepted", "rejected", "waitlisted"], n, [0.25, 0.65, 0.1]),
            "country_of_production": pick(d, ["France", "Italy", "Poland", "South Korea", "Chile", "Germany"], n),
        }
    )
    ven = pd.DataFrame(
        {
            "venue_id": range(1, 6),
            "venue": ["Grand Rex", "Lumiere", "Odeon", "Town Hall", "Open Air"],
            "capacity": [650, 240, 180, 90, 1200],
            "district": ["Centre", "Centre", "Old Port", "Old Port", "Hill"],
        }
    )
    acc = sub[sub.decision == "accepted"].submission_no.values
    m = 210
    scr = pd.DataFrame(
        {
            "screening_id": range(1, m + 1),
            "submission_no": pick(d, acc[:-4], m),
            "venue_id": d.integers(1, 6, m),
            "starts_at": pd.Series(
                pd.Timestamp("2024-05-10")
                + pd.to_timedelta(d.integers(0, 12, m), unit="D")
                + pd.to_timedelta(d.integers(10, 23, m), unit="h")
            ),
            "tickets_sold": d.integers(5, 400, m),
            "ticket_price": pick(d, [8.0, 10.0, 12.5], m).astype(float),
            "sold_out": d.random(m) < 0.15,
            "q_and_a": d.random(m) < 0.3,
        }
    )
    jur = pd.DataFrame(
        {"juror": names(12)[:12], "juror_id": range(1, 13), "profession": pick(d, ["critic", "actor", "producer"], 12)}
    )
    r = 900
    rat = pd.DataFrame(
        {
            "submission_no": pick(d, sub.submission_no.values, r),
            "juror_id": d.integers(1, 13, r),
            "score": d.integers(1, 11, r),
            "rated_on": days_of(d, "2024-02-01", 60, r),
        }
    )
    return {"directors": dirs, "submissions": sub, "venues": ven, "screenings": scr, "jurors": jur, "ratings": rat}


def bakery() -> Tables:
    d = np.random.default_rng(303)
    prod = pd.DataFrame(
        {
            "sku": [f"B{n:02d}" for n in range(1, 25)],
            "product": [
                "Rye loaf",
                "Sourdough",
                "Baguette",
                "Ciabatta",
                "Pretzel",
                "Croissant",
                "Pain au chocolat",
                "Brioche",
                "Focaccia",
                "Spelt roll",
                "Poppy roll",
                "Sesame roll",
                "Cheesecake",
                "Carrot cake",
                "Apple tart",
                "Lemon tart",
                "Plum cake",
                "Muffin",
                "Scone",
                "Cookie",
                "Brownie",
                "Donut",
                "Cinnamon bun",
                "Stollen",
            ],
            "range": ["bread"] * 4 + ["pastry"] * 4 + ["bread"] * 4 + ["cake"] * 6 + ["pastry"] * 6,
            "weight_g": d.integers(40, 1200, 24),
            "list_price": (d.gamma(3, 1.1, 24) + 0.6).round(2),
            "vegan": d.random(24) < 0.4,
            "shelf_life_days": d.integers(1, 12, 24),
        }
    )
    cust = pd.DataFrame(
        {
            "customer_no": range(201, 251),
            "company": [
                f"{a} {b}"
                for a in ["Hotel", "Cafe", "Bistro", "School", "Deli"]
                for b in [
                    "Adler",
                    "Bellevue",
                    "Corona",
                    "Dorint",
                    "Eden",
                    "Flora",
                    "Gloria",
                    "Helios",
                    "Iris",
                    "Jupiter",
                ]
            ],
            "segment": ["hotel"] * 10 + ["cafe"] * 10 + ["restaurant"] * 10 + ["canteen"] * 10 + ["shop"] * 10,
            "town": pick(d, ["Basel", "Bern", "Zurich", "Lucerne"], 50),
            "sales_rep": pick(d, ["Meier", "Keller", "Schmid"], 50),
            "customer_since": days_of(d, "2015-01-01", 3000, 50),
        }
    )
    n = 1400
    o = pd.DataFrame(
        {
            "order_no": range(90001, 90001 + n),
            "customer_no": d.integers(201, 247, n),
            "ordered_on": days_of(d, "2023-06-01", 530, n),
            "paid": d.random(n) < 0.86,
            "van": pick(d, ["van 1", "van 2", "van 3"], n),
            "delivery_fee": pick(d, [0, 5, 9.5], n).astype(float),
        }
    )
    o["delivered_on"] = o.ordered_on + pd.to_timedelta(d.integers(0, 5, n), unit="D")
    o.loc[d.random(n) < 0.04, "delivered_on"] = pd.NaT
    m = 4200
    lines = pd.DataFrame(
        {
            "order_no": pick(d, o.order_no.values, m),
            "sku": pick(d, prod.sku.values[:-2], m),
            "qty": d.integers(5, 120, m),
            "unit_price": 0.0,
            "returned_qty": np.where(d.random(m) < 0.1, d.integers(1, 5, m), 0),
        }
    )
    lines["unit_price"] = (
        prod.set_index("sku").list_price.loc[lines.sku].values * (1 - d.choice([0, 0.05, 0.1], m))
    ).round(2)
    return {"products": prod, "customers": cust, "orders": o, "order_lines": lines}


def orchestra() -> Tables:
    d = np.random.default_rng(404)
    mus = pd.DataFrame(
        {
            "musician_id": range(1, 91),
            "musician": names(90),
            "instrument": pick(
                d,
                ["violin", "viola", "cello", "double bass", "flute", "oboe", "clarinet", "horn", "trumpet", "timpani"],
                90,
                [0.3, 0.12, 0.12, 0.08, 0.08, 0.06, 0.06, 0.08, 0.06, 0.04],
            ),
            "section": "",
            "hired_on": days_of(d, "1990-01-01", 12000, 90),
            "retired_on": pd.NaT,
            "annual_salary_chf": (d.gamma(40, 2200, 90)).round(-2),
        }
    )
    mus["section"] = mus.instrument.map(
        {
            "violin": "strings",
            "viola": "strings",
            "cello": "strings",
            "double bass": "strings",
            "flute": "woodwind",
            "oboe": "woodwind",
            "clarinet": "woodwind",
            "horn": "brass",
            "trumpet": "brass",
            "timpani": "percussion",
        }
    )
    g = d.choice(90, 12, False)
    mus.loc[g, "retired_on"] = pd.Timestamp("2023-02-01") + pd.to_timedelta(d.integers(0, 600, 12), unit="D")
    comp = pd.DataFrame(
        {
            "composer_id": range(1, 13),
            "composer": [
                "Bach",
                "Haydn",
                "Mozart",
                "Beethoven",
                "Schubert",
                "Brahms",
                "Dvorak",
                "Mahler",
                "Sibelius",
                "Ravel",
                "Bartok",
                "Saariaho",
            ],
            "birth_year": [1685, 1732, 1756, 1770, 1797, 1833, 1841, 1860, 1865, 1875, 1881, 1952],
            "era": [
                "baroque",
                "classical",
                "classical",
                "classical",
                "romantic",
                "romantic",
                "romantic",
                "late romantic",
                "late romantic",
                "modern",
                "modern",
                "contemporary",
            ],
        }
    )
    wk = pd.DataFrame(
        {
            "work_id": range(1, 61),
            "composer_id": d.integers(1, 12, 60),
            "work_title": [
                f"{k} No. {n}" for n in range(1, 13) for k in ["Symphony", "Concerto", "Overture", "Suite", "Serenade"]
            ],
            "genre": ["symphony", "concerto", "overture", "suite", "serenade"] * 12,
            "duration_min": d.integers(8, 85, 60),
        }
    )
    n = 160
    con = pd.DataFrame(
        {
            "concert_id": range(1, n + 1),
            "played_at": pd.Series(
                pd.Timestamp("2022-09-10")
                + pd.to_timedelta(d.choice(780, n, False), unit="D")
                + pd.to_timedelta(pick(d, [11, 17, 19.5, 20], n).astype(float), unit="h")
            ),
            "hall": pick(d, ["Tonhalle", "KKL", "Stadtcasino"], n),
            "conductor": pick(d, ["Elim Bruck", "Paavo Salo", "Nadia Petri", "Marin Koch"], n, [0.4, 0.3, 0.2, 0.1]),
            "soloist": pick(d, ["Lia Moretti", "Jan Kubik", "Sol Reyes", None], n, [0.3, 0.2, 0.2, 0.3]),
            "subscription_series": pick(d, ["A", "B", "family", "none"], n),
        }
    )
    m = 420
    pgm = (
        pd.DataFrame(
            {"concert_id": d.integers(1, n + 1, m), "work_id": d.integers(1, 57, m), "as_encore": d.random(m) < 0.12}
        )
        .drop_duplicates(["concert_id", "work_id"])
        .reset_index(drop=True)
    )
    b = 3000
    tick = pd.DataFrame(
        {
            "booking_id": range(1, b + 1),
            "concert_id": d.integers(1, n + 1, b),
            "seats": d.integers(1, 6, b),
            "amount_chf": 0.0,
            "channel": pick(d, ["web", "box office", "phone"], b, [0.6, 0.3, 0.1]),
            "booked_on": pd.NaT,
            "cancelled": d.random(b) < 0.06,
        }
    )
    tick["amount_chf"] = (tick.seats * d.choice([35, 60, 95, 120], b)).astype(float)
    tick["booked_on"] = con.set_index("concert_id").played_at.loc[
        tick.concert_id
    ].dt.normalize().values - pd.to_timedelta(d.integers(0, 90, b), unit="D")
    return {"musicians": mus, "composers": comp, "works": wk, "concerts": con, "programme": pgm, "bookings": tick}


_WORKPLACES = {"wind farms": wind_farms, "festival": festival, "bakery": bakery, "orchestra": orchestra}


@cache
def workplace(name: str) -> tuple[Tables, World]:
    """The tables of a place of work, and the world that asks over the model written for them."""
    tables = _WORKPLACES[name]()
    layer = SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=tables))
    return tables, World(layer)
