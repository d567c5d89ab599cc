"""Findings that only follow from another one: a file that could not be read takes its cubes away from all others.

What is missing because of one slip is not reported at every place that needs it; once the slip is mended, the rest is
checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ... import patterns as re
from ..errors import ModelProblem
from .tree import Node

__all__ = ["names_in_text", "without_follow_ups"]

_NAMED = re.compile(r"^( *)- +(?:\{ *)?name: *[\"']?([A-Za-z_]\w*)", re.MULTILINE)
_MENTIONED = re.compile(r"'\$?\{?([A-Za-z_][\w.]*)|\{([A-Za-z_][\w.]*)")
_LACKS = re.compile(r"is no (?:member|dimension|measure)\b|is unknown in ")


def names_in_text(text: str) -> set[str]:
    """The cubes and views that a file seems to declare, told without reading it as YAML."""
    found = [(len(match[1]), match[2]) for match in _NAMED.finditer(text)]
    # The names farthest to the left are those of cubes and views, the others their members'.
    least = min((indent for indent, _ in found), default=0)
    return {name for indent, name in found if indent == least}


def without_follow_ups(
    found: Iterable[ModelProblem], lost: Collection[str], views: Mapping[str, Node]
) -> list[ModelProblem]:
    """The findings, without those that a lost cube or view, or a view's wrong join path, brings about.

    Parameters
    ----------
    lost
        Names that are declared in files which cannot be read.
    views
        The views that were read, by name.
    """
    found = list(found)
    partial = {name for name, node in views.items() if _paths(node) & set(lost)}
    partial |= {name for name, node in views.items() if any(_is_wrong_path(p, node) for p in found)}
    if not lost and not partial:
        return found
    return [problem for problem in found if not _follows(problem, set(lost), partial)]


def _paths(view: Node) -> set[str]:
    """The cubes on the join paths of a view."""
    entries = view.entries.get("cubes")
    paths = (
        [entry.entries.get("join_path") or entry.entries.get("joinPath") for entry in entries.items] if entries else []
    )
    return {name for path in paths if path is not None for name in re.findall(r"\w+", path.raw)}


def _is_wrong_path(problem: ModelProblem, view: Node) -> bool:
    """Whether an error stands at one of the view's join paths, so that members are missing from it."""
    entries = view.entries.get("cubes")
    places = [entry.entries.get("join_path") for entry in entries.items] if entries else []
    return problem.severity == "error" and any(
        node is not None and (node.source.file, node.source.line) == (problem.file, problem.line) for node in places
    )


def _follows(problem: ModelProblem, lost: set[str], partial: set[str]) -> bool:
    # The cause itself, and no consequence.
    if problem.message.startswith("not readable as YAML"):
        return False
    said = [name for match in _MENTIONED.finditer(problem.message) for name in (match[1] or match[2]).split(".")]
    return bool(lost & set(said)) or bool(_LACKS.search(problem.message) and partial & set(said))
