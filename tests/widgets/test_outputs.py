"""What a shown widget writes: one anywidget for every front end that has one, and HTML and text for those that have not.

VS Code, Colab, Notebook 7 and JupyterLab take ``application/vnd.jupyter.widget-view+json`` of an anywidget (its front end is
one ES module in the model's state: no requirejs, no module of its own to install); GitHub and nbviewer show ``text/html``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import anywidget
import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

import svc_notebook as svc

VIEW = "application/vnd.jupyter.widget-view+json"
ELSEWHERE = re.compile(r"""(?:src|href)\s*=\s*["']?https?:|@import|require(?:js)?\s*\(|<script""", re.IGNORECASE)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.demo() as started:
        yield started


@pytest.fixture
def outputs() -> Iterator[list[dict[str, Any]]]:
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.display_pub = CapturingDisplayPublisher(parent=shell)
    yield shell.display_pub.outputs
    InteractiveShell.clear_instance()


def every(client: Any) -> list[Any]:
    answer = client.chat().ask("flights by carrier")
    return [
        svc.ChatWidget(client),
        svc.CompareUsers(client, {"external_id": "dora"}, {"external_id": "uwe"}),
        svc.SessionForm(client),
        svc.TenantAdmin(client, "acme-corp"),
        svc.ModelEditor(client),
        svc.ReviewPanel(client),
        svc.ResultView(answer),
    ]


def test_each_widget_is_one_anywidget_with_one_module(client: Any) -> None:
    for widget in every(client):
        assert isinstance(widget, anywidget.AnyWidget), "one root: marimo wraps it as it is"
        state = widget.get_state()
        assert state["_view_module"] == "anywidget"
        assert not any(
            isinstance(value, str) and value.startswith("IPY_MODEL_") for key, value in state.items() if key != "layout"
        )
        assert len(widget._esm if isinstance(widget._esm, str) else str(widget._esm)) < 82_000
        assert "export default" in str(widget._esm)
        assert not re.search(r"https?://(?!host)|\brequirejs?\b|\bdefine\(\[", str(widget._esm))


def test_a_living_output_and_a_static_one(client: Any, outputs: list[dict[str, Any]]) -> None:
    for widget in every(client):
        outputs.clear()
        widget._ipython_display_() if hasattr(widget, "_ipython_display_") else outputs.append(
            dict(zip(("data", "metadata"), widget._repr_mimebundle_(), strict=True))
        )
        living = [out["data"] for out in outputs if VIEW in out["data"]]
        assert len(living) == 1
        assert living[0][VIEW]["model_id"] == widget.model_id
        assert "object at 0x" not in living[0].get("text/plain", "")
        for out in outputs:
            assert not ELSEWHERE.search(str(out["data"].get("text/html", "")))
    chat = every(client)[0]
    outputs.clear()
    chat._ipython_display_()
    static = [out["data"] for out in outputs if VIEW not in out["data"]]
    assert len(static) == 1
    assert set(static[0]) == {"text/html", "text/plain"}
    assert "Run this cell to ask" in static[0]["text/plain"]


def test_an_answers_chart_has_no_html_beside_it(client: Any, outputs: list[dict[str, Any]]) -> None:
    from svc_notebook.results.rendering import display_answer

    outputs.clear()
    display_answer(client.chat().ask("flights by carrier"))
    kinds = [set(out["data"]) for out in outputs]
    charts = [kind for kind in kinds if "application/vnd.vegalite.v5+json" in kind]
    assert len(charts) == 1
    assert "text/html" not in charts[0], "JupyterLab would show it instead of the chart"
    assert "text/plain" in charts[0]
    assert all("text/html" in kind and "text/plain" in kind for kind in kinds if kind not in charts)
