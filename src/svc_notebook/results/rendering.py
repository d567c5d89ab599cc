"""How an answer shows itself: in a cell, as a page, as Markdown, as text.

Nothing here differs from run to run: no times, no random ids. An answer in a cell is several outputs, since
``text/html`` in the chart's own bundle would hide the chart; :func:`display_answer` sends them.
"""

from __future__ import annotations

import base64
import textwrap
from html import escape
from typing import TYPE_CHECKING, Any

from .charts import Chart, render_result
from .embed_options import shrinking
from .endings import ended_text, spent_text
from .evidence import evidence_html, evidence_text
from .markdown import plain_text, render_markdown
from .tables import COMPARED, html_table, text_table

if TYPE_CHECKING:
    from .answer import Answer
    from .result import Result

__all__ = [
    "STYLE", "answer_bundle", "answer_html", "answer_text", "display_answer", "result_bundle", "result_html", "to_html",
    "to_markdown",
]  # fmt: skip

STYLE = """
.svc-answer{font-family:var(--jp-content-font-family,system-ui,sans-serif);line-height:1.5;max-width:60rem;overflow-wrap:anywhere}
.svc-answer .svc-question{font-weight:600;margin:.2em 0 .4em}
.svc-answer .svc-question,.svc-answer p,.svc-answer li{unicode-bidi:plaintext;text-align:start}
.svc-static .svc-question{margin-top:1.2em;padding-top:.6em;border-top:1px solid rgba(128,128,128,.35)}
.svc-answer .svc-scroll{overflow-x:auto}
.svc-answer table{border-collapse:collapse;font-size:.92em;margin:.5em 0}
.svc-answer caption{text-align:left;padding:.2em 0;opacity:.8;white-space:nowrap}
.svc-answer caption.svc-partial{font-weight:600;opacity:1}
.svc-answer th,.svc-answer td{overflow-wrap:break-word;max-width:30em}
.svc-answer th,.svc-answer td{padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.35)}
.svc-answer td{font-variant-numeric:tabular-nums}
.svc-answer td em{opacity:.6}
.svc-answer .svc-state{border-left:3px solid #b45309;padding-left:.6em}
.svc-answer details{font-size:.9em;margin:.3em 0}
.svc-answer pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:.5em;background:rgba(128,128,128,.12)}
.svc-answer img{max-width:100%;background:#fff}
""".strip()

# In JupyterLab the chart is the output before: its own style is not heard where another chart came first in the page.
_BESIDE = shrinking(".jp-OutputArea-child:has(+ .jp-OutputArea-child .svc-answer)")

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_IGNORE_MATH = "tex2jax_ignore mathjax_ignore"
_STATES = {
    "aborted": "Stopped before the end. What came until then is kept.",
    "failed": "This answer could not be finished.",
    "streaming": "Still running.",
}


def _page(inner: str) -> str:
    return f'<div class="svc-answer {_IGNORE_MATH}"><style>{STYLE}{_BESIDE}</style>{inner}</div>'


def _state_html(answer: Answer) -> str:
    if answer.status not in _STATES:
        ended = ended_text(answer)
        outcome = escape(str(answer.outcome), quote=True) if ended else ""
        return f'<p class="svc-state" data-outcome="{outcome}">{escape(ended)}</p>' if ended else ""
    error = f" {escape(plain_text(str(answer.error)))}" if answer.error else ""
    return f'<p class="svc-state">{_STATES[answer.status]}{error}</p>'


def _parts(answer: Answer) -> list[tuple[Result, Chart]]:
    return [(result, render_result(result)) for result in answer.results]


def _total(result: Result) -> int:
    return max(result.total_rows, len(result))


def _text(result: Result, limit: int = 10, width: int = 30) -> str:
    return text_table(result.schema, result.first(limit), total_rows=_total(result), limit=limit, width=width)


def _table_html(result: Result, limit: int) -> str:
    rows = result.first(max(limit, COMPARED))
    table = html_table(result.schema, rows, total_rows=_total(result), title=result.title or "", limit=limit)
    return f'<div class="svc-scroll">{table}</div>'


def _why_no_chart(chart: Chart, result: Result) -> str:
    said = chart.problem_or_notes if result.vega_spec else ""
    return f"<p><em>{escape(plain_text(said))}</em></p>" if said else ""


def result_html(
    result: Result, chart: Chart | None = None, *, limit: int = 20, image: bool = False, ids: bool = False
) -> str:
    """Table, note about the chart, and evidence of one result; with ``image`` the chart as an inlined PNG."""
    chart = render_result(result) if chart is None else chart
    picture = ""
    if image and chart and (png := chart.to_png()) is not None:
        coded = base64.b64encode(png).decode()
        picture = f'<p><img alt="{escape(chart.description)}" src="data:image/png;base64,{coded}"></p>'
    return picture + _table_html(result, limit) + _why_no_chart(chart, result) + evidence_html(result, ids=ids)


def answer_html(
    answer: Answer, *, question: bool = True, image: bool = False, limit: int = 20, ids: bool = False
) -> str:
    """The whole answer as a fragment of HTML without scripts."""
    head = f'<p class="svc-question">{escape(plain_text(answer.question or ""))}</p>' if question else ""
    body = render_markdown(answer.text or "")
    results = "".join(result_html(result, chart, limit=limit, image=image, ids=ids) for result, chart in _parts(answer))
    return head + body + _state_html(answer) + _reading_html(answer) + results + _spent_html(answer)


def _spent_html(answer: Answer) -> str:
    """What a language model took for it."""
    spent = spent_text(answer.usage)
    return f'<p class="svc-read">{escape(spent)}</p>' if spent else ""


def _said_after(answer: Answer) -> list[str]:
    """The state of a turn that has no answer, how it ended, what it took: a line each."""
    state = [_STATES[answer.status]] if answer.status in _STATES else []
    return [*state, *filter(None, [ended_text(answer), spent_text(answer.usage)])]


def _reading_html(answer: Answer) -> str:
    """What the question was read as, in words."""
    reading = answer.reading
    return f'<p class="svc-read">Read as: {escape(plain_text(str(reading)))}</p>' if reading is not None else ""


def answer_text(answer: Answer, limit: int = 10) -> str:
    """The whole answer as plain text, for terminals and for agents that read the notebook file."""
    parts = [f"Q: {plain_text(answer.question or '')}", "", plain_text(answer.text or "")]
    if answer.status in _STATES:
        parts.append(f"[{_STATES[answer.status]}]" + (f" {plain_text(str(answer.error))}" if answer.error else ""))
    parts += [f"[{line}]" for line in (ended_text(answer), spent_text(answer.usage)) if line]
    if answer.reading is not None:
        parts.append(f"Read as: {plain_text(str(answer.reading))}")
    for result, chart in _parts(answer):
        parts += ["", *([plain_text(result.title)] if result.title else [])]
        parts.append(_text(result, limit))
        if result.vega_spec:
            parts.append(chart.description)
        parts.append(evidence_text(result))
    return "\n".join(parts).strip()


def answer_bundle(answer: Answer, *, question: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    """MIME bundle of the whole answer as one static output; without its ``question`` below the cell that asks it."""
    # No chart among these: text/html wins over a chart's type, and would hide it.
    data = {"text/plain": answer_text(answer), "text/html": _page(answer_html(answer, question=question))}
    return data, {"svc": {"results": [result.uuid for result in answer.results]}}


def result_bundle(result: Result) -> tuple[dict[str, Any], dict[str, Any]]:
    """MIME bundle of one result: table and evidence."""
    text = _text(result) + "\n" + evidence_text(result)
    return {"text/plain": text, "text/html": _page(result_html(result))}, _identity(result)


def _identity(result: Result) -> dict[str, Any]:
    """Metadata of an output: what differs from run to run and is wanted all the same."""
    return {"svc": {"result": result.uuid, "elapsedMs": result.elapsed_ms}}


def display_answer(answer: Answer) -> None:
    """Show an answer in a cell: its text, then for each result the chart and the table with its evidence."""
    from IPython.display import display, publish_display_data

    head = render_markdown(answer.text or "") + _state_html(answer) + _reading_html(answer) + _spent_html(answer)
    parts = _parts(answer)
    charts = [(result, chart) for result, chart in parts if chart]
    if not charts:
        data, metadata = answer_bundle(answer, question=False)
        publish_display_data(data, metadata)  # type: ignore[no-untyped-call]
        return
    plain = "\n".join([plain_text(answer.text or ""), *_said_after(answer)])
    publish_display_data({"text/html": _page(head), "text/plain": plain.strip()}, {})  # type: ignore[no-untyped-call]
    for result, chart in parts:
        if chart:
            # An output of its own, for the same reason.
            display(chart)  # type: ignore[no-untyped-call]
        text = _text(result) + "\n" + evidence_text(result)
        html = _page(result_html(result, chart))
        publish_display_data({"text/html": html, "text/plain": text}, _identity(result))  # type: ignore[no-untyped-call]


def to_html(answer: Answer) -> str:
    """A page of its own, without scripts and without requests; charts as pictures where vl-convert is installed."""
    title = escape(plain_text(answer.question or "Answer")[:100])
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"</head><body>{_page(answer_html(answer, image=True, limit=100, ids=True))}</body></html>"
    )


def to_markdown(answer: Answer, limit: int = 20) -> str:
    """Markdown of the answer: question, text, tables as pipes, SQL in fences."""
    parts = [f"## {' '.join(plain_text(answer.question or '').split())}", "", plain_text(answer.text or "")]
    parts += [f"\n> {line}" for line in _said_after(answer)]
    if answer.reading is not None:
        parts += ["", f"*Read as: {plain_text(str(answer.reading))}*"]
    for result, chart in _parts(answer):
        table = _text(result, limit, width=60)
        parts += ["", f"**{plain_text(result.title)}**" if result.title else "", "", textwrap.indent(table, "    "), ""]
        if chart:
            parts += [f"*{chart.description.splitlines()[0]}*", ""]
        fence = "~~~~" if "~~~" in (result.sql or "") else "~~~"
        parts += [f"{fence}sql", plain_text(result.sql or ""), fence]
    return "\n".join(parts).strip() + "\n"
