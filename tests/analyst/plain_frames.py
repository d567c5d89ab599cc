"""Small worlds as people keep them: a hospital, energy meters, a library, each of a few tables; departures in one."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["departures", "energy", "hospital", "library"]

Tables = dict[str, pd.DataFrame]


def hospital() -> Tables:
    """Visits with a doctor and a ward; one doctor has none."""
    dice, count = np.random.default_rng(21), 1200
    doctors = pd.DataFrame({
        "doctor_id": range(1, 9),
        "name": ["Weber", "Okafor", "Silva", "Novak", "Tanaka", "Rossi", "Dubois", "Haddad"],
        "specialty": np.repeat(["Surgery", "Oncology", "Cardiology", "Neurology"], 2),
        "joined_on": pd.to_datetime(["2009-03-01", "2012-05-14", "2015-08-01", "2018-01-15", "2005-10-01",
                                     "2020-02-01", "2011-06-20", "2016-09-12"]),
    })  # fmt: skip
    wards = pd.DataFrame(
        {"ward_id": [1, 2, 3, 4], "ward": ["North", "South", "East", "West"], "beds": [24, 30, 18, 12]}
    )
    visits = pd.DataFrame({
        "visit_id": range(1, count + 1), "doctor_id": dice.choice(range(1, 8), count),
        "ward_id": dice.integers(1, 5, count),
        "admitted": pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 700, count), unit="D"),
        "patient_age": dice.integers(1, 95, count), "gender": dice.choice(["female", "male"], count, p=[0.55, 0.45]),
        "diagnosis": dice.choice(["fracture", "infection", "tumour", "stroke"], count, p=[0.3, 0.4, 0.1, 0.2]),
        "cost": np.round(dice.gamma(2, 900, count), 2), "emergency": dice.random(count) < 0.35,
    })  # fmt: skip
    visits["discharged"] = visits.admitted + pd.to_timedelta(dice.integers(1, 20, count), unit="D")
    return {"visits": visits, "doctors": doctors, "wards": wards}


def energy() -> Tables:
    """A reading a day, meter and site; one site has none."""
    dice, days = np.random.default_rng(22), pd.date_range("2023-01-01", "2024-03-31")
    sites = pd.DataFrame({
        "site_id": [1, 2, 3, 4, 5], "site": ["Mill Lane", "Dock Road", "Park View", "High Street", "Old Farm"],
        "city": ["Leeds", "Hull", "Leeds", "York", "York"], "area_m2": [1200, 800, 450, 2000, 300],
        "opened": pd.to_datetime(["2001-01-01", "2010-06-01", "1995-03-01", "2018-09-01", "2020-02-01"]),
    })  # fmt: skip
    parts = [
        pd.DataFrame({
            "site_id": site, "meter": meter, "reading_date": days,
            "kwh": np.round(base * part * dice.normal(1, 0.12, len(days)), 1), "price_per_kwh": price,
        })
        for site, base in ((1, 90), (2, 60), (3, 35), (4, 140))
        for meter, part, price in (("electricity", 1.0, 0.31), ("gas", 0.6, 0.12))
    ]  # fmt: skip
    readings = pd.concat(parts, ignore_index=True)
    readings.insert(0, "reading_id", range(1, len(readings) + 1))
    return {"readings": readings, "sites": sites}


def library() -> Tables:
    """Loans of books to members; some are still out, some members and books have none."""
    dice, count = np.random.default_rng(23), 1500
    names = [f"{a} {b}" for a in ("Amy", "Ben", "Cara", "Dan", "Eve", "Finn") for b in ("Ash", "Cole", "Elm", "Gray")]
    members = pd.DataFrame({
        "member_id": range(1, 25), "full_name": names, "city": dice.choice(["Bath", "Bristol", "Wells"], 24),
        "birth_year": dice.permutation(np.arange(1950, 1974)),
        "joined": pd.Timestamp("2015-01-01") + pd.to_timedelta(dice.permutation(24) * 90, unit="D"),
    })  # fmt: skip
    titles = [f"{a} {b}" for a in ("The Quiet", "A Distant", "Broken", "Golden") for b in ("River", "Garden", "Mirror")]
    books = pd.DataFrame({
        "book_id": range(1, 13), "title": titles, "author": dice.choice(["Jane Moor", "Karl Lind", "Ada Voss"], 12),
        "genre": np.repeat(["Novel", "Crime", "Poetry"], 4), "pages": dice.permutation(np.arange(90, 810, 60)),
        "published": dice.permutation(np.arange(1960, 2020, 5)),
    })  # fmt: skip
    loans = pd.DataFrame({
        "loan_id": range(1, count + 1), "member_id": dice.integers(1, 23, count),
        "book_id": dice.choice([1, *range(3, 12)], count),
        "borrowed_on": pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 730, count), unit="D"),
        "fine": np.where(dice.random(count) < 0.2, np.round(dice.gamma(2, 1.5, count), 2), 0.0),
    })  # fmt: skip
    loans["returned_on"] = loans.borrowed_on + pd.to_timedelta(dice.integers(1, 45, count), unit="D")
    loans.loc[dice.random(count) < 0.08, "returned_on"] = pd.NaT
    return {"loans": loans, "members": members, "books": books}


def departures() -> Tables:
    """Flights in one table, with the codes and the names of airports."""
    dice, count = np.random.default_rng(24), 900
    names = {"JFK": "John F Kennedy Intl", "LGA": "La Guardia", "EWR": "Newark Liberty Intl"}
    goals = {"LAX": "Los Angeles Intl", "ORD": "Chicago Ohare Intl", "SFO": "San Francisco Intl"}
    flights = pd.DataFrame({"origin": dice.choice(list(names), count), "destination": dice.choice(list(goals), count)})
    flights["origin_airport"] = flights.origin.map(names)
    flights["destination_airport"] = flights.destination.map(goals)
    flights["departed"] = pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 8700, count), unit="h")
    flights["hour_of_day"] = flights.departed.dt.hour
    flights["air_time"] = dice.integers(60, 400, count)
    flights["delayed"] = dice.random(count) < 0.3
    return {"flights": flights}
