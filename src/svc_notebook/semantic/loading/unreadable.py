"""What the YAML parser says, in plain words, and the slips it does not name."""

from __future__ import annotations

import yaml

from ... import patterns as re
from ..model import Source
from .problems import Problems

__all__ = ["report_unreadable"]

_INDENTED = (
    "the indentation does not fit the lines above, or a value that begins with { or a quote needs quotes around it"
)
_PLAIN_WORDS = (
    ("mapping values are not allowed", "a second ': ' on this line; quote the value if it contains a colon"),
    ("could not find expected ':'", "this line is neither 'key: value' nor '- item'"),
    ("expected <block end>", _INDENTED),
    ("did not find expected '-'", "the indentation does not fit the list above"),
    ("did not find expected key", _INDENTED),
    ("did not find expected ',' or", "a '{' or '[' is not closed, or a value that begins with one needs quotes"),
    ("unknown escape", "in double quotes a backslash is written twice; or use single quotes"),
    ("unexpected end of stream", "a quote is not closed"),
    ("undefined alias", "an alias (*name) without its anchor (&name)"),
    ("control characters are not allowed", "a control character stands here; remove it"),
    ("special characters are not allowed", "a control character stands here; remove it"),
    ("cannot start any token", "this character cannot begin a value; put the value in quotes"),
)  # fmt: skip


def report_unreadable(error: yaml.YAMLError, text: str, file: str, problems: Problems) -> None:
    """An error for text that is no YAML: what is amiss, where it is seen."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    said = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    if mark is not None:
        where = Source(file, mark.line + 1, mark.column + 1)
    else:
        before = text[: int(getattr(error, "position", 0) or 0)]
        where = Source(file, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    # The parser notices an open quote at the next one, lines below.
    opened = _open_quote(text, where.line) if "expected" in said or "end of stream" in said else None
    if opened is not None:
        problems.error(
            "not readable as YAML: the quote that opens here is not closed", Source(file, opened[0], opened[1] + 1)
        )
        return
    words = _by_sight(text, where) or next((words for part, words in _PLAIN_WORDS if part in said), None)
    problems.error(f"not readable as YAML: {words or said}" + (f" (the parser says: {said})" if words else ""), where)


_NO_SPACE = re.compile(r"\s*-[A-Za-z_]+:")
_QUOTE_BEGINS = re.compile(r'(?:: |- |\[|, )(?=")')
_UNQUOTED = re.compile(r"(?:^|[:-])\s+\$?\{\s*\w+\s*\}\s*\S")


def _by_sight(text: str, where: Source) -> str | None:
    """The two slips that are seen in every model, told from the lines themselves."""
    # The line before as well: the parser often stops at the beginning of the next.
    lines = text.split("\n")[max(where.line - 2, 0) : where.line]
    if lines and lines[-1][where.column - 1 : where.column] == "\t":
        return "a tab indents this line; YAML wants spaces"
    if any(_UNQUOTED.search(line) for line in lines):
        return "a value that begins with '{' must be quoted, as in sql: \"{CUBE}.id\""
    if lines and _NO_SPACE.match(lines[-1]):
        return "a space is missing after the dash"
    return None


def _open_quote(text: str, before: int) -> tuple[int, int] | None:
    """The first line whose double quotes do not pair, above the line where that is noticed."""
    for number, line in enumerate(text.split("\n")[: before - 1], 1):
        begun = _QUOTE_BEGINS.search(line)
        if begun is not None and len(re.findall(r'(?<!\\)"', line)) % 2:
            return number, begun.end()
    return None
