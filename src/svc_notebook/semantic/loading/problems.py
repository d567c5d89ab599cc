"""What is wrong with a model, collected rather than raised, so that one run shows everything."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ..errors import ModelProblem
from ..model import Source

__all__ = ["Problems", "did_you_mean", "nearest"]

# A piece of SQL in a block of YAML begins below its key, and is rarely longer.
_SEARCHED_LINES = 80


class Problems:
    """The findings of one load, each once, and the texts of the files they are in."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        # A dict, for the order: each finding once, in the order of reading.
        self._found: dict[ModelProblem, None] = {}
        self._notes: dict[tuple[str, str], list[Source]] = {}

    @property
    def found(self) -> list[ModelProblem]:
        """All findings, by place; what is without effect is told once, at its first place."""
        told: list[ModelProblem] = []
        for (what, why), places in self._notes.items():
            first = min(places, key=lambda place: (place.file, place.line, place.column))
            times = f" ({len(places)} times, first here)" if len(places) > 1 else ""
            told.append(ModelProblem(f"{what} {why}{times}", first.file, first.line, first.column, "info"))
        return sorted((*self._found, *told), key=lambda p: (p.file, p.line, p.column, p.message))

    @property
    def errors(self) -> list[ModelProblem]:
        return [problem for problem in self.found if problem.severity == "error"]

    def keep(self, problems: Iterable[ModelProblem]) -> None:
        """Forget all errors and warnings but these."""
        self._found = {problem: None for problem in problems if problem in self._found}

    def error(self, message: str, source: Source, *, at: str | None = None) -> None:
        """A finding that makes the model unusable; ``at`` is a piece of text to point at from ``source`` on."""
        self._add(message, source, at, "error")

    def warning(self, message: str, source: Source, *, at: str | None = None) -> None:
        """A finding that changes no answer."""
        self._add(message, source, at, "warning")

    def info(self, message: str, source: Source) -> None:
        """A finding that asks nothing of anybody."""
        self._add(message, source, None, "info")

    def without_effect(self, what: str, why: str, source: Source) -> None:
        """Something that is accepted and changes nothing; told once, however often it stands in the model."""
        self._notes.setdefault((what, why), []).append(source)

    def _add(self, message: str, source: Source, at: str | None, severity: str) -> None:
        if at:
            source = self._pointed(source, at)
        self._found[ModelProblem(message, source.file, source.line, source.column, severity)] = None

    def _pointed(self, source: Source, at: str) -> Source:
        lines = self.texts.get(source.file, [])
        for number in range(max(source.line, 1), min(source.line + _SEARCHED_LINES, len(lines) + 1)):
            start = source.column - 1 if number == source.line else 0
            column = lines[number - 1].find(at, start)
            if column >= 0:
                return Source(source.file, number, column + 1)
        return source


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, if one is near."""
    names = list(dict.fromkeys(known))
    folded: dict[str, str] = {}
    for candidate in names:
        folded.setdefault(candidate.lower().replace("_", ""), candidate)
    wanted = name.lower().replace("_", "")
    if wanted in folded:
        return folded[wanted]
    longer = [candidate for candidate in names if candidate.lower().endswith(f"_{name.lower()}")]
    if len(longer) == 1:
        return longer[0]
    # 0.7, above difflib's 0.6: short names would else be near each other by chance.
    close = difflib.get_close_matches(wanted, folded, n=1, cutoff=0.7)
    return folded[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` Did you mean 'x'?``, or nothing."""
    near = nearest(name, known)
    return f"; did you mean '{near}'?" if near is not None else ""
