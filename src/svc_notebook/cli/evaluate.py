"""``svc-notebook eval``: questions with the rows that answer them, put to the analyst; how many come out right."""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, command, print_json
from .progress import counted

if TYPE_CHECKING:
    import pandas as pd

    from ..analyst.evaluation import Case
    from ..client.client import Client

EXAMPLE = """\
examples:
  svc-notebook eval questions.yml                        the demo
  svc-notebook eval questions.yml --model model/ --database shop.duckdb --at-least 90

A file of cases is YAML (a list) or JSON lines:

  - question: flights by airline
    sql: SELECT airline, MEASURE(count) FROM flights GROUP BY 1
  - question: only December
    follows: true            # in the same chat as the case before
    sql: SELECT airline, MEASURE(count) FROM flights WHERE scheduled_departure >= '2013-12-01' GROUP BY 1
  - question: how many airports are in New York
    rows: [[3]]

An answer is right when its rows are those of the SQL over the data model (or those given), whatever the order of rows
and columns and the names of columns; it may have more columns. With `ordered: true` the order of rows counts.

The verdicts: `pass`; `review`, a person should look (the expected values are there among others, or words of the
question were left out); `fail`, other rows or no answer; `error`, something could not be run. Only `pass` counts for
--at-least; below it the exit code is 1.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``pass``, ``review`` (a person should look), ``fail`` (other rows, or none) or ``error`` (not run), and why."""

    question: str
    verdict: str
    seconds: float
    why: str = ""
    sql: str | None = None


def add(commands: Any) -> None:
    parser = command(
        commands,
        "eval",
        help="how many questions the analyst answers right",
        description="Put questions to the analyst and compare its rows with those you expect.",
        more=EXAMPLE,
    )
    parser.add_argument("cases", type=Path, help="YAML or JSON-lines file")
    parser.add_argument("--at-least", type=float, default=100.0, metavar="PERCENT", help="below it, exit code 1 (100)")
    parser.add_argument("--json", action="store_true", help="outcomes as JSON")
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    import yaml

    from ..analyst.evaluation import read_cases
    from ..client.errors import SvcError

    user = user_fields(options)
    try:
        cases = read_cases(options.cases)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise CommandFailed(f"{options.cases}: {error}; see `svc-notebook eval --help`") from None
    if not cases:
        raise CommandFailed(f"{options.cases}: no cases in it; see `svc-notebook eval --help`")
    try:
        with open_client(options) as client:
            outcomes = [_put(client, case, user) for case in _told(cases, quiet=options.json)]
    except SvcError as error:
        raise CommandFailed(error.message) from None
    counts = Counter(outcome.verdict for outcome in outcomes)
    share = 100 * counts["pass"] / len(outcomes)
    if options.json:
        print_json({"passed": share, "counts": counts, "outcomes": [asdict(outcome) for outcome in outcomes]})
    else:
        for outcome in outcomes:
            print(f"{outcome.verdict:<6} {outcome.question}" + (f": {outcome.why}" if outcome.why else ""))
        others = ", ".join(f"{counts[kind]} {kind}" for kind in ("review", "fail", "error") if counts[kind])
        print(f"{counts['pass']} of {len(outcomes)} passed ({share:.0f} %)" + (f"; {others}" if others else ""))
    return 0 if share >= options.at_least else 1


def _told(cases: Sequence[Case], *, quiet: bool) -> Any:
    """The cases one by one, each announced while it is worked on."""
    return iter(cases) if quiet else counted(cases, [case.question for case in cases])


def _put(client: Client, case: Case, user: dict[str, Any]) -> Outcome:
    from ..analyst.evaluation import judge_rows
    from ..client.errors import SvcError

    chat = client.chat(**user)
    began = time.monotonic()
    for question in case.turns or (case.question,):
        answer = chat.ask(question)
    seconds = round(time.monotonic() - began, 3)

    def outcome(verdict: str, why: str = "") -> Outcome:
        return Outcome(case.question, verdict, seconds, why, answer.sql)

    if answer.status != "complete":
        return outcome("error", answer.error or answer.status)
    if answer.result is None:
        return outcome("fail", "not answered: " + re.split(r"\n| Questions I can", answer.text)[0])
    try:
        expected = case.rows if case.rows is not None else rows_of(client.sql(case.sql or "", **user))
    except SvcError as error:
        return outcome("error", f"the expected SQL could not be run: {error.message}")
    found = rows_of(answer.result.load_all() if answer.result.truncated else answer.result.to_frame())
    return outcome(*judge_rows(found, expected, ordered=case.ordered, left_out=left_out(answer.text)))


def left_out(text: str) -> list[str]:
    """The words that an answer says it could not read."""
    said = re.search(r"I left out (.+?), which I could not read", text)
    return re.findall(r"“(.+?)”", said[1]) if said else []


def rows_of(frame: pd.DataFrame) -> list[list[Any]]:
    """The rows of a frame as plain values, with None for what is missing."""
    plain = frame.astype(object)
    rows: list[list[Any]] = plain.where(plain.notna(), None).to_numpy().tolist()
    return rows
