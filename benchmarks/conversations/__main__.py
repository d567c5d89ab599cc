"""Print how the turns of our own conversations come out."""

from __future__ import annotations

import argparse
from collections import Counter

from . import FILES, outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip())
    parser.add_argument("names", nargs="*", default=list(FILES))
    parser.add_argument("--fails", action="store_true", help="show what did not come out right")
    asked = parser.parse_args()
    for name in asked.names:
        counts: Counter[str] = Counter()
        for outcome in outcomes(name):
            counts[outcome.verdict] += 1
            if asked.fails and outcome.verdict != "right":
                said = " | ".join(outcome.questions[-2:])
                print(f"{outcome.verdict:8s} {said}\n         {outcome.sql}\n         {outcome.text[:160]!r}")
        print(f"{name:10s} {sum(counts.values()):4d} turns: {dict(counts)}", flush=True)


main()
