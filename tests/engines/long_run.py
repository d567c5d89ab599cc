"""``make engines``: thousands of questions to both engines over the same rows; what is equal, refused, different."""

from __future__ import annotations

import argparse
import collections
import sys
import time

from ..semantic_sql.shop import DATA, OPERATOR
from ..service.postgres_server import find_programs, server
from .questions import BY_HAND, EMEA, MODEL, drawn, facts
from .twins import twins


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=3000, help="how many are drawn (default: 3000)")
    parser.add_argument("--seed", type=int, default=1000, help="the first seed (default: 1000)")
    options = parser.parse_args(arguments)
    programs = find_programs()
    if programs is None:
        print("PostgreSQL is not installed (Debian: apt-get install postgresql)")
        return 2
    seen: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[str] = collections.Counter()
    started = time.monotonic()
    with server(programs) as running, twins(MODEL, {**DATA, "facts": facts(200)}, running.database()) as both:
        for sql in [*BY_HAND, *(drawn(options.seed + number) for number in range(options.queries))]:
            for ctx in (OPERATOR, EMEA):
                found = both.difference(sql, ctx)
                kind = (
                    "equal" if not found else "refused" if found.startswith("refused: Over PostgreSQL") else "different"
                )
                seen[kind] += 1
                if kind == "refused":
                    refused[found] += 1
                elif kind == "different":
                    print(f"{sql}\n  {found}")
    print(f"{dict(seen)} in {time.monotonic() - started:.0f} s")
    for words, number in refused.most_common():
        print(f"{number:6} {words}")
    return 1 if seen["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
