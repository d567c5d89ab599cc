"""Rows of a statement with one thing of the policy taken away, each in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from svc_notebook.semantic.compiler.join_tree.rows import (
    Barrier,
    Body,
    Exists,
    Led,
    Mask,
    Missing,
    Part,
    Rows,
    Scan,
    Screened,
)

__all__ = ["lesser", "policy_conditions"]


def lesser(part: Part) -> Iterator[tuple[str, Part]]:
    """What is taken away, and the rows without it."""
    if isinstance(part, Barrier):
        yield "barrier", part.rows
        if part.packed:
            yield "packing", replace(part, packed=False)
        yield from ((what, replace(part, rows=rows)) for what, rows in _rows(part.rows))
    else:
        yield from _rows(part)


def policy_conditions(body: Body) -> Iterator[str]:
    """The conditions of policies on whole rows."""
    if isinstance(body.start, Missing):
        yield from policy_conditions(body.start.some)
    if isinstance(body.start, Led):
        yield from policy_conditions(body.start.rows)
    for test in body.where:
        if isinstance(test, str):
            yield test
        elif not test.negated:
            yield from (inner for inner in test.rows.where[1:] if isinstance(inner, str))
    for item in body.items():
        if isinstance(item, Screened):
            yield from policy_conditions(item.rows)


def _rows(rows: Rows) -> Iterator[tuple[str, Rows]]:
    for i, body in enumerate(rows.bodies):
        for what, less in _bodies(body):
            yield what, replace(rows, bodies=(*rows.bodies[:i], less, *rows.bodies[i + 1 :]))
    for i, column in enumerate(rows.columns):
        around = rows.columns[:i], rows.columns[i + 1 :]
        if column.mask is not None:
            yield "mask", replace(rows, columns=(*around[0], replace(column, mask=None), *around[1]))
        if column.mask is not None and column.mask.unless is not None:
            open_mask = Mask(column.mask.hidden, "TRUE")
            yield "mask's rows", replace(rows, columns=(*around[0], replace(column, mask=open_mask), *around[1]))


def _bodies(body: Body) -> Iterator[tuple[str, Body]]:
    if isinstance(body.start, Missing):
        for what, some in _bodies(body.start.some):
            yield what, replace(body, start=Missing(some))
        yield "nothing but", replace(body, steps=(replace(body.steps[0], on="TRUE"), *body.steps[1:]))
        yield "nothing but", replace(body, steps=())
    if isinstance(body.start, Led):
        for what, rows in _bodies(body.start.rows):
            yield what, replace(body, start=replace(body.start, rows=rows))
    for i, step in enumerate(body.steps):
        if isinstance(step.item, Screened):
            at, alias, start = step.item.path, step.item.alias, step.item.rows.start
            assert isinstance(start, Scan)
            for what, item in [
                ("screen", Scan(at, start.base, alias)),
                *((f"screen's {what}", replace(step.item, rows=rows)) for what, rows in _bodies(step.item.rows)),
            ]:
                yield what, replace(body, steps=(*body.steps[:i], replace(step, item=item), *body.steps[i + 1 :]))
    for i, test in enumerate(body.where):
        rest = (*body.where[:i], *body.where[i + 1 :])
        if isinstance(test, str):
            yield "condition", replace(body, where=rest)
        elif not test.negated and len(test.rows.where) > 1:
            yield "what leads there", replace(body, where=rest)
            turned = replace(test, negated=True)
            yield "what leads there, turned", replace(body, where=(*body.where[:i], turned, *body.where[i + 1 :]))
            for j in range(1, len(test.rows.where)):
                inner = replace(test.rows, where=(*test.rows.where[:j], *test.rows.where[j + 1 :]))
                yield (
                    "condition on what leads there",
                    replace(body, where=(*body.where[:i], Exists(inner), *body.where[i + 1 :])),
                )
