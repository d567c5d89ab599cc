"""``make engines``: thousands of questions to two engines over the same rows; what is equal, refused, different."""

from __future__ import annotations

import argparse
import collections
import itertools
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from svc_notebook.semantic.engine.postgres import PostgresEngine

from ..semantic_sql.shop import DATA, OPERATOR
from ..service.postgres_server import find_programs, server
from .elsewhere import Opened, suites
from .questions import BY_HAND, EMEA, MODEL, MORE, drawn, facts
from .spark_server import missing, written
from .spark_server import server as spark_server
from .twins import Twins, filled, spark_twins, twins

SHOWN = {"postgres": "PostgreSQL", "spark": "Spark"}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--engine", choices=["postgres", "spark"], help="which one beside DuckDB (default: all there are)"
    )
    parser.add_argument("--queries", type=int, default=3000, help="how many are drawn (default: 3000; of Spark 300)")
    parser.add_argument("--seed", type=int, default=1000, help="the first seed (default: 1000)")
    options = parser.parse_args(arguments)
    worst = 0
    for engine in [options.engine] if options.engine else ["postgres", "spark"]:
        reason = absent(engine)
        if reason:
            print(f"{engine}: {reason}")
            worst = max(worst, 2 if options.engine else 0)
            continue
        count = options.queries if engine == "postgres" else max(1, options.queries // 10)
        with both_of(engine) as both:
            worst = max(worst, compared(engine, both, range(options.seed, options.seed + count)))
        worst = max(worst, promised(engine, range(options.seed, options.seed + max(1, count // 10))))
    return worst


def absent(engine: str) -> str:
    """Why an engine cannot be asked here; ``""`` if it can."""
    if engine == "spark":
        return missing()
    return "" if find_programs() is not None else "PostgreSQL is not installed (Debian: apt-get install postgresql)"


def promised(engine: str, seeds: range) -> int:
    """1 if one of the two promises' suites finds anything over the engine, else 0."""
    wrong = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-worlds-")))
        opened = stack.enter_context(opening(engine, folder))
        for name, found in suites(SHOWN[engine], opened, folder, seeds, None if engine == "postgres" else 60):
            print(f"{engine}: {name}: {dict(found.counts)}, {len(found.wrong)} wrong", *found.wrong, sep="\n  ")
            wrong += len(found.wrong)
    return 1 if wrong else 0


@contextmanager
def opening(engine: str, folder: Path) -> Iterator[Opened]:
    """What puts tables into a server of the engine and opens it there."""
    if engine == "spark":
        from svc_notebook.semantic.engine.spark import SparkEngine

        numbers = itertools.count()
        with spark_server() as running:
            yield lambda tables: SparkEngine.open(running.url, files=written(folder / f"tables{next(numbers)}", tables))
    else:
        programs = find_programs()
        assert programs is not None
        with server(programs) as database:
            yield lambda tables: PostgresEngine.open(filled(database.database(), tables))


@contextmanager
def both_of(engine: str) -> Iterator[Twins]:
    """DuckDB and the engine over the same rows."""
    tables = {**DATA, "facts": facts(200)}
    with ExitStack() as stack:
        if engine == "spark":
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-twins-")))
            yield stack.enter_context(spark_twins(MODEL, tables, stack.enter_context(spark_server()).url, folder))
        else:
            programs = find_programs()
            assert programs is not None
            yield stack.enter_context(twins(MODEL, tables, stack.enter_context(server(programs)).database()))


def compared(engine: str, both: Twins, seeds: Iterable[int]) -> int:
    """1 if anything differs, else 0."""
    shown = SHOWN[engine]
    seen: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[str] = collections.Counter()
    started = time.monotonic()
    for sql in [*BY_HAND, *MORE, *map(drawn, seeds)]:
        for ctx in (OPERATOR, EMEA):
            found = both.difference(sql, ctx)
            kind = "equal" if not found else "refused" if found.startswith(f"refused: Over {shown}") else "different"
            seen[kind] += 1
            if kind == "refused":
                refused[found] += 1
            elif kind == "different":
                print(f"{sql}\n  {found}")
    print(f"{engine}: {dict(seen)} in {time.monotonic() - started:.0f} s")
    for words, number in refused.most_common():
        print(f"{number:6} {words}")
    return 1 if seen["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
