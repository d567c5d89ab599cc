"""An answer as a notebook: question, SQL cell, chart cell. It runs without any agent."""

from __future__ import annotations

import json
import pprint
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .charts import render_result
from .markdown import plain_text

if TYPE_CHECKING:
    from .answer import Answer

__all__ = ["answer_cells", "to_notebook"]

_SETUP = """\
import svc_notebook as svc
from svc_notebook.results.charts import render_chart

client = svc.demo()  # or svc.Client("https://…"): the service these queries run on
user = {user}
"""


def to_notebook(answer: Answer, path: str | Path | None = None) -> dict[str, Any]:
    """A notebook (nbformat 4.5) that asks the data again, without an agent.

    Parameters
    ----------
    answer : Answer or sequence of Answer
        One answer, or a whole conversation.
    path : str or Path, optional
        Where to write it as well.

    Returns
    -------
    dict
        The notebook as JSON.
    """
    answers = list(answer) if isinstance(answer, list | tuple) else [answer]
    cells = [_code(_SETUP.format(user=_user(answers[0]) if answers else "{}").rstrip())]
    for each in answers:
        cells += answer_cells(each)
    for index, cell in enumerate(cells):
        # nbformat 4.5 wants one for each cell; counted and not random, so that the same answer is the same file.
        cell["id"] = f"cell-{index}"
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    if path is not None:
        Path(path).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return notebook


def answer_cells(answer: Answer) -> list[dict[str, Any]]:
    """The cells of one answer: what was asked and said, then for each result its query and its chart."""
    said = f"## {' '.join(plain_text(answer.question or '').split())}\n\n{plain_text(answer.text or '')}"
    cells = [{"cell_type": "markdown", "metadata": {}, "source": _escaped(said)}]
    for result in answer.results:
        cells.append(_code(f"result = client.query({_sql(result.sql or '')}, **user)\nresult.load_all()"))
        if result.vega_spec and (chart := render_result(result)):
            spec = pprint.pformat(chart.spec, width=100, sort_dicts=False)
            cells.append(_code(f"render_chart(\n{_indented(spec)},\n    result.schema,\n    result.rows,\n)"))
    return cells


def _user(answer: Answer) -> str:
    """Who asked, as arguments of the client: what that user may see decides the rows."""
    if fields := getattr(answer, "user_fields", None):
        return f"{dict(fields)!r}  # who asked"
    who = " ".join(plain_text(str(answer.whoami or "")).split())
    return f"{{}}  # asked as {who}: name that user here" if who else "{}"


def _code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def _sql(sql: str) -> str:
    text = plain_text(sql)
    # What a text in three quotes would end or change.
    if "\n" not in text or '"""' in text or "\\" in text or text.endswith('"'):
        return repr(text)
    return f'"""\n{text}\n"""'


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


def _escaped(text: str) -> str:
    """Markdown that can hold no HTML: a notebook renders its Markdown cells with HTML switched on."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("![", "!\\[")
