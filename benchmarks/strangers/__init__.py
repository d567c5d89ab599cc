"""Questions by strangers over tables that nobody described: a folder of CSV files and ``questions.yml`` for each trade.

A question has the ``sql`` over the files (each a table named by its stem) that answers it; ``or`` lists other right answers,
``ordered``: the order of rows counts, ``none``: the data cannot answer it, ``told``: something is said without a query.
``as_of`` is the clock; ``model: demo`` asks the demo's own model and data instead of files beside it. Of a domain that is ``closed`` only figures are printed, never a question or a failure.

::

    python -m benchmarks.strangers [DOMAIN …] [--fails] [--jobs N]
    python -m benchmarks.strangers.wordings [DOMAIN …] [--fails] [--jobs N]
    python -m benchmarks.strangers.conversations [DOMAIN …] [--fails] [--jobs N]
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import duckdb
import yaml

from svc_notebook.analyst.evaluation import compare_rows
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

from ..question_predictions import Conversations

__all__ = [
    "Outcome", "asked", "clock_of", "columns_of", "domains", "is_drawn", "is_one_of", "opened", "outcome_of", "outcomes", "read_domain", "read_yaml", "rows_of_sql", "verdict_of",
]  # fmt: skip

FOLDER = Path(__file__).parent
_EXTRA = 2  # columns that an answer may have besides
_TWO = 2
_MIDNIGHT = "T00:00:00"
_OPEN: dict[Path, SemanticLayer] = {}

Said = Mapping[str, Any]
Rows = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one question came out, and what a reader of failures wants to see of it."""

    question: str
    verdict: str
    sql: str = ""
    text: str = ""
    expected: tuple[Any, ...] = ()

    @property
    def stored(self) -> str:
        """What is seen of it, in lines: the query, and what is said."""
        return "\n".join(filter(None, (self.sql, *self.text.split("\n"))))


def domains() -> list[str]:
    """Every domain that lies here."""
    return sorted(file.parent.name for file in FOLDER.glob("*/questions.yml"))


def read_domain(name: str) -> dict[str, Any]:
    """What ``questions.yml`` of a domain says."""
    return dict(read_yaml(FOLDER / name / "questions.yml"))


@cache
def read_yaml(path: Path) -> Any:
    """What a file says, read once and by the quick parser where there is one; nobody changes it."""
    return yaml.load(path.read_text("utf8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def outcomes(name: str, every: int = 1) -> list[Outcome]:
    """Every question of a domain, or one of so many, each in a thread of its own over the model that is made of its files."""
    described = read_domain(name)
    with opened(name) as layer:
        clock = clock_of(described)
        return [asked(name, layer, said, clock) for said in described["questions"] if is_drawn(said["ask"], every)]


def is_drawn(question: str, every: int) -> bool:
    """Whether a question, or what begins with it, is of those that stand for so many: the same ones each time."""
    return crc32(question[::-1].encode()) % every == 0


@contextmanager
def opened(name: str) -> Iterator[SemanticLayer]:
    """A domain's files with the model that is made of them; the same layer for whoever opens it meanwhile."""
    folder, data = FOLDER / name, _files(name)
    if folder in _OPEN:
        yield _OPEN[folder]
        return
    engine = DuckDBEngine.open(None, data=data)
    model = model_folder() if _is_demo(name) else scaffold_model(data, engine=engine)
    layer = _OPEN[folder] = SemanticLayer(load_model(model), engine)
    try:
        yield layer
    finally:
        del _OPEN[folder]
        layer.close()


def clock_of(described: Said) -> str:
    """The moment at which a domain is asked: noon of its day."""
    return datetime.combine(_day(described["as_of"]), time(12)).isoformat()


def asked(name: str, layer: SemanticLayer, said: Said, clock: str) -> Outcome:
    """How one question of a domain comes out, in a thread of its own."""
    case = {"id": said["ask"], "utterance": said["ask"], "as_of": clock}
    return outcome_of(name, said, asyncio.run(Conversations(layer, OfflineAnalyst()).predict(case)))


def outcome_of(name: str, said: Said, prediction: Mapping[str, Any]) -> Outcome:
    """How what is asked came out, by what was predicted."""
    wanted = [rows_of_sql(name, sql) for sql in [said["sql"], *said.get("or", ())]] if "sql" in said else []
    verdict = verdict_of(said, prediction, wanted)
    text = str(prediction.get("error") or prediction.get("text", ""))
    return Outcome(said["ask"], verdict, prediction.get("sql", ""), text, tuple(wanted[0][:3]) if wanted else ())


def verdict_of(said: Said, prediction: Mapping[str, Any], wanted: Sequence[Rows]) -> str:
    """The word for a prediction; ``silent``, ``told`` and ``offered`` part wrong rows as the public sets' scorer does."""
    if prediction.get("error"):
        return "failed"
    if prediction.get("rows") is None:
        quiet = said.get("none") or said.get("told") and prediction.get("text")
        return "kept quiet" if quiet else "refused"
    if is_one_of(prediction["rows"], wanted, said):
        return "right"
    offers = [choice["rows"] for choice in prediction.get("choices", ()) if choice.get("rows") is not None]
    if any(is_one_of(rows, wanted, said) for rows in offers):
        return "offered"
    return "told" if prediction.get("unread") else "silent"


def is_one_of(rows: Rows, wanted: Sequence[Rows], said: Said) -> bool:
    """Whether rows are one of the answers that are right for what is said."""
    ours = [[_plain(value) for value in row] for row in rows]
    return any(_is_same(ours, rows_wanted, bool(said.get("ordered"))) for rows_wanted in wanted)


def _is_same(ours: Rows, wanted: Rows, ordered: bool) -> bool:
    wide = bool(ours) and bool(wanted) and len(ours[0]) > len(wanted[0]) + _EXTRA
    if wide or not compare_rows(ours, wanted, ordered=False):
        return False
    return not ordered or compare_rows(ours, wanted, ordered=True) or _is_in_order(ours, wanted)


def _is_in_order(ours: Rows, wanted: Rows) -> bool:
    """Whether the same rows go up or down by a column alike: an engine gives rows that are level in any order."""
    columns = [list(column) for column in zip(*wanted, strict=True) if _runs_one_way(column)]
    return any(list(column) in columns for column in zip(*ours, strict=True))


def _runs_one_way(column: Sequence[Any]) -> bool:
    numbers = [value for value in column if isinstance(value, int | float | Decimal) and not isinstance(value, bool)]
    if len(numbers) < len(column) or len(set(numbers)) < _TWO:
        return False
    return numbers in (sorted(numbers), sorted(numbers, reverse=True))


def rows_of_sql(name: str, sql: str) -> Rows:
    """What a query over a domain's files gives."""
    with _held(name).cursor() as cursor:
        return [[_plain(value) for value in row] for row in cursor.execute(sql).fetchall()]


def columns_of(name: str) -> dict[str, list[str]]:
    """The columns of each of a domain's files."""
    found: dict[str, list[str]] = {}
    with _held(name).cursor() as cursor:
        for file in _files(name):
            found[file] = [str(row[0]) for row in cursor.execute(f'DESCRIBE "{file}"').fetchall()]
    return found


@cache
def _held(name: str) -> duckdb.DuckDBPyConnection:
    """The files of a domain as tables: each is read once, and not for every query."""
    connection = duckdb.connect()
    for table, file in _files(name).items():
        read = connection.read_parquet if file.suffix == ".parquet" else connection.read_csv
        read(str(file)).create(table)
    return connection


def _is_demo(name: str) -> bool:
    return read_domain(name).get("model") == "demo"


def _files(name: str) -> dict[str, Path]:
    if _is_demo(name):
        return data_files()
    return {file.stem: file for file in sorted((FOLDER / name).glob("*.csv"))}


def _day(said: date | str) -> date:
    return said if isinstance(said, date) else date.fromisoformat(said)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date):
        value = value.isoformat()
    return value.removesuffix(_MIDNIGHT) if isinstance(value, str) else value
