"""Run the faults an operator fears, on SQLite and on PostgreSQL, and print what came of them (`make faults`).

Every scenario is a set of tests; a try is one run of one of them, and on how many of them which store was is told
beside. A test fails when something acknowledged is lost, something is torn or wrong, something is stuck, or something
is left behind: each failure is counted as one of these, by what it says, and all are to be 0. What could not be tried
here (no PostgreSQL, no right to mount) is told as skipped.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SERVICE = "tests/service"
OVER_STORES = f"{SERVICE}/test_turns_over_stores.py"


@dataclass(frozen=True)
class Scenario:
    """A fault, what it is called, and the tests that make it happen."""

    name: str
    what: str
    tests: tuple[str, ...]


OUTCOMES = {
    "lost": r"was lost|lost|missing|into the void",
    "stuck": r"did not happen in time|Timeout|timed out|TimeoutExpired|hung",
    "leaked": r"leaked|left behind|still open|descriptors|threads\(\)",
}
"""What a failure says, and what it is counted as; else something was torn, or wrong."""


SCENARIOS = [
    Scenario("F1", "killed while it upserts", (f"{SERVICE}/test_faults.py::test_killed_during_upserts",)),
    Scenario("F2", "killed while it answers", (f"{SERVICE}/test_faults.py::test_killed_during_a_chat",)),
    Scenario(
        "F3", "a full disk",
        (
            f"{SERVICE}/test_faults.py::test_a_full_disk", f"{SERVICE}/test_faults.py::test_a_disk_that_is_really_full",
            f"{SERVICE}/test_faults.py::test_a_turn_whose_end_does_not_fit_is_kept_when_there_is_room",
        ),
    ),
    Scenario(
        "F4", "several processes, one store",
        (
            f"{SERVICE}/test_stores.py::test_two_services_share_one_store",
            f"{SERVICE}/test_stores.py::test_processes_that_open_a_new_store_together_migrate_it_once",
            f"{SERVICE}/test_outages.py::test_processes_open_a_new_file_together", f"{SERVICE}/test_runners.py",
        ),
    ),
    Scenario(
        "F5", "a store that is locked",
        (
            f"{SERVICE}/test_faults.py::test_a_store_locked_by_another_process_answers_503_in_time",
            f"{SERVICE}/test_outages.py::test_a_lock_that_is_not_given_back_is_a_503",
            f"{SERVICE}/test_outages.py::test_a_store_that_stays_busy_is_told_while_others_are_served",
        ),
    ),
    Scenario("F6", "slow readers", (f"{SERVICE}/test_faults.py -k stalled or slow",)),
    Scenario("F7", "readers that vanish", (f"{SERVICE}/test_faults.py -k vanish or leave or gone",)),
    Scenario(
        "F8", "abort storms",
        (
            f"{SERVICE}/test_stores.py -k abort", f"{SERVICE}/test_faults.py -k abort",
            "tests/conformance/test_abort.py",
        ),
    ),
    Scenario("F9", "many at once", (f"{SERVICE}/test_crowd.py",)),
    Scenario("F10", "clocks that jump", (f"{SERVICE}/test_faults.py -k clock",)),
    Scenario("F11", "users who expire", (f"{SERVICE}/test_faults.py -k ends_with or on_time or run_out",)),
    Scenario("F12", "races for the last places", (f"{SERVICE}/test_stores.py -k limit or counts_once or places",)),
    Scenario("F13", "races of definitions", (f"{SERVICE}/test_stores.py -k definition or memberships",)),
    Scenario(
        "F14", "providers that fail",
        (
            "tests/llm/test_outcomes.py",
            "tests/llm/test_language_model.py::test_every_stream_ends_whatever_the_provider_does",
            f"{OVER_STORES} -k provider",
        ),
    ),
    Scenario(
        "F15", "queries without memory",
        ("tests/soundness/test_limits_and_progress.py", f"{OVER_STORES} -k memory"),
    ),
    Scenario(
        "F16", "kernels interrupted and restarted",
        ("tests/embedded/test_kernel.py", f"{SERVICE}/test_kernels_over_stores.py"),
    ),
    Scenario(
        "F17", "hostile and foreign services",
        ("tests/client/test_hostile_service.py", "tests/client/test_independent_service.py"),
    ),
    Scenario("F18", "models and data that change", ("tests/generations", f"{OVER_STORES} -k model")),
    Scenario("exit", "interpreters that end in the midst of a question", ("tests/embedded/test_exits.py",)),
    Scenario("see", "five faults that an operator finds by the page", (f"{SERVICE}/test_operator.py",)),
    Scenario(
        "out", "outages of PostgreSQL, files moved, broken, replaced",
        (f"{SERVICE}/test_outages.py -k server or turn or upserts or given_up or gone or back or moved or cannot",),
    ),
]  # fmt: skip


def run(scenario: Scenario, times: int) -> Counter[str]:
    """Tries, on which store, how they failed, how many were skipped, and the seconds."""
    counted: Counter[str] = Counter()
    for _ in range(times):
        for each in scenario.tests:
            place, _, chosen = each.partition(" -k ")
            with tempfile.TemporaryDirectory() as folder:
                report = Path(folder) / "report.xml"
                command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", place]
                words = [f"--junitxml={report}", *(["-k", chosen] if chosen else [])]
                subprocess.run([*command, *words], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
                counted += _read(report)
    return counted


def _read(report: Path) -> Counter[str]:
    """What a run reports; one that reports nothing, or ran nothing, was wrong."""
    if not report.exists():
        return Counter(tries=1, torn=1)
    suite = next(iter(ET.parse(report).getroot()))
    counted = Counter(seconds=round(float(suite.attrib["time"])))
    for test in suite.iter("testcase"):
        if test.find("skipped") is not None:
            counted["skipped"] += 1
            continue
        counted["tries"] += 1
        counted["postgres" if _on_a_server(test) else "sqlite"] += 1
        for wrong in (*test.iter("failure"), *test.iter("error")):
            said = f"{wrong.attrib.get('message', '')} {wrong.text or ''}"
            counted[next((name for name, words in OUTCOMES.items() if re.search(words, said)), "torn")] += 1
    return counted if counted["tries"] or counted["skipped"] else Counter(tries=1, torn=1)


def _on_a_server(test: ET.Element) -> bool:
    name = test.attrib["name"]
    return "postgres" in name or bool(re.search(r"_server_|upserts_in_any_order|given_up_on|not_given_back", name))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="runs of every scenario (default: 3)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="scenarios, as F3 F10 (default: all)")
    options = parser.parse_args(arguments)
    chosen = [each for each in SCENARIOS if not options.only or each.name in options.only]
    columns = ["tries", "sqlite", "postgres", "lost", "torn", "stuck", "leaked", "skipped", "seconds"]
    print(f"{'':4} {'fault':52} " + " ".join(f"{name:>8}" for name in columns))
    wrong = 0
    for scenario in chosen:
        counted = run(scenario, options.times)
        wrong += sum(counted[name] for name in ("lost", "torn", "stuck", "leaked"))
        print(f"{scenario.name:4} {scenario.what:52} " + " ".join(f"{counted[name]:8}" for name in columns), flush=True)
    if not options.only:  # the exits of 200 interpreters, in numbers of their own
        wrong += subprocess.run([sys.executable, str(ROOT / "scripts" / "exits.py")], cwd=ROOT, check=False).returncode
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
