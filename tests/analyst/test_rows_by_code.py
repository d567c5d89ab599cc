"""One row by its code, known or never seen: what is asked of it, all of it where nothing is, or no answer."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

import pandas as pd
import pytest
from scaffolded import scaffolded

import svc_notebook as svc
from svc_notebook.analyst.offline.plans.plan import Plan
from svc_notebook.analyst.offline.reading.by_code import row_of_code
from svc_notebook.analyst.offline.schema.codes import is_code, shapes_of
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.offline.walk.worded import worded

NOW = datetime.fromisoformat("2023-06-15")


@cache
def permits() -> Metadata:
    rows = [
        {
            "permit_no": f"BP{20 + n % 5}-{n:05d}", "issued": NOW - timedelta(hours=n), "street": f"Street {n % 30}",
            "cause_desc": ["new", "repair", "sign"][n % 3], "fee_usd": n % 7 * 10,
        }
        for n in range(1500)
    ]  # fmt: skip
    return scaffolded("permits", rows)


def asked(question: str) -> Plan | None:
    return row_of_code(worded(question, permits(), NOW, 2023, None), permits())


@pytest.mark.parametrize("code", ["BP24-01499", "bp24-01499", "BP21-00001"])
def test_code_of_thousands_finds_its_row(code: str) -> None:
    plan = asked(f"street and cause of {code}")
    assert plan is not None
    assert plan.columns == ("permits.street", "permits.cause_desc")
    assert plan.conditions[0].values == (code.upper(),)


@pytest.mark.parametrize(("question", "shown"), [
    ("street and clerk of BP24-01499", ("Street 29", "Kim Reed")), ("clerk of BP21-00001", ("Ola Bay",)),
])  # fmt: skip
def test_whom_a_row_points_at_is_called_by_name(question: str, shown: tuple[str, ...]) -> None:
    clerks = pd.DataFrame({"clerk_id": ["C1", "C2"], "full_name": ["Kim Reed", "Ola Bay"], "desk": ["A", "B"]})
    held = pd.DataFrame({
        "permit_no": [f"BP{20 + n % 5}-{n:05d}" for n in range(1500)], "street": [f"Street {n % 30}" for n in range(1500)],
        "clerk_id": [("C2", "C1")[n % 3 % 2] if n != 1499 else "C1" for n in range(1500)],
    })  # fmt: skip
    held.loc[1, "clerk_id"] = "C2"
    with svc.embedded({"permits": held, "clerks": clerks}) as client:
        answer = client.chat().ask(question)
    assert answer.df is not None and tuple(answer.df.iloc[0]) == shown, answer.text


@pytest.mark.parametrize(
    "question", ["look up permit BP24-01499 please", "BP24-01499", "show me details for BP24-01499"]
)
def test_row_of_which_nothing_is_named_is_shown_whole(question: str) -> None:
    plan = asked(question)
    assert plan is not None
    assert len(plan.columns) == 5


@pytest.mark.parametrize(
    "question", ["look up permit XQ-123456", "street and zorbling of BP24-01499", "how many permits before BP24-01499"]
)
def test_what_is_not_known_of_it_is_no_look_up(question: str) -> None:
    assert asked(question) is None


def test_codes_are_told_by_how_they_are_written() -> None:
    assert shapes_of(["CR25-00534", "CR24-00001"]) == ("aa99-99999",)
    assert shapes_of(["Main Street 12", "Hill Road 7"]) == ()
    assert is_code("25-44818") and is_code("OUT74242")
    assert not is_code("12345") and not is_code("main street")
