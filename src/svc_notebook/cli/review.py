"""``svc-notebook review``: what askers were not served well with, and what is done about it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from .output import CommandFailed, command, note, print_json

EXAMPLES = """\
examples:
  svc-notebook review state.sqlite                                        what was wrong, corrected, refused, asked back
  svc-notebook review state.sqlite --days 7 --json
  svc-notebook review state.sqlite --synonym turnover=orders.revenue --model model/
  svc-notebook review state.sqlite --default delay=flights.arrival_delay --model model/    what a word means by itself
  svc-notebook review state.sqlite --accept 3 --sql "SELECT …" --cases questions.yml       as a case for eval
  svc-notebook review state.sqlite --accept 3 --sql "SELECT …" --certified certified.yml   as a certified question

A synonym, or a default (what a word means that could mean several members), is written into the model's YAML line by
line, so that comments stay. Cases and certified questions are
appended to a YAML list; `svc-notebook eval questions.yml` runs the cases as a regression.
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "review",
        help="what askers were not served well with",
        description="List the questions that were marked wrong, corrected, refused or asked back, grouped by likeness, "
        "and accept what they teach: as a synonym, a default, a certified question or a case for eval.",
        more=EXAMPLES,
    )
    parser.add_argument("store", help="the service's state store: an SQLite file or a PostgreSQL URL")
    parser.add_argument("--days", type=float, help="only of the last so many days")
    parser.add_argument("--most", type=int, default=20, help="groups shown (default: 20)")
    parser.add_argument("--json", action="store_true", help="all groups as JSON")
    parser.add_argument("--synonym", metavar="WORD=CUBE.MEMBER", help="write a synonym into --model")
    parser.add_argument("--default", metavar="WORD=CUBE.MEMBER", help="write into --model what a word means by itself")
    parser.add_argument("--model", type=Path, help="folder or file of the data model")
    parser.add_argument("--accept", type=int, metavar="N", help="the group of that number, with --sql")
    parser.add_argument("--sql", help="the SQL over the data model that answers it")
    parser.add_argument("--cases", type=Path, help="YAML list of cases that it is appended to")
    parser.add_argument("--certified", type=Path, help="YAML list of certified questions that it is appended to")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    found = _findings(options)
    if options.synonym or options.default:
        return _word(options)
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
        for reading, _ in finding.readings[:3]:
            print(f"     could be: {reading}")
        for why in finding.why[:3]:
            print(f"     said: {why}")
    note(f"{len(found)} groups" if found else "nothing to review")
    return 0


def _findings(options: argparse.Namespace) -> list[Any]:
    from ..service.store import open_store
    from ..service.store.reviewing import turns_to_review
    from ..service.turns.review import findings

    if "://" not in options.store and not Path(options.store).is_file():
        raise CommandFailed(f"There is no state store {options.store}.")
    since = time.time() - 86_400 * options.days if options.days is not None else 0.0
    store = open_store(options.store)
    try:
        return findings(store.read(turns_to_review, since))
    finally:
        store.close()


def _word(options: argparse.Namespace) -> int:
    from ..semantic.loading.synonyms import CannotEdit, add_default, add_synonym

    given, add, said = (
        (options.synonym, add_synonym, "is a synonym of")
        if options.synonym
        else (options.default, add_default, "means, where nothing else is said,")
    )
    word, equals, path = (part.strip() for part in given.partition("="))
    if not (word and equals and "." in path) or options.model is None:
        flag = "--synonym" if options.synonym else "--default"
        raise CommandFailed(f"Write {flag} WORD=CUBE.MEMBER --model FOLDER.")
    try:
        file = add(options.model, path, word)
    except CannotEdit as error:
        raise CommandFailed(str(error)) from None
    print(f"{file}: '{word}' {said} {path}")
    return 0


def _accept(options: argparse.Namespace, found: list[Any]) -> int:
    from ..embedded_review import append_case

    if not 1 <= options.accept <= len(found):
        raise CommandFailed(f"There is no group {options.accept}: there are {len(found)}.")
    target = options.cases or options.certified
    if target is None or not options.sql:
        raise CommandFailed(
            "Say what it is answered by, and where that is kept: --sql … with --cases or --certified FILE."
        )
    append_case(target, found[options.accept - 1].question, options.sql)
    print(f"{target}: {found[options.accept - 1].question}")
    return 0
