"""The transcript that a saved notebook keeps: static HTML in an output of its own beside the living widget.

While the widget lives its style hides this twin; once it is dead (a reopened notebook without its kernel) the
twin's own style hides the error line the dead widget leaves. The text is kept under a budget: the newest turns whole,
older ones without tables, the oldest as one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ..results.rendering import STYLE

__all__ = ["BUDGET", "transcript_bundle"]

BUDGET = 300_000
"""Characters of HTML a transcript may have."""

_ROWS = 10
_CHILD = ".jp-OutputArea-child"
_HIDE_DEAD = f"{_CHILD}:has(+ {_CHILD} .svc-static):not(:has(.svc-chat)):not(:has(.svc-static)){{display:none}}"


def transcript_bundle(turns: Sequence[dict[str, Any]], whoami: str) -> dict[str, Any]:
    """HTML and plain text of the turns (payloads as the browser gets them)."""
    who = f" as {whoami}" if whoami else ""
    said = f"Conversation{who}. Run this cell to go on with it." if turns else f"Chat{who}. Run this cell to ask."
    pieces: list[str] = []
    left = BUDGET
    for index, turn in enumerate(reversed(turns)):
        piece = _turn_html(turn, tables=index < 20)
        if len(piece) > left:
            piece = f'<p class="svc-question">{escape(turn["question"][:200])}</p>'
        left -= len(piece)
        pieces.append(piece)
    body = "".join(reversed(pieces))
    html = (
        f'<div class="svc-static svc-answer tex2jax_ignore mathjax_ignore"><style>{STYLE}{_HIDE_DEAD}</style>'
        f"<p><em>{escape(said)}</em></p>{body}</div>"
    )
    plain = "\n\n".join([said, *(f"Q: {turn['question']}\n\n{turn['text']}" for turn in turns[-50:])])
    return {"text/html": html, "text/plain": plain[:BUDGET]}


def _turn_html(turn: dict[str, Any], tables: bool) -> str:
    state = {"aborted": "Stopped. What came until then is kept.", "failed": turn["error"] or "Not finished."}
    note = f'<p class="svc-state">{escape(state[turn["status"]])}</p>' if turn["status"] in state else ""
    results = "".join(map(_result_html, turn["results"])) if tables else ""
    return f'<p class="svc-question">{escape(turn["question"])}</p>{turn["html"]}{note}{results}'


def _result_html(result: dict[str, Any]) -> str:
    table, found = result["table"], result["evidence"]
    columns = table["columns"]
    align = [f' style="text-align:{"right" if column["number"] else "left"}"' for column in columns]
    head = "".join(f'<th scope="col"{a}>{escape(c["title"])}</th>' for c, a in zip(columns, align, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{a}>{'<em>null</em>' if cell is None else escape(cell)}</td>"
            for cell, a in zip(row, align, strict=True)
        )
        + "</tr>"
        for row in table["rows"][:_ROWS]
    )
    more = f" · first {_ROWS} shown here" if len(table["rows"]) > _ROWS else ""
    chart = f"<p><em>{escape(result['chart']['said'])}</em></p>" if result["chart"] else ""
    facts = "; ".join([found["rows"], *([f"as {found['whom']}"] if found["whom"] else []), *found["filters"]])
    return (
        f'{chart}<table class="svc-table"><caption>{escape(result["title"])} · {escape(table["said"])}{more}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<details><summary>Evidence: {escape(facts)}</summary><pre><code>{escape(found['sql'])}</code></pre></details>"
    )
