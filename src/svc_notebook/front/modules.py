"""The front end's modules as the one module a widget may have: joined in the order they need each other.

The files under ``static/chat`` are ordinary ES modules, one noun each. A widget's module crosses as text and cannot
import its neighbours, so their ``import`` lines are dropped, ``export`` is taken off, and all share one scope; a test
holds every top-level name to one file. A page gets its module in the same way, in one request.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .. import patterns as re

__all__ = ["CHAT_STYLE", "STATIC", "chat_module", "joined"]

STATIC = Path(__file__).parent / "static"
CHAT_STYLE = STATIC / "chat.css"

# Matches the one form of import that the front end writes, each on a line of its own.
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n|^[ \t]*//.*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class)\b)", re.MULTILINE)


def chat_module(entry: str) -> str:
    """The module that shows a chat in a host: ``"widget"`` in a notebook, ``"page"`` behind an embed URL."""
    return joined(STATIC / "chat" / f"{entry}.js")


@cache
def joined(entry: Path) -> str:
    """The text of ``entry`` with everything it imports before it, each file once; comments stay in the files."""
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
    # One module without imports: a widget's code comes over the comm, where there is no address to import from.
    parts[path] = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))
