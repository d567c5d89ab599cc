"""Print how the questions of strangers come out, domain by domain, what is open and what is closed apart."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from . import Outcome, domains, outcomes, read_domain

VERDICTS = ("right", "silent", "told", "offered", "refused", "kept quiet", "failed")
ANSWERED = ("right", "silent", "told", "offered")


def line(label: str, counts: Counter[str]) -> str:
    """The figures of one domain, or of one half."""
    answered = sum(counts[verdict] for verdict in ANSWERED)
    of_answered = f"{100 * counts['right'] / answered:.1f}" if answered else "-"
    cells = [str(counts.total()), *(str(counts[verdict]) for verdict in VERDICTS), of_answered]
    return f"{label:20s}" + "".join(f"{cell:>11s}" for cell in cells)


def failures(found: Iterable[Outcome], *, closed: bool, asked: bool) -> list[str]:
    """What is shown of single questions: that one raised, always; of open domains what went wrong, where asked for."""
    shown = [one for one in found if one.verdict not in ("right", "kept quiet")]
    if closed:
        return [f"  failed: {one.text.split(':')[0]}" for one in shown if one.verdict == "failed"]
    return [
        f"  {one.verdict:8s} {one.question}\n    {' '.join(one.sql.split())}\n    {one.text[:160]!r}\n    expected {list(one.expected)}"
        for one in shown
        if asked or one.verdict == "failed"
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask every domain that is named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strangers", description=(__doc__ or "").strip())
    parser.add_argument("names", nargs="*", metavar="DOMAIN")
    parser.add_argument("--fails", action="store_true", help="show what did not come out right, of open domains")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    names = options.names or domains()
    totals: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    print(f"{'':20s}" + "".join(f"{head:>11s}" for head in ("n", *VERDICTS, "of answered")))
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for name, found in zip(names, pool.map(outcomes, names), strict=True):
            closed = bool(read_domain(name).get("closed"))
            counts = Counter(one.verdict for one in found)
            totals[closed] += counts
            print("\n".join([line(name, counts), *failures(found, closed=closed, asked=options.fails)]), flush=True)
    for closed, counts in totals.items():
        if counts:
            print(line("all closed" if closed else "all open", counts))


if __name__ == "__main__":
    main()
