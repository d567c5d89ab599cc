"""``svc-notebook eval``: questions with the SQL that answers them, put to the analyst; how many come out right."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, note, print_json

if TYPE_CHECKING:
    import pandas as pd

EXAMPLE = """\
A file of questions is YAML (a list) or JSON lines:

  - question: flights by airline
    sql: SELECT airline, MEASURE(count) FROM flights GROUP BY 1
  - question: only December
    follows: true            # in the same chat as the question before
    sql: SELECT airline, MEASURE(count) FROM flights WHERE scheduled_departure >= '2013-12-01' GROUP BY 1

An answer is right when its rows are those of the SQL, whatever the order of rows and columns and the names of columns;
it may have more columns. Without `sql`, it is enough that the question was answered.
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``right``, ``wrong``, ``unanswered`` or ``failed``, and why."""

    question: str
    verdict: str
    seconds: float
    why: str = ""
    sql: str | None = None


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "eval",
        help="how many questions the analyst answers right",
        description="Put questions to the analyst and compare its rows with those of the SQL you expect.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("questions", type=Path, help="YAML or JSON-lines file")
    parser.add_argument("--at-least", type=float, default=100.0, metavar="PERCENT", help="below it, exit code 1 (100)")
    parser.add_argument("--json", action="store_true", help="verdicts as JSON")
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..client.errors import SvcError

    entries = read_questions(options.questions)
    user = user_fields(options)
    try:
        with open_client(options) as client:
            verdicts = _put(client, entries, user, quiet=options.json)
    except SvcError as error:
        raise CommandFailed(error.message) from None
    counts = Counter(verdict.verdict for verdict in verdicts)
    share = 100 * counts["right"] / len(verdicts)
    if options.json:
        print_json({"right": share, "counts": counts, "verdicts": [asdict(verdict) for verdict in verdicts]})
    else:
        print(f"{counts['right']} of {len(verdicts)} right ({share:.0f} %): {dict(counts)}")
    return 0 if share >= options.at_least else 1


def read_questions(path: Path) -> list[dict[str, Any]]:
    """The entries of a file; each has a ``question``."""
    import yaml

    try:
        text = path.read_text("utf-8")
        entries: Any
        if path.suffix in (".jsonl", ".ndjson"):
            entries = [json.loads(line) for line in text.split("\n") if line.strip()]
        else:
            entries = yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise CommandFailed(f"{path}: {error}") from None
    if not isinstance(entries, list) or len(entries) == 0:
        raise CommandFailed(f"{path}: expected a list of questions; see `svc-notebook eval --help`")
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("question"), str):
            raise CommandFailed(f"{path}: entry {number} has no `question`; see `svc-notebook eval --help`")
    return entries


def _put(client: Any, entries: list[dict[str, Any]], user: dict[str, Any], *, quiet: bool) -> list[Verdict]:
    verdicts: list[Verdict] = []
    chat: Any = None
    for number, entry in enumerate(entries, 1):
        if number == 1 or not entry.get("follows"):
            chat = client.chat(**user)
        verdict = _judge(client, chat, entry, user)
        verdicts.append(verdict)
        if not quiet:
            note(f"{number:>4}/{len(entries)} {verdict.verdict:<10} {verdict.question}")
            if verdict.why:
                note(f"     {verdict.why}")
    return verdicts


def _judge(client: Any, chat: Any, entry: dict[str, Any], user: dict[str, Any]) -> Verdict:
    question = entry["question"]
    began = time.monotonic()
    answer = chat.ask(question)
    seconds = round(time.monotonic() - began, 3)
    if answer.status != "complete":
        return Verdict(question, "failed", seconds, answer.error or answer.status)
    if answer.df is None:
        return Verdict(question, "unanswered", seconds, answer.text.split("\n")[0])
    if "sql" in entry:
        expected = client.sql(entry["sql"], **user)
        found = answer.result.load_all() if answer.result.truncated else answer.df
        if not same_rows(found, expected):
            why = f"{len(found)} rows of {list(found.columns)}, expected {len(expected)} of {list(expected.columns)}"
            return Verdict(question, "wrong", seconds, why, answer.sql)
    return Verdict(question, "right", seconds, sql=answer.sql)


def same_rows(found: pd.DataFrame, expected: pd.DataFrame) -> bool:
    """Whether ``found`` has, for each column of ``expected``, one with the same values, row by row in some order."""
    if len(found) != len(expected) or found.shape[1] < expected.shape[1]:
        return False
    columns: list[Any] = []
    for name in expected.columns:
        wanted = sorted(map(_value, expected[name]))
        match = [c for c in found.columns if c not in columns and sorted(map(_value, found[c])) == wanted]
        if not match:
            return False
        columns.append(match[0])
    left = sorted(tuple(map(_value, row)) for row in found[columns].itertuples(index=False))
    return left == sorted(tuple(map(_value, row)) for row in expected.itertuples(index=False))


def _value(value: Any) -> str:
    """A value as text that does not depend on its type: ``1``, ``1.0`` and ``Decimal("1.00")`` are the same."""
    import pandas as pd

    if pd.isna(value):
        return ""
    try:
        return f"{float(value):.6g}"
    except (TypeError, ValueError):
        return str(value).removesuffix(" 00:00:00")
