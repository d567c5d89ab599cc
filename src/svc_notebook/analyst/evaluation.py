"""``svc-notebook eval CASES``: an analyst measured by execution on questions of one's own.

Cases are a YAML or JSON Lines file. Each case has a ``question`` (or ``turns``: a conversation, of which the last
answer
counts; or ``follows: true``: asked after the case before it) and what is expected: ``sql`` over the model, or ``rows``.
``ordered: true`` makes the order count; ``as_of`` is the
clock. The verdict is

``pass``    the rows are the expected ones (order free unless ordered, numbers to four significant digits, extra
columns allowed)
``review``  the expected numbers are all there, but in other rows, or some words were left out: a person should look
``fail``    other rows, or no answer
``error``   the expected SQL, or the analyst's, could not be run
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from ..protocol.tools import is_sql_tool
from ..records import dataclass
from ..semantic.context import SecurityContext
from ..semantic.errors import SemanticError
from ..semantic.layer import SemanticLayer
from .base import Analyst, AnswerDone, PastTurn, ToolFinished, Turn
from .toolbox import Toolbox

__all__ = ["Case", "Report", "Verdict", "compare_rows", "evaluate", "judge_rows", "read_cases"]

_DIGITS = 4
_MOST_COLUMN_MAPS = 2000


@dataclass(frozen=True, slots=True)
class Case:
    """One question with what is expected of its answer."""

    question: str
    turns: tuple[str, ...] = ()
    sql: str | None = None
    rows: tuple[tuple[Any, ...], ...] | None = None
    ordered: bool = False
    as_of: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``verdict`` is pass, fail, review or error; ``reason`` says why; ``sql`` is what the analyst ran."""

    case: Case
    verdict: str
    reason: str = ""
    sql: str = ""
    answer: str = ""


@dataclass(frozen=True)
class Report:
    """All verdicts, in the order of the cases."""

    verdicts: tuple[Verdict, ...]

    @property
    def counts(self) -> dict[str, int]:
        return {kind: sum(v.verdict == kind for v in self.verdicts) for kind in ("pass", "review", "fail", "error")}

    def lines(self) -> Iterable[str]:
        """The report as text: every case that did not pass with its reason, then the counts."""
        for verdict in self.verdicts:
            if verdict.verdict != "pass":
                yield f"{verdict.verdict:6s} {verdict.case.name or verdict.case.question}: {verdict.reason}"
        total = len(self.verdicts)
        share = 100 * self.counts["pass"] / total if total else 0.0
        yield f"{share:.0f} % of {total} passed; " + ", ".join(f"{kind} {count}" for kind, count in self.counts.items())


@dataclass
class _Run:
    """What one case's conversation gave."""

    table: pa.Table | None = None
    sql: str = ""
    answer: str = ""
    error: str = ""
    left_out: tuple[str, ...] = field(default=())


def read_cases(path: str | Path) -> list[Case]:
    """Cases of a ``.jsonl``, ``.json`` or ``.yml`` file.

    Raises
    ------
    ValueError
        A case has no question, or neither ``sql`` nor ``rows``; the message names it by its number.
    """
    source = Path(path)
    text = source.read_text(encoding="utf8")
    if source.suffix == ".jsonl":
        raw = [json.loads(line) for line in text.splitlines() if line.strip()]
    elif source.suffix == ".json":
        raw = json.loads(text)
    else:
        raw = yaml.safe_load(text)
    if not isinstance(raw, list):
        raise ValueError(f"{source.name}: a list of cases is expected, not {type(raw).__name__}")
    cases: list[Case] = []
    for number, entry in enumerate(raw, 1):
        case = _case(number, entry)
        if entry.get("follows") and cases:
            case = replace(case, turns=(*(cases[-1].turns or (cases[-1].question,)), case.question))
        cases.append(case)
    return cases


def _case(number: int, entry: Any) -> Case:
    if not isinstance(entry, Mapping):
        raise ValueError(f"case {number}: write a mapping with question and sql (or rows)")
    turns = tuple(str(turn) for turn in entry.get("turns") or ())
    question = str(entry.get("question") or (turns[-1] if turns else ""))
    if not question:
        raise ValueError(f"case {number}: it has no question")
    rows = entry.get("rows")
    if entry.get("sql") is None and rows is None:
        raise ValueError(f"case {number} ({question}): say what is expected, sql: … or rows: …")
    return Case(
        question=question,
        turns=turns,
        sql=entry.get("sql"),
        rows=tuple(tuple(row.values() if isinstance(row, Mapping) else row) for row in rows)
        if rows is not None
        else None,
        ordered=bool(entry.get("ordered", False)),
        as_of=str(entry["as_of"]) if entry.get("as_of") else None,
        name=str(entry.get("name") or ""),
    )


def evaluate(
    cases: Iterable[Case],
    analyst: Analyst,
    layer: SemanticLayer,
    ctx: SecurityContext | None = None,
    *,
    timezone: str = "UTC",
    now: datetime | None = None,
    progress: Callable[[Verdict], None] | None = None,
) -> Report:
    """Ask every case of the analyst as ``ctx`` (the operator when omitted) and judge the answers by execution."""
    asker = ctx or SecurityContext.operator()
    verdicts = []
    for case in cases:
        moment = datetime.fromisoformat(case.as_of).replace(tzinfo=UTC) if case.as_of else now or datetime.now(UTC)
        verdict = _judge(
            case, asyncio.run(_converse(case, analyst, layer, asker, timezone, moment)), layer, asker, timezone
        )
        verdicts.append(verdict)
        if progress is not None:
            progress(verdict)
    return Report(tuple(verdicts))


async def _converse(
    case: Case, analyst: Analyst, layer: SemanticLayer, ctx: SecurityContext, timezone: str, now: datetime
) -> _Run:
    history: list[PastTurn] = []
    run = _Run()
    for question in case.turns or (case.question,):
        run = _Run()
        toolbox = Toolbox(layer, ctx, timezone=timezone)
        async for event in analyst.answer(Turn(question, tuple(history), timezone, now), toolbox, toolbox.cancel):
            if isinstance(event, ToolFinished) and is_sql_tool(event.name):
                asked, told = json.loads(event.input), json.loads(event.result)
                run.sql, run.error = asked.get("sqlQuery", ""), told.get("error", "")
                run.table = toolbox.table(told["uuid"]) if told.get("uuid") else None
            elif isinstance(event, AnswerDone):
                run.answer = event.text
                plan = event.memory.get("plan")
                run.left_out = tuple(plan.get("unread", ())) if isinstance(plan, Mapping) else ()
                history.append(PastTurn(question, event.text, memory=event.memory))
    return run


def _judge(case: Case, run: _Run, layer: SemanticLayer, ctx: SecurityContext, timezone: str) -> Verdict:
    def verdict(kind: str, reason: str = "") -> Verdict:
        return Verdict(case, kind, reason, run.sql, run.answer)

    if case.rows is not None:
        expected = [list(row) for row in case.rows]
    else:
        try:
            expected = _rows(layer.query(ctx, case.sql or "", timezone=timezone).table)
        except SemanticError as error:
            return verdict("error", f"the expected SQL could not be run: {error}")
    if run.error:
        return verdict("error", f"the analyst's SQL could not be run: {run.error}")
    if run.table is None:
        return verdict("fail", "not answered: " + run.answer.split("\n", 1)[0][:120])
    kind, reason = judge_rows(_rows(run.table), expected, ordered=case.ordered, left_out=run.left_out)
    return verdict(kind, reason)


def judge_rows(
    got: Sequence[Sequence[Any]],
    expected: Sequence[Sequence[Any]],
    *,
    ordered: bool = False,
    left_out: Sequence[str] = (),
) -> tuple[str, str]:
    """The verdict on an answer's rows and the reason for it.

    Parameters
    ----------
    got, expected
        The rows of the answer, and those that are right.
    ordered
        Whether their order counts.
    left_out
        Words of the question that the analyst says it could not read.

    Returns
    -------
    tuple[str, str]
        ``pass`` (no reason), ``review`` or ``fail``, and why.
    """
    if compare_rows(got, expected, ordered=ordered):
        if left_out:
            return "review", "right rows, but these words were left out: " + ", ".join(left_out)
        return "pass", ""
    if ordered and compare_rows(got, expected):
        return "fail", "right rows in another order"
    shape = f"{len(got)} rows of {len(got[0]) if got else 0} columns"
    if expected and _all_there(got, expected):
        return "review", f"the expected values are among {shape}"
    if len(got) != len(expected):
        return "fail", f"{len(got)} rows instead of {len(expected)}"
    if expected and len(got[0]) < len(expected[0]):
        return "fail", f"{len(got[0])} columns instead of {len(expected[0])}"
    return "fail", f"other values: {_first_difference(got, expected)}"


def _first_difference(got: Sequence[Sequence[Any]], expected: Sequence[Sequence[Any]]) -> str:
    """An expected row that the answer does not have, and the answer's row in its place."""
    have = [{_plain(value) for value in row} for row in got]
    for place, row in enumerate(expected):
        if not any({_plain(value) for value in row} <= one for one in have):
            return f"expected {_told(row)}, the answer has {_told(got[place])}"
    return f"{_told(expected[0])} more or less often than expected"


def _told(row: Sequence[Any]) -> str:
    text = ", ".join("nothing" if value is None else str(value) for value in row)
    return f"({text[:80]}{'…' if len(text) > 80 else ''})"


def _rows(table: pa.Table) -> list[list[Any]]:
    return (
        [list(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]
        if table.num_columns
        else []
    )


def compare_rows(got: Sequence[Sequence[Any]], expected: Sequence[Sequence[Any]], *, ordered: bool = False) -> bool:
    """Whether ``got`` has the rows of ``expected``, whatever its columns are called and whatever others it has."""
    if len(got) != len(expected):
        return False
    if not expected:
        return True
    wanted = [[_plain(value) for value in column] for column in zip(*expected, strict=True)]
    given = [[_plain(value) for value in column] for column in zip(*got, strict=True)]
    fitting = [[i for i, column in enumerate(given) if _same_bag(column, goal)] for goal in wanted]
    for choice in itertools.islice(itertools.product(*fitting), _MOST_COLUMN_MAPS):
        if len(set(choice)) == len(choice):
            mine = list(zip(*(given[i] for i in choice), strict=True))
            goal = list(zip(*wanted, strict=True))
            if mine == goal or not ordered and sorted(mine, key=repr) == sorted(goal, key=repr):
                return True
    return False


def _same_bag(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return sorted(map(repr, one)) == sorted(map(repr, other))


def _all_there(got: Sequence[Sequence[Any]], expected: Sequence[Sequence[Any]]) -> bool:
    have = {_plain(value) for row in got for value in row}
    return all(_plain(value) in have for row in expected for value in row)


def _plain(value: Any) -> Any:
    """A value to compare by: numbers to four significant digits, dates as text, texts without case and outer space."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float, Decimal)):
        number = float(value)
        return float(f"{number:.{_DIGITS}g}") + 0.0 if math.isfinite(number) else str(number)
    if isinstance(value, (datetime, date)):
        text = value.isoformat()
        return text[:10] if text.endswith("T00:00:00") else text
    return str(value).strip().casefold()
