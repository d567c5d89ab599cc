"""Explanations as people read them, as text and in a notebook: how a query is compiled, and who sees what."""

from __future__ import annotations

from html import escape

from ..protocol.access import AccessResponse, PolicyVerdict, RelationAccess
from ..protocol.data import ExplainResponse

__all__ = ["Access", "Explanation"]

_FEW = 12


class Explanation(ExplainResponse, frozen=True):
    """How a query is compiled for somebody: ``sql``, ``parameters``, ``row_filters``, ``schema``, ``notes``."""

    def __str__(self) -> str:
        filters = [f"  {item.cube}: {item.filter}{_because(item.reason)}" for item in self.row_filters]
        lines = ["asked", f"  {self.query.strip()}", "rows", *(filters or ["  all: no row filter applies"])]
        if self.notes:
            lines += ["notes", *(f"  {note}" for note in self.notes)]
        if self.sql:
            lines += ["runs as", f"  {self.sql}"]
        if self.parameters:
            lines += ["with", f"  {self._values()}"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        filters = "".join(
            f"<tr><td>{escape(item.cube)}</td><td>{escape(item.filter)}</td><td>{escape(item.reason or '')}</td></tr>"
            for item in self.row_filters
        )
        head = "<tr><th>rows of</th><th>only where</th><th>because of</th></tr>"
        rows = f"<table>{head}{filters}</table>" if filters else "<p>All rows: no row filter applies.</p>"
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        run = f"<pre><code>{escape(self.sql)}</code></pre>" if self.sql else ""
        values = f"<p>with {escape(self._values())}</p>" if self.parameters else ""
        folded = f"<details><summary>runs as</summary>{run}{values}</details>" if run else ""
        return f"<pre><code>{escape(self.query.strip())}</code></pre>{rows}{notes}{folded}"

    def _values(self) -> str:
        return ", ".join(f"$p{number} = {value!r}" for number, value in enumerate(self.parameters, 1))


class Access(AccessResponse, frozen=True):
    """What somebody sees of the model, and why; ``relations`` holds the same as values."""

    def __str__(self) -> str:
        lines = [self._who()]
        for item in self.relations:
            lines += ["", f"{item.kind} {item.name}: {_rows(item)}", f"  {item.why}"]
            lines += [f"  {_policy(policy)}" for policy in item.policies]
            lines += [f"  masked: {_listed(item.masked)}"] if item.masked else []
            lines += [f"  hidden: {_listed(item.hidden)}"] if item.hidden else []
            lines += [f"  {note}" for note in item.notes]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._who())}</p>" + "".join(_html(item) for item in self.relations)

    def _who(self) -> str:
        said = [f"groups: {', '.join(self.groups) or 'none'}"]
        said += [f"{name} = {value}" for name, value in self.attributes.items()] or ["no attributes"]
        return f"{self.user}; {'; '.join(said)}"


def _because(reason: str | None) -> str:
    return f"  ({reason})" if reason else ""


def _policy(policy: PolicyVerdict) -> str:
    mark, rows = ("+", f"; {policy.rows}") if policy.applies else ("-", "")
    return f"{mark} {policy.relation}, {policy.place or 'its policy'}: {policy.why}{rows}"


def _rows(item: RelationAccess) -> str:
    if not item.visible:
        return "not visible" if item.rows is not None else "not queried directly"
    if item.rows is None or item.total is None:
        return f"{len(item.shown)} members"
    return f"{item.rows:,} of {item.total:,} rows, {len(item.shown)} members"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _html(item: RelationAccess) -> str:
    policies = "".join(_row("✓" if p.applies else "✗", p.relation, p.place, p.why, p.rows) for p in item.policies)
    head = "<tr><th></th><th>of</th><th>policy</th><th>why</th><th>rows</th></tr>"
    table = f"<table>{head}{policies}</table>" if policies else ""
    members = "".join(
        f"<p>{what}: {escape(_listed(names))}</p>"
        for what, names in (("masked", item.masked), ("hidden", item.hidden))
        if names
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in item.notes)
    summary = f"<summary><b>{escape(item.name)}</b> ({item.kind}): {_rows(item)}</summary>"
    return f"<details>{summary}<p>{escape(item.why)}</p>{table}{members}{notes}</details>"


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
