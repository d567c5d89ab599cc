"""Three models of different fields to ask questions of: the demo flights, a furniture shop, a hospital."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import pandas as pd

from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

NOW = datetime.fromisoformat("2024-11-20")


@dataclass(frozen=True)
class World:
    layer: SemanticLayer
    name: str | None = ""  # where its answers are stored: none are, or by the file that asks

    def toolbox(self, ctx: SecurityContext | None = None) -> Toolbox:
        return Toolbox(self.layer, ctx or SecurityContext.operator())

    @property
    def metadata(self) -> Metadata:
        return load_metadata(self.toolbox())


@cache
def flights() -> World:
    return World(SemanticLayer(load_model(model_folder()), DuckDBEngine.open(None, data=data_files())), "flights")


def _pick(values: list[Any], number: int, step: int = 7, shift: int = 0) -> Any:
    return values[(number * step + number // len(values) + shift) % len(values)]


@cache
def shop() -> World:
    cities = {
        "Germany": ["Berlin", "Hamburg"],
        "France": ["Paris", "Lyon"],
        "Spain": ["Madrid", "Seville"],
        "Italy": ["Rome", "Milan"],
    }
    products = [("Oak Chair", "Chairs", "Nordwald"), ("Cafe Chair", "Chairs", "Lumo"), ("Desk", "Tables", "Nordwald"),
                ("Dining Table", "Tables", "Casa"), ("Reading Lamp", "Lamps", "Lumo"), ("Floor Lamp", "Lamps", "Casa"),
                ("Corner Sofa", "Sofas", "Casa"), ("Loveseat", "Sofas", "Nordwald")]  # fmt: skip
    rows = []
    for n in range(900):
        country = _pick(list(cities), n, 3)
        product, category, brand = _pick(products, n, 5)
        rows.append(
            {
                "order_id": n + 1, "order_date": datetime.fromisoformat("2022-12-30") + timedelta(hours=18 * n + (n * n) % 11),
                "status": "completed" if n % 4 else _pick(["cancelled", "returned", "pending"], n // 4, 1),
                "channel": _pick(["web", "store", "phone"], n, 2), "country": country, "city": _pick(cities[country], n // 3, 1),
                "customer_name": f"Customer {_pick(list(range(60)), n, 13):02d}", "segment": _pick(["consumer", "business"], n // 2, 1),
                "product": product, "category": category, "brand": brand, "quantity": 1 + n * 3 % 9,
                "unit_price": 20.0 + (n * 37) % 700, "discount": (n % 5) * 0.05, "shipping_days": 1 + (n * n) % 14,
            }
        )  # fmt: skip
    names = [
        k for k in rows[0] if k not in ("order_id", "order_date", "quantity", "unit_price", "discount", "shipping_days")
    ]
    dimensions: list[dict[str, Any]] = [{"name": "order_id", "sql": "order_id", "type": "number", "primary_key": True}]
    dimensions += [{"name": "order_date", "sql": "order_date", "type": "time"}]
    dimensions += [{"name": name, "sql": name, "type": "string"} for name in names]
    dimensions += [
        {"name": name, "sql": name, "type": "number"}
        for name in ("quantity", "unit_price", "discount", "shipping_days")
    ]
    worth = "{CUBE}.quantity * {CUBE}.unit_price * (1 - {CUBE}.discount)"
    measures = [
        {"name": "count", "type": "count", "title": "Orders"},
        {
            "name": "revenue",
            "type": "sum",
            "sql": worth,
            "format": "currency",
            "currency": "EUR",
            "meta": {"synonyms": ["sales", "turnover"]},
        },
        {"name": "avg_order_value", "type": "avg", "sql": worth, "title": "Average order value", "currency": "EUR"},
        {"name": "units_sold", "type": "sum", "sql": "quantity", "meta": {"synonyms": ["units", "best selling"]}},
        {
            "name": "customers",
            "type": "count_distinct",
            "sql": "customer_name",
            "meta": {"synonyms": ["number of customers"]},
        },
        {"name": "profit", "type": "sum", "sql": f"{worth} * 0.2 - 15", "currency": "EUR"},
        {"name": "returned", "type": "count", "public": False, "filters": [{"sql": "{CUBE}.status = 'returned'"}]},
        {"name": "return_rate", "type": "number", "sql": "{returned} * 1.0 / NULLIF({count}, 0)", "format": "percent"},
    ]
    cube = {
        "name": "order_facts",
        "sql_table": "order_facts",
        "public": False,
        "dimensions": dimensions,
        "measures": measures,
    }
    view = {
        "name": "orders",
        "title": "Orders",
        "meta": {"synonyms": ["order"]},
        "cubes": [{"join_path": "order_facts", "includes": "*", "excludes": ["order_id"]}],
    }
    model = load_model({"cubes": [cube], "views": [view]})
    return World(SemanticLayer(model, DuckDBEngine.open(None, data={"order_facts": pd.DataFrame(rows)})), "shop")


def _cube(
    name: str, key: str, columns: dict[str, str], joins: list[dict[str, str]] | None = None, **extra: Any
) -> dict[str, Any]:
    dimensions: list[dict[str, Any]] = [
        {"name": key, "sql": key, "type": "number", "primary_key": True, "public": True}
    ]
    dimensions += [{"name": column, "sql": column, "type": kind} for column, kind in columns.items()]
    return {
        "name": name,
        "sql_table": name,
        "dimensions": dimensions,
        "measures": [{"name": "count", "type": "count"}],
        "joins": joins or [],
        **extra,
    }


@cache
def hospital() -> World:
    wards = [(1, "Cardiology", 1, 24), (2, "Surgery", 2, 30), (3, "Neurology", 2, 18), (4, "Pediatrics", 3, 22)]
    names = ["Adams", "Baker", "Clark", "Davis", "Evans", "Foster", "Grant", "Hughes"]
    doctors = [
        (n + 1, f"Dr {name}", _pick(["Cardiologist", "Surgeon", "Neurologist", "Pediatrician"], n, 1), 3 + n * 4)
        for n, name in enumerate(names)
    ]
    patients = [
        (n + 1, f"Patient {n + 1:03d}", _pick(["F", "M"], n, 1), 1940 + (n * 17) % 75, _pick(["Leeds", "York", "Hull", "Bath", "Derby"], n, 3),
         _pick(["A", "B", "AB", "0"], n, 1), n % 3 != 0)
        for n in range(120)
    ]  # fmt: skip
    visits = []
    for n in range(700):
        start = datetime.fromisoformat("2023-01-01T07:00") + timedelta(hours=24 * n + n % 13)
        stay = 1 + (n * 5) % 12
        visits.append(
            (n + 1, start, start + timedelta(days=stay), 1 + (n * 11) % 120, 1 + n % 4, 1 + (n * 3) % 8,
             _pick(["Asthma", "Migraine", "Fracture", "Arrhythmia", "Appendicitis", "Concussion"], n, 5), _pick(["mild", "moderate", "severe"], n, 2),
             300.0 + (n * 61) % 7000, stay, n % 5 == 0)
        )  # fmt: skip
    data = {
        "wards": pd.DataFrame(wards, columns=["ward_id", "name", "floor", "beds"]),
        "doctors": pd.DataFrame(doctors, columns=["doctor_id", "name", "specialty", "years_of_experience"]),
        "patients": pd.DataFrame(patients, columns=["patient_id", "name", "gender", "birth_year", "city", "blood_type", "insured"]),
        "visits": pd.DataFrame(visits, columns=["visit_id", "admitted_at", "discharged_at", "patient_id", "ward_id", "doctor_id", "diagnosis", "severity", "cost", "length_of_stay", "emergency"]),
    }  # fmt: skip
    joins = [{"name": other, "relationship": "many_to_one", "sql": f"{{CUBE}}.{key} = {{{other}}}.{key}"}
             for other, key in (("patients", "patient_id"), ("wards", "ward_id"), ("doctors", "doctor_id"))]  # fmt: skip
    cubes = [
        _cube("visits", "visit_id", {"admitted_at": "time", "discharged_at": "time", "patient_id": "number", "ward_id": "number", "doctor_id": "number", "diagnosis": "string", "severity": "string", "cost": "number", "length_of_stay": "number", "emergency": "boolean"}, joins, meta={"synonyms": ["admissions"]}),
        _cube("patients", "patient_id", {"name": "string", "gender": "string", "birth_year": "number", "city": "string", "blood_type": "string", "insured": "boolean"}),
        _cube("wards", "ward_id", {"name": "string", "floor": "number", "beds": "number"}),
        _cube("doctors", "doctor_id", {"name": "string", "specialty": "string", "years_of_experience": "number"}),
    ]  # fmt: skip
    return World(SemanticLayer(load_model({"cubes": cubes}), DuckDBEngine.open(None, data=data)), "hospital")
