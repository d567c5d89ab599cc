"""Cubes and views that a project declares in JavaScript, and rules it keeps in code: seen, told, never run."""

from __future__ import annotations

from collections.abc import Iterator

from ... import patterns as re
from ...records import dataclass
from ..model import Source
from .problems import Problems

__all__ = ["SCRIPTS", "ForeignCube", "read_script"]

SCRIPTS = (".js", ".ts", ".mjs", ".cjs", ".py")
_DECLARED = re.compile(r"""^[ \t]*(cube|view)\(\s*[`'"]([A-Za-z_]\w*)[`'"]\s*,""", re.MULTILINE)
_RULES = re.compile(r"\b(queryRewrite|query_rewrite)\b")
_TEMPLATE_CODE = re.compile(r"^[ \t]*@?\w+\.(?:function|filter)\b|\bTemplateContext\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ForeignCube:
    """A cube or view that is written in a language that is not read."""

    kind: str
    language: str
    source: Source


def read_script(text: str, shown: str, problems: Problems) -> dict[str, ForeignCube]:
    """The cubes and views a script declares, each reported with what to write instead."""
    if shown.endswith(".py"):
        _report(_RULES, "an access_policy", "rows are not restricted by it", text, shown, problems)
        if _TEMPLATE_CODE.search(text):
            problems.warning(
                "Python for templates is not run; write what it would produce as plain YAML",
                _place(text, shown, _TEMPLATE_CODE.search(text)),
            )
        return {}
    found: dict[str, ForeignCube] = {}
    for match in _DECLARED.finditer(text):
        where = _place(text, shown, match, 1)
        found[match[2]] = ForeignCube(match[1], "JavaScript", where)
        problems.warning(
            f"{match[1]} '{match[2]}' is written in JavaScript, which is not read; write it in YAML, as "
            f"'{match[1]}s: - name: {match[2]}'",
            where,
        )
    # A script without either is no part of the model, whatever words it holds.
    if found or re.search(r"module\.exports\s*=", text):
        _report(_RULES, "an access_policy", "rows are not restricted by it", text, shown, problems)
    return found


def _report(pattern: re.Pattern[str], instead: str, effect: str, text: str, shown: str, problems: Problems) -> None:
    for match in _first(pattern, text):
        problems.warning(f"'{match[1]}' is not run, and {effect}; write {instead}", _place(text, shown, match, 1))


def _first(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    match = pattern.search(text)
    if match is not None:
        yield match


def _place(text: str, shown: str, match: re.Match[str] | None, group: int = 0) -> Source:
    at = match.start(group) if match is not None else 0
    return Source(shown, text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)
