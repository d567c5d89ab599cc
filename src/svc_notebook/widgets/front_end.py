"""The front end's modules as the one module a widget may have: joined in the order they need each other.

The files under ``static/chat`` are ordinary ES modules, one noun each. A widget's module crosses as text and cannot
import its neighbours, so their ``import`` lines are dropped, ``export`` is taken off, and all share one scope; a test
holds every top-level name to one file.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["joined"]

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)


@cache
def joined(entry: Path) -> str:
    """The text of ``entry`` with everything it imports before it, each file once."""
    parts: dict[Path, str] = {}
    _collect(entry, parts, ())
    return "".join(f"// {path.name}\n{text}\n" for path, text in parts.items())


def _collect(path: Path, parts: dict[Path, str], above: tuple[Path, ...]) -> None:
    if path in parts:
        return
    if path in above:
        raise ValueError(f"{path.name} imports itself by way of {', '.join(each.name for each in above)}")
    text = path.read_text(encoding="utf-8")
    for match in _IMPORT.finditer(text):
        _collect(path.parent / match[1], parts, (*above, path))
    parts[path] = _EXPORT.sub("", _IMPORT.sub("", text))
