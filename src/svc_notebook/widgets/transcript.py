"""The transcript that a saved notebook keeps: static HTML in an output of its own beside the living widget.

While the widget lives its style hides this twin; once it is dead (a reopened notebook without its kernel) the
twin's own style hides the error line the dead widget leaves. All of it is kept under a budget: the newest turns whole
and with their charts as pictures, older ones without tables when there is no room for them, the oldest as one line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from ..results.markdown import plain_text
from ..results.reading import reading_from
from ..results.rendering import STYLE

__all__ = ["BUDGET", "transcript_bundle"]

BUDGET = 400_000
"""Characters of HTML a transcript may have."""

_TEXT = 0.6  # of the budget at most, so that the newest charts have their place; what texts leave is for charts too
_LINE = 260  # characters kept free for every older turn: it stands there at least as a line
_PLAIN = 40_000
_ROWS = 10
_COLUMNS = 24
_CHILD = ".jp-OutputArea-child"
_HIDE_DEAD = f"{_CHILD}:has(+ {_CHILD} .svc-static):not(:has(.svc-chat)):not(:has(.svc-static)){{display:none}}"


def transcript_bundle(
    turns: Sequence[dict[str, Any]],
    whoami: str,
    *,
    pictures: Callable[[str], str] = lambda uuid: "",
    left: int = 0,
    budget: int = BUDGET,
) -> dict[str, Any]:
    """HTML and plain text of the turns.

    Parameters
    ----------
    turns : sequence of dict
        Payloads as the browser gets them.
    whoami : str
        As whom was asked.
    pictures : callable
        Base64 text of the PNG of a result's chart by the result's id, or nothing.
    left : int
        How many earlier turns there are that are not among these.
    budget : int
        Characters of HTML it may have.
    """
    who = f" as {whoami}" if whoami else ""
    said = f"Conversation{who}. Run this cell to go on with it." if turns else f"Chat{who}. Run this cell to ask."
    if left:
        said += f" {left:,} earlier questions are kept by the service."
    kept = _fitting(turns, int(budget * _TEXT))
    chosen = _pictured([turn for turn, tables in kept if tables is not None], pictures, budget - _size(kept))
    pieces = [_turn_html(turn, chosen, tables) for turn, tables in kept]
    body = "".join(reversed(pieces))
    html = (
        f'<div class="svc-static svc-answer tex2jax_ignore mathjax_ignore"><style>{STYLE}{_HIDE_DEAD}</style>'
        f"<p><em>{escape(said)}</em></p>{body}</div>"
    )
    plain = "\n\n".join([said, *(f"Q: {turn['question']}\n\n{turn['text']}" for turn in turns[-50:])])
    return {"text/html": html, "text/plain": plain[:_PLAIN]}


def _fitting(turns: Sequence[dict[str, Any]], room: int) -> list[tuple[dict[str, Any], bool | None]]:
    """The newest turns that fit, each with its tables, without (False), or as a line (None)."""
    kept: list[tuple[dict[str, Any], bool | None]] = []
    for older, turn in zip(range(len(turns) - 1, -1, -1), reversed(turns), strict=True):
        forms = [(turn, True), (turn, False), (turn, None)]
        form = next((form for form in forms if _size([form]) <= room - _LINE * older), forms[-1])
        room -= _size([form])
        if room < 0:
            break
        kept.append(form)
    return kept


def _size(forms: Sequence[tuple[dict[str, Any], bool | None]]) -> int:
    return sum(len(_turn_html(turn, {}, tables)) for turn, tables in forms)


def _pictured(turns: Sequence[dict[str, Any]], pictures: Callable[[str], str], room: int) -> dict[str, str]:
    """Pictures of the newest charts that fit into what the texts leave."""
    chosen: dict[str, str] = {}
    for uuid in (uuid for turn in turns for uuid in _charts(turn)):
        if (png := pictures(uuid)) and len(png) <= room:
            chosen[uuid] = png
            room -= len(png)
    return chosen


def _charts(turn: dict[str, Any]) -> list[str]:
    return [result["evidence"]["uuid"] for result in turn["results"] if result["chart"]]


def _turn_html(turn: dict[str, Any], pictures: dict[str, str], tables: bool | None) -> str:
    if tables is None:
        return f'<p class="svc-question">{escape(turn["question"][:200])}</p>'
    state = {"aborted": "Stopped. What came until then is kept.", "failed": turn["error"] or "Not finished."}
    note = f'<p class="svc-state">{escape(state[turn["status"]])}</p>' if turn["status"] in state else ""
    if ended := turn.get("ended"):
        note += f'<p class="svc-state" data-outcome="{escape(ended["outcome"])}">{escape(ended["said"])}</p>'
    spent = f'<p class="svc-read">{escape(turn["spent"]["said"])}</p>' if turn.get("spent") else ""
    results = "".join(_result_html(each, pictures, tables) for each in turn["results"])
    told = f"{turn['html']}{note}{_read(turn)}{results}{spent}{_judged(turn)}"
    return f'<p class="svc-question">{escape(turn["question"])}</p>{told}'


def _judged(turn: dict[str, Any]) -> str:
    if not (feedback := turn.get("feedback")):
        return ""
    why = f": {feedback['why']}" if feedback["why"] else "."
    return f'<p class="svc-read">Marked {feedback["verdict"]}{escape(why)}</p>'


def _read(turn: dict[str, Any]) -> str:
    reading = reading_from(turn["reading"]) if turn.get("reading") else None
    return f'<p class="svc-read">Read as: {escape(plain_text(str(reading)))}</p>' if reading is not None else ""


def _result_html(result: dict[str, Any], pictures: dict[str, str], tables: bool) -> str:
    chart = _chart_html(result, pictures)
    if not tables:
        return chart
    table, found = result["table"], result["evidence"]
    columns = table["columns"][:_COLUMNS]
    align = [f' style="text-align:{"right" if column["number"] else "left"}"' for column in columns]
    head = "".join(f'<th scope="col"{a}>{escape(c["title"])}</th>' for c, a in zip(columns, align, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{a}>{'<em>null</em>' if cell is None else escape(cell)}</td>"
            for cell, a in zip(row, align, strict=False)
        )
        + "</tr>"
        for row in table["rows"][:_ROWS]
    )
    more = f" · first {_ROWS} shown here" if len(table["rows"]) > _ROWS else ""
    if len(table["columns"]) > _COLUMNS:
        more += f" · {_COLUMNS} of {len(table['columns'])} columns shown here"
    facts = "; ".join([found["rows"], *([f"as {found['whom']}"] if found["whom"] else []), *found["filters"]])
    return (
        f'{chart}<table class="svc-table"><caption>{escape(result["title"])} · {escape(table["said"])}{more}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<details><summary>Evidence: {escape(facts)}</summary><pre><code>{escape(found['sql'])}</code></pre></details>"
    )


def _chart_html(result: dict[str, Any], pictures: dict[str, str]) -> str:
    if not result["chart"]:
        return ""
    said = escape(result["chart"]["said"])
    if (png := pictures.get(result["evidence"]["uuid"])) is None:
        return f"<p><em>{said}</em></p>"
    return f'<p><img alt="{said}" src="data:image/png;base64,{png}"></p>'
