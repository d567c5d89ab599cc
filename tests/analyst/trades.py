# ruff: noqa: DTZ001
"""Two more models to ask questions of: a chain of shops and a school, each of joined cubes."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import Any

import pandas as pd
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

__all__ = ["retail", "school"]


def _spread(number: int, salt: int, size: int) -> int:
    """A number below ``size`` that looks drawn and is always the same."""
    return (number * 2654435761 + salt * 40503 + (number * number * 7919 + salt) // 13) % 4294967291 // 7 % size


def _cube(
    name: str, key: str, columns: dict[str, str], joins: dict[str, str] | None = None, **extra: Any
) -> dict[str, Any]:
    dimensions: list[dict[str, Any]] = [
        {"name": key, "sql": key, "type": "number", "primary_key": True, "public": True}
    ]
    dimensions += [{"name": column, "sql": column, "type": kind} for column, kind in columns.items()]
    return {
        "name": name,
        "sql_table": name,
        "dimensions": dimensions,
        "joins": [
            {"name": other, "relationship": "many_to_one", "sql": f"{{CUBE}}.{column} = {{{other}}}.{column}"}
            for other, column in (joins or {}).items()
        ],
        "measures": [{"name": "count", "type": "count"}],
        **extra,
    }


@cache
def retail() -> World:
    """Sales of a chain: lines with a store, a product and a customer; the fiscal year begins in July."""
    towns = [
        ("Oslo", "East"),
        ("Drammen", "East"),
        ("Bergen", "West"),
        ("Stavanger", "West"),
        ("Trondheim", "North"),
        ("Bodo", "North"),
    ]
    stores = [(n + 1, f"{town} {'Harbour' if n % 2 else 'Center'}", town, region, datetime(2010 + n, 3, 1), 200 + 90 * n)
              for n, (town, region) in enumerate(towns)]  # fmt: skip
    names = [("Trail Boot", "Shoes"), ("Rain Jacket", "Clothing"), ("Wool Sweater", "Clothing"), ("City Sneaker", "Shoes"), ("Tent", "Camping"),
             ("Sleeping Bag", "Camping"), ("Camping Stove", "Camping"), ("Water Bottle", "Accessories"), ("Headlamp", "Accessories"), ("Backpack", "Accessories")]  # fmt: skip
    products = [(n + 1, name, kind, ["Fjell", "Nordlys", "Havn"][n % 3], 15.0 + 27 * n, datetime(2019, 1 + n, 5))
                for n, (name, kind) in enumerate(names)]  # fmt: skip
    firsts = ["Anna", "Bjorn", "Carla", "David", "Elin", "Frode", "Greta", "Hans"]
    customers = [
        (n + 1, f"{firsts[n % 8]} {['Berg', 'Dahl', 'Lund', 'Moen', 'Vik'][n // 8 % 5]}", "female" if n % 2 == 0 else "male", 18 + _spread(n, 3, 55),
         f"c{n}@mail.example" if n % 5 else None, ["gold", "silver", "none"][_spread(n, 5, 3)], datetime(2021, 1, 1) + timedelta(days=_spread(n, 9, 900)))
        for n in range(80)
    ]  # fmt: skip
    sales = []
    for n in range(1600):
        sold = datetime(2022, 1, 3, 9) + timedelta(hours=15.6 * n + _spread(n, 1, 9))
        product = 1 + _spread(n, 2, 10)
        units = 1 + _spread(n, 4, 4)
        discount = _spread(n, 6, 4) * 0.05
        sales.append((n + 1, sold, sold + timedelta(days=1 + _spread(n, 8, 9)) if n % 9 else None, 1 + _spread(n, 11, 6), product, 1 + _spread(n, 12, 80),
                      units, round(units * (15.0 + 27 * (product - 1)) * (1 - discount), 2), discount, ["card", "cash", "voucher"][_spread(n, 13, 3)], _spread(n, 14, 12) == 0))  # fmt: skip
    data = {
        "stores": pd.DataFrame(stores, columns=["store_id", "name", "city", "region", "opened_on", "square_meters"]),
        "products": pd.DataFrame(products, columns=["product_id", "name", "category", "brand", "price", "launched_on"]),
        "customers": pd.DataFrame(customers, columns=["customer_id", "name", "gender", "age", "email", "loyalty", "joined_on"]),
        "sales": pd.DataFrame(sales, columns=["sale_id", "sold_at", "delivered_at", "store_id", "product_id", "customer_id", "quantity", "amount", "discount", "payment", "returned"]),
    }  # fmt: skip
    measures = [
        {"name": "count", "type": "count", "title": "Sales count"},
        {"name": "revenue", "type": "sum", "sql": "amount", "currency": "NOK", "meta": {"synonyms": ["turnover", "sales volume"]}},
        {"name": "avg_basket", "type": "avg", "sql": "amount", "title": "Average basket", "currency": "NOK"},
        {"name": "units", "type": "sum", "sql": "quantity", "title": "Units sold"},
    ]  # fmt: skip
    cubes = [
        _cube("sales", "sale_id", {"sold_at": "time", "delivered_at": "time", "store_id": "number", "product_id": "number", "customer_id": "number", "quantity": "number", "amount": "number", "discount": "number", "payment": "string", "returned": "boolean"},
              {"stores": "store_id", "products": "product_id", "customers": "customer_id"}, measures=measures, meta={"fiscal_year_start": 7, "synonyms": ["sale"]}),
        _cube("stores", "store_id", {"name": "string", "city": "string", "region": "string", "opened_on": "time", "square_meters": "number"}),
        _cube("products", "product_id", {"name": "string", "category": "string", "brand": "string", "price": "number", "launched_on": "time"}),
        _cube("customers", "customer_id", {"name": "string", "gender": "string", "age": "number", "email": "string", "loyalty": "string", "joined_on": "time"}),
    ]  # fmt: skip
    return World(SemanticLayer(load_model({"cubes": cubes}), DuckDBEngine.open(None, data=data)), "retail")


@cache
def school() -> World:
    """A school: exams by pupils in courses, courses by teachers, absences by pupils."""
    teachers = [(n + 1, f"{title} {name}", ["Science", "Languages", "Arts"][n % 3], datetime(2005 + 2 * n, 8, 15))
                for n, (title, name) in enumerate([("Mr", "Abbot"), ("Ms", "Bell"), ("Mr", "Cole"), ("Ms", "Drake"), ("Mr", "Ellis"), ("Ms", "Frost")])]  # fmt: skip
    courses = [(n + 1, title, subject, 1 + n % 6, 2 + n % 4) for n, (title, subject) in enumerate(
        [("Algebra", "Mathematics"), ("Geometry", "Mathematics"), ("Physics", "Science"), ("Biology", "Science"), ("French", "Languages"),
         ("Spanish", "Languages"), ("Painting", "Arts"), ("Choir", "Arts"), ("Statistics", "Mathematics")])]  # fmt: skip
    firsts = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jon"]
    pupils = [(n + 1, f"{firsts[n % 10]} {['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Oak', 'Pine', 'Rowan', 'Yew'][n // 10]}", 7 + n % 6, "girl" if n % 10 in (0, 2, 4, 6, 8) else "boy",
               datetime(2005, 1, 10) + timedelta(days=_spread(n, 21, 2400)), ["Ely", "Ripon", "Wells"][_spread(n, 22, 3)], n % 3 == 0, f"555-{n:04d}" if n % 7 else None)
              for n in range(90)]  # fmt: skip
    exams = [(n + 1, 1 + _spread(n, 31, 90), 1 + _spread(n, 32, 9), datetime(2021, 9, 6, 9) + timedelta(days=n * 1155 // 1200),
              None if n % 17 == 0 else 30 + _spread(n, 33, 71), _spread(n, 34, 5) > 0, ["written", "oral", "project"][_spread(n, 35, 3)])
             for n in range(1200)]  # fmt: skip
    absences = [(n + 1, 1 + _spread(n, 41, 75), datetime(2021, 9, 6) + timedelta(days=n * 1150 // 500), 1 + _spread(n, 42, 5), ["illness", "family", "unexcused"][_spread(n, 43, 3)])
                for n in range(500)]  # fmt: skip
    data = {
        "teachers": pd.DataFrame(teachers, columns=["teacher_id", "name", "department", "hired_on"]),
        "courses": pd.DataFrame(courses, columns=["course_id", "title", "subject", "teacher_id", "credits"]),
        "pupils": pd.DataFrame(pupils, columns=["pupil_id", "name", "grade_level", "gender", "birth_date", "town", "takes_bus", "guardian_phone"]),
        "exams": pd.DataFrame(exams, columns=["exam_id", "pupil_id", "course_id", "taken_on", "score", "passed", "kind"]),
        "absences": pd.DataFrame(absences, columns=["absence_id", "pupil_id", "starts_on", "days", "reason"]),
    }  # fmt: skip
    cubes = [
        _cube("exams", "exam_id", {"pupil_id": "number", "course_id": "number", "taken_on": "time", "score": "number", "passed": "boolean", "kind": "string"}, {"pupils": "pupil_id", "courses": "course_id"}),
        _cube("absences", "absence_id", {"pupil_id": "number", "starts_on": "time", "days": "number", "reason": "string"}, {"pupils": "pupil_id"}),
        _cube("pupils", "pupil_id", {"name": "string", "grade_level": "number", "gender": "string", "birth_date": "time", "town": "string", "takes_bus": "boolean", "guardian_phone": "string"}),
        _cube("courses", "course_id", {"title": "string", "subject": "string", "teacher_id": "number", "credits": "number"}, {"teachers": "teacher_id"}),
        _cube("teachers", "teacher_id", {"name": "string", "department": "string", "hired_on": "time"}),
    ]  # fmt: skip
    return World(SemanticLayer(load_model({"cubes": cubes}), DuckDBEngine.open(None, data=data)), "school")
