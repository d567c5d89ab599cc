"""Write out the statements of a service in memory as SQLite reads them, so that SQLAlchemy is not loaded for them.

python -m scripts.statements           into the package
python -m scripts.statements --check   whether the package has them as they are now
"""

from __future__ import annotations

import json
import pkgutil
import sys
from importlib import import_module
from typing import Any

from sqlalchemy import Insert
from sqlalchemy.dialects import sqlite

import svc_notebook as svc
from svc_notebook.service import store as package
from svc_notebook.service.store import prepared
from svc_notebook.service.store.prepared import KEPT, Prepared, Text

__all__ = ["left_open", "main", "named", "written"]


def named() -> list[Prepared]:
    """Every statement that a module of the store's names."""
    modules = [import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)]
    return [each for module in modules for each in vars(module).values() if isinstance(each, Prepared)]


def left_open(statement: Any, *items: int) -> dict[str, Any]:
    """Values for what a statement leaves open: None, or a list of those ``items``."""
    binds = statement.compile(dialect=sqlite.dialect()).binds.values()
    return {each.key: list(items) if each.expanding else None for each in binds if each.required}


def written() -> str:
    """What the file holds: each statement that is named, and those that a start and some questions make."""
    found: dict[tuple[str, tuple[str, ...]], Text] = {}
    write = Prepared.written

    def noted(self: Prepared, values: Any) -> Text:
        return found.setdefault((self.name, tuple(sorted(values))), write(self, values))

    prepared.kept_texts = dict  # type: ignore[assignment]
    Prepared.written = noted  # type: ignore[method-assign]
    for each in named():
        if not isinstance(each.statement, Insert):  # of these the columns are not known before
            each.written(left_open(each.statement))
    client = svc.demo()
    chat = client.chat()
    chat.ask("flights by carrier")
    chat.ask("only in July")
    client.chat(external_id="ana").ask("flights by month")
    client.close()
    rows = ([*key, text.sql, dict(text.own), text.lists, text.truths] for key, text in sorted(found.items()))
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def main() -> int:
    text = written()
    if "--check" in sys.argv:
        return int(KEPT.read_text("utf8") != text)
    KEPT.write_text(text, "utf8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
