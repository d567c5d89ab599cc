"""CSV as people have it: read right, and what was taken for what is told."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

EURO = "Datum;Kunde;Betrag;Anteil;Bezahlt\n09.09.2024;Ä;62.069,17 €;12 %;ja\n31.12.2024;B;1.200,50 €;3,5 %;nein\n"
REPORT = "Umsatzbericht 2024\nStand: 01.02.2025\n\nDatum;Kunde;Betrag\n09.09.2024;A;62.069,17\n31.12.2024;B;1.200,50\n"

FILES: dict[str, tuple[str, str, list[list[Any]], str]] = {
    "European": (EURO, "utf-8", [["2024-09-09", "Ä", 62069.17, 0.12, True], ["2024-12-31", "B", 1200.5, 0.035, False]], ""),
    "from Windows": (EURO, "cp1252", [["2024-09-09", "Ä", 62069.17, 0.12, True], ["2024-12-31", "B", 1200.5, 0.035, False]],
                     "not UTF-8, and read as Windows-1252"),
    "with a mark at its start": (EURO, "utf-8-sig",
                                 [["2024-09-09", "Ä", 62069.17, 0.12, True], ["2024-12-31", "B", 1200.5, 0.035, False]], ""),
    "a report with a total": (REPORT + "Summe;;63.269,67\n", "utf-8",
                              [["2024-09-09", "A", 62069.17], ["2024-12-31", "B", 1200.5]],
                              "3 lines above the names of the columns left out"),
    "a total and a source": ("region,q1,q2\nNorth,1,2\nSouth,3,4\nGrand Total,4,6\n\nSource: finance\n", "utf-8",
                             [["North", 1, 2], ["South", 3, 4]], "below the rows (a total, or notes) left out"),
    "a total among the rows stays": ("region,q1\nTotal,1\nNorth,3\nSouth,4\n", "utf-8",
                                     [["North", 3], ["South", 4], ["Total", 1]], ""),
    "Excel's separator": ("sep=;\na;b\n1;2\n3;4\n", "utf-8", [[1, 2], [3, 4]], "one line above"),
    "months in words": ("day,x\nJan 1 2000,1\nFeb 12 2001,2\n", "utf-8", [["2000-01-01", 1], ["2001-02-12", 2]], ""),
    "months alone": ("day,x\nJan 2024,1\nFeb 2024,2\n", "utf-8", [["2024-01-01", 1], ["2024-02-01", 2]], ""),
    "thousands with commas": ('a,b\n"1,234.50",1\n"12,000.00",2\n', "utf-8", [[1234.5, 1], [12000.0, 2]], ""),
    "thousands with points": ("a;b\n1.234;5\n12.000;7\n", "utf-8", [[1234, 5], [12000, 7]], "are taken for thousands"),
    "thousands with spaces": ("a;b\n1 234,50;5\n2\u202f500,00;6\n", "utf-8", [[1234.5, 5], [2500.0, 6]], ""),
    "words where there is no number": ("a,b\n1.5,x\nn/a,y\n-,z\n", "utf-8", [[1.5, "x"], [None, "y"], [None, "z"]], ""),
    "yes and no": ("a,b\nyes,1\nno,2\n", "utf-8", [[False, 2], [True, 1]], ""),
    "days that may be months": ("day,x\n09/08/2024,1\n01/02/2024,2\n", "utf-8",
                                [["2024-02-01", 2], ["2024-08-09", 1]], "would allow the other order too"),
    "a plain file": ("name,amount\nAna,1.5\nBen,2\n", "utf-8", [["Ana", 1.5], ["Ben", 2.0]], ""),
    "numbers that are names": ("zip,phone\n01234,007\n80331,0049\n", "utf-8", [["01234", "007"], ["80331", "0049"]], ""),
}  # fmt: skip


def rows(file: Path) -> tuple[list[list[Any]], list[str]]:
    with svc.embedded({"t": file}) as client:
        return sorted(map(list, map(_plain, client.sql("SELECT * FROM t").values)), key=repr), client.notes.remarks


def _plain(row: Any) -> list[Any]:
    return [
        None if pd.isna(value)
        else str(value)[:10] if hasattr(value, "year") or isinstance(value, str)
        else bool(value) if type(value).__name__ in ("bool", "bool_")
        else round(float(value), 6)
        for value in row
    ]  # fmt: skip


@pytest.mark.parametrize("kind", FILES)
def test_a_messy_file_is_read_right_and_told(kind: str, tmp_path: Path) -> None:
    text, encoding, expected, told = FILES[kind]
    (tmp_path / "t.csv").write_bytes(text.encode(encoding))
    found, remarks = rows(tmp_path / "t.csv")
    assert found == sorted((_plain(row) for row in expected), key=repr)
    assert any(told in remark for remark in remarks) if told else not remarks
    assert all(remark.startswith("t.csv: ") for remark in remarks)


def test_a_packed_report_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress((REPORT + "Summe;;63.269,67\n").encode()))
    assert rows(tmp_path / "t.csv.gz")[0] == [["2024-09-09", "A", 62069.17], ["2024-12-31", "B", 1200.5]]


def test_a_long_file_loses_its_total_alone(tmp_path: Path) -> None:
    lines = [f"2024-01-{1 + i % 28:02},{i},{'x' * 40}" for i in range(5000)]
    (tmp_path / "t.csv").write_text("Report\n\nday,amount,note\n" + "\n".join(lines) + "\nTotal,12497500,\n")
    found, remarks = rows(tmp_path / "t.csv")
    assert len(found) == 5000
    assert sum(row[1] for row in found) == sum(range(5000))
    assert len(remarks) == 2
