"""``svc-notebook review``: what askers were not served well with, and what is done about it."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from .output import CommandFailed, command, note, print_json

EXAMPLES = """\
examples:
  svc-notebook review state.sqlite                                        what was wrong, corrected, refused, asked back
  svc-notebook review state.sqlite --days 7 --json
  svc-notebook review state.sqlite --synonym turnover=orders.revenue --model model/
  svc-notebook review state.sqlite --accept 3 --sql "SELECT …" --cases questions.yml       as a case for eval
  svc-notebook review state.sqlite --accept 3 --sql "SELECT …" --certified certified.yml   as a certified question

A synonym is written into the model's YAML line by line, so that comments stay. Cases and certified questions are
appended to a YAML list; `svc-notebook eval questions.yml` runs the cases as a regression.
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "review",
        help="what askers were not served well with",
        description="List the questions that were marked wrong, corrected, refused or asked back, grouped by likeness, "
        "and accept what they teach: as a synonym, a certified question or a case for eval.",
        more=EXAMPLES,
    )
    parser.add_argument("store", help="the service's state store: an SQLite file or a PostgreSQL URL")
    parser.add_argument("--days", type=float, help="only of the last so many days")
    parser.add_argument("--most", type=int, default=20, help="groups shown (default: 20)")
    parser.add_argument("--json", action="store_true", help="all groups as JSON")
    parser.add_argument("--synonym", metavar="WORD=CUBE.MEMBER", help="write a synonym into --model")
    parser.add_argument("--model", type=Path, help="folder or file of the data model")
    parser.add_argument("--accept", type=int, metavar="N", help="the group of that number, with --sql")
    parser.add_argument("--sql", help="the SQL over the data model that answers it")
    parser.add_argument("--cases", type=Path, help="YAML list of cases that it is appended to")
    parser.add_argument("--certified", type=Path, help="YAML list of certified questions that it is appended to")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    found = _findings(options)
    if options.synonym:
        return _synonym(options)
    if options.accept is not None:
        return _accept(options, found)
    if options.json:
        print_json([finding.as_dict() for finding in found])
        return 0
    for number, finding in enumerate(found[: options.most], 1):
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        print(f"{number:3d}  {finding.kind:10s} {finding.question}{times}")
        others = [question for question in finding.questions if question != finding.question]
        if others:
            print(f"     also: {'; '.join(others[:4])}")
        if finding.unknown and finding.kind == "refused":
            print(f"     unknown: {', '.join(finding.unknown[:6])}")
        for why in finding.why[:3]:
            print(f"     said: {why}")
    note(f"{len(found)} groups" if found else "nothing to review")
    return 0


def _findings(options: argparse.Namespace) -> list[Any]:
    from ..service.review import findings
    from ..service.store import open_store
    from ..service.store.reviewing import turns_to_review

    if "://" not in options.store and not Path(options.store).is_file():
        raise CommandFailed(f"There is no state store {options.store}.")
    since = time.time() - 86_400 * options.days if options.days is not None else 0.0
    store = open_store(options.store)
    try:
        return findings(store.read(turns_to_review, since))
    finally:
        store.close()


def _synonym(options: argparse.Namespace) -> int:
    from ..semantic.loading.synonyms import CannotEdit, add_synonym

    word, equals, path = options.synonym.partition("=")
    if not (word.strip() and equals and "." in path) or options.model is None:
        raise CommandFailed("Write --synonym WORD=CUBE.MEMBER --model FOLDER.")
    try:
        file = add_synonym(options.model, path.strip(), word.strip())
    except CannotEdit as error:
        raise CommandFailed(str(error)) from None
    print(f"{file}: '{word.strip()}' is a synonym of {path.strip()}")
    return 0


def _accept(options: argparse.Namespace, found: list[Any]) -> int:
    if not 1 <= options.accept <= len(found):
        raise CommandFailed(f"There is no group {options.accept}: there are {len(found)}.")
    target = options.cases or options.certified
    if target is None or not options.sql:
        raise CommandFailed(
            "Say what it is answered by, and where that is kept: --sql … with --cases or --certified FILE."
        )
    entry = f"- question: {_quoted(found[options.accept - 1].question)}\n  sql: {_quoted(options.sql)}\n"
    before = target.read_text(encoding="utf8") if target.exists() else ""
    target.write_text(f"{before.rstrip()}\n{entry}" if before.strip() else entry, encoding="utf8")
    print(f"{target}: {found[options.accept - 1].question}")
    return 0


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
