"""Run the faults an operator fears, on SQLite and on PostgreSQL, and print what came of them (`make faults`).

Every scenario is a set of tests; a try is one run of one of them. A test fails when something acknowledged is lost,
something is torn, something never ends, or something is left behind: a failure is any of these, and is to be 0.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SERVICE = "tests/service"


@dataclass(frozen=True)
class Scenario:
    """A fault, what it is called, and the tests that make it happen."""

    name: str
    what: str
    tests: tuple[str, ...]


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
        ),
    ),
    Scenario("F15", "queries without memory", ("tests/soundness/test_limits_and_progress.py",)),
    Scenario("F16", "kernels interrupted and restarted", ("tests/embedded/test_kernel.py",)),
    Scenario(
        "F17", "hostile and foreign services",
        ("tests/client/test_hostile_service.py", "tests/client/test_independent_service.py"),
    ),
    Scenario("F18", "models and data that change", ("tests/generations",)),
    Scenario(
        "out", "outages of PostgreSQL, files moved, broken, replaced",
        (f"{SERVICE}/test_outages.py -k server or turn or upserts or given_up or gone or back or moved or cannot",),
    ),
]  # fmt: skip


def run(scenario: Scenario, times: int) -> tuple[int, int, int, float]:
    """Tries, failures, skipped, seconds."""
    tries = failed = skipped = 0
    seconds = 0.0
    for _ in range(times):
        for each in scenario.tests:
            place, _, chosen = each.partition(" -k ")
            with tempfile.TemporaryDirectory() as folder:
                report = Path(folder) / "report.xml"
                command = [
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "-p",
                    "no:cacheprovider",
                    place,
                    f"--junitxml={report}",
                ]
                subprocess.run(
                    [*command, *(["-k", chosen] if chosen else [])], cwd=ROOT, check=False, stdout=subprocess.DEVNULL
                )
                found = _read(report)
            tries, failed, skipped, seconds = (
                a + b for a, b in zip((tries, failed, skipped, seconds), found, strict=True)
            )
    return int(tries), int(failed), int(skipped), seconds


def _read(report: Path) -> tuple[int, int, int, float]:
    """What a run reports; one that reports nothing, or ran nothing, is a failure."""
    if not report.exists():
        return 1, 1, 0, 0.0
    suite = next(iter(ET.parse(report).getroot()))
    tests, skipped = int(suite.attrib["tests"]), int(suite.attrib["skipped"])
    wrong = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    return (tests - skipped, wrong, skipped, float(suite.attrib["time"])) if tests else (1, 1, 0, 0.0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="runs of every scenario (default: 3)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="scenarios, as F3 F10 (default: all)")
    options = parser.parse_args(arguments)
    chosen = [each for each in SCENARIOS if not options.only or each.name in options.only]
    print(f"{'':4} {'fault':55} {'tries':>5} {'failed':>6} {'skipped':>7} {'seconds':>8}")
    wrong = 0
    for scenario in chosen:
        tries, failed, skipped, seconds = run(scenario, options.times)
        wrong += failed
        print(f"{scenario.name:4} {scenario.what:55} {tries:5} {failed:6} {skipped:7} {seconds:8.1f}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
