"""The rooms of which samples are broken, and the tests among which theirs are looked for."""

from __future__ import annotations

from dataclasses import dataclass

from .breaks import PACKAGE, ROOT

__all__ = ["ROOMS", "Room"]


@dataclass(frozen=True)
class Room:
    """Modules by their patterns below the package, and tests by path.

    What modules of ``kept`` work out is kept from one test to the next: whichever test of a file runs them first, each
    of the file may notice that they are broken.
    """

    patterns: tuple[str, ...]
    tests: tuple[str, ...]
    kept: tuple[str, ...] = ()

    @property
    def modules(self) -> list[str]:
        """The room's modules, in order."""
        return sorted(_of(self.patterns))

    def keeps(self, module: str) -> bool:
        """Whether what a module works out for one test serves the next."""
        return module in _of(self.kept)


def _of(patterns: tuple[str, ...]) -> set[str]:
    folder = ROOT / PACKAGE
    return {path.relative_to(folder).as_posix() for pattern in patterns for path in folder.glob(pattern)}


ROOMS = {
    "fold": Room(
        ("results/fold.py", "results/live.py", "results/growing_markdown.py", "protocol/ndjson.py"),
        ("tests/client", "tests/conformance", "tests/protocol", "tests/results", "tests/widgets"),
    ),
    "exchange": Room(("client/wire/*.py", "service/endpoints/exchange.py"), ("tests/client", "tests/conformance")),
    "frames": Room(
        ("results/frames.py", "results/rows.py", "results/values.py", "protocol/rows.py"),
        ("tests/results_frames", "tests/protocol", "tests/results", "tests/kept"),
    ),
    "store": Room(
        ("service/store/*.py",),
        (
            "tests/service/test_stores.py", "tests/service/test_turns_over_stores.py", "tests/service/test_prepared.py",
            "tests/service/test_branches.py", "tests/service/test_thread_branches.py", "tests/service/test_feedback.py",
            "tests/service/test_doors.py", "tests/service/test_keeping.py", "tests/service/test_storedesk.py",
            "tests/service/test_chat.py", "tests/service/test_scope.py", "tests/service/test_outages.py",
            "tests/service/test_seen_from_outside.py", "tests/conformance",
        ),
    ),
    "compiler": Room(
        ("semantic/compiler/**/*.py",),
        (
            "tests/semantic_sql", "tests/semantic_model", "tests/soundness/test_taken_ahead.py",
            "tests/soundness/test_over_time.py", "tests/soundness/test_by_hand.py",
            "tests/soundness/test_plan_proof.py",
        ),
    ),
    "reader": Room(
        ("analyst/offline/**/*.py",),
        ("tests/analyst", "tests/service/test_readings.py"),
        tuple(f"analyst/offline/{part}/**/*.py" for part in ("schema", "words", "languages", "lexicon")),
    ),
}  # fmt: skip
