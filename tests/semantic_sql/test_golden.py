"""Compiled SQL as golden files: ``query as asked; SQL that runs;``. Run with ``SVC_GOLDEN=write`` to write them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from svc_notebook.semantic.context import SecurityContext

from .shop import OPERATOR, open_shop, user

GOLDEN = Path(__file__).parent / "golden"
POLICY = {
    "group": "*",
    "row_level": {"filters": [{"member": "status", "operator": "equals", "values": ["{ userAttributes.status }"]}]},
}


def read(path: Path) -> tuple[str, list[tuple[str, str]]]:
    head, _, body = path.read_text().partition("\n")
    pieces = [piece.strip() for piece in body.split(";") if piece.strip()]
    if any(piece.startswith("-- runs") for piece in pieces):
        return head, [(a, b.removeprefix("-- runs").strip()) for a, b in zip(pieces[::2], pieces[1::2], strict=True)]
    return head, [(piece, "") for piece in pieces]


@pytest.mark.parametrize(("name", "ctx"), [("operator", OPERATOR), ("policy", user(status=["paid"]))])
def test_compiled_sql(name: str, ctx: SecurityContext) -> None:
    path = GOLDEN / f"{name}.sql"
    head, cases = read(path)
    layer = open_shop({"orders": [POLICY]} if name == "policy" else None)
    compiled = [(asked, layer.compile(ctx, asked).sql) for asked, _ in cases]
    for _, sql in compiled:
        layer.engine.execute(sql, layer.compile(ctx, next(a for a, s in compiled if s == sql)).params)
    layer.close()
    if os.environ.get("SVC_GOLDEN") == "write":
        path.write_text(head + "\n\n" + "\n\n".join(f"{asked};\n-- runs\n{sql};" for asked, sql in compiled) + "\n")
        return
    for (asked, expected), (_, sql) in zip(cases, compiled, strict=True):
        assert sql == expected, asked
