"""What ``svc-notebook validate`` prints: every finding with its line and a caret under the place."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..records import dataclass
from .errors import ModelProblem
from .loader import check_model, load_model

if TYPE_CHECKING:
    from .engine import Engine

__all__ = ["Validation", "validate_model"]


@dataclass(frozen=True, slots=True)
class Validation:
    """The findings about a model, and the same as text; ``ok`` if nothing keeps it from loading."""

    problems: tuple[ModelProblem, ...]
    text: str

    @property
    def errors(self) -> int:
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        return sum(problem.severity == "warning" for problem in self.problems)

    @property
    def remarks(self) -> int:
        """What asks nothing of anybody."""
        return len(self.problems) - self.errors - self.warnings

    @property
    def ok(self) -> bool:
        return self.errors == 0


def validate_model(path: str | Path, *, dialect: str | None = None, engine: Engine | None = None) -> Validation:
    """Check the model in a folder or file, and say what was found in words for a terminal.

    With an ``engine`` the model is held against its data too, once it loads.

    ::

        orders.yml:7:9: error: 'sql_tabel' is not a key of a cube; did you mean 'sql_table'?
             7 │     sql_tabel: orders
               │     ^^^^^^^^^
    """
    problems = tuple(check_model(path, dialect=dialect))
    if engine is not None and not any(problem.severity == "error" for problem in problems):
        from .fitting import check_data

        fitting = check_data(load_model(path, dialect=dialect), engine)
        problems = tuple(sorted((*problems, *fitting), key=lambda p: (p.file, p.line, p.column)))
    base = Path(path) if Path(path).is_dir() else Path(path).parent
    blocks = [_shown(problem, lines) for problem, lines in _with_lines(problems, base)]
    result = Validation(problems, "")
    return Validation(problems, "\n\n".join([*blocks, _summary(result)]))


def _summary(result: Validation) -> str:
    if not result.problems:
        return "No findings."
    counted = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for count, word in ((result.errors, "error"), (result.warnings, "warning"), (result.remarks, "remark"))
        if count
    ]
    *first, last = counted
    return (
        (", ".join(first) + " and " if first else "") + last + ("" if result.ok else "; the model does not load") + "."
    )


def _with_lines(problems: Iterable[ModelProblem], base: Path) -> Iterable[tuple[ModelProblem, list[str]]]:
    texts: dict[str, list[str]] = {}
    for problem in problems:
        if problem.file not in texts:
            texts[problem.file] = _lines(base / problem.file)
        yield problem, texts[problem.file]


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace").split("\n")
    except OSError:
        return []


def _shown(problem: ModelProblem, lines: list[str]) -> str:
    if not 0 < problem.line <= len(lines):
        return str(problem)
    line = lines[problem.line - 1].rstrip().replace("\t", " ")
    start = min(problem.column - 1, len(line))
    width = len(line[start:].split(" ")[0].rstrip(":,")) or 1
    return "\n".join((str(problem), f"{problem.line:6} │ {line}", f"       │ {' ' * start}{'^' * width}"))
