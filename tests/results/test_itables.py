"""Tables of the package itables, where it is installed."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from svc_notebook.protocol.tools import Column
from svc_notebook.results.result import Result

SCHEMA = [Column("carrier", "String", title="Carrier"), Column("flights", "Int64", title="Flights")]


def result(total: int = 2) -> Result:
    return Result(
        sql="SELECT 1", schema=SCHEMA, data=[["<b>UA</b>", 58665], [None, 714]], total_rows=total, title="By carrier"
    )


def test_all_rows_with_titles_and_a_caption_that_says_how_many() -> None:
    pytest.importorskip("itables.widget")
    table = result()
    widget = table.to_itables()
    assert widget.caption == "By carrier · all 2 rows"
    assert list(widget.df.columns) == ["Carrier", "Flights"]
    assert len(widget.df) == 2
    assert result(16).to_itables().caption == "By carrier · first 2 of 16 rows"
    assert table.to_itables(caption="Mine").caption == "Mine"


def test_cells_are_text_and_the_script_is_its_own() -> None:
    pytest.importorskip("itables.widget")
    widget = result().to_itables()
    state = str(widget.get_state())
    assert "<b>UA" not in state.replace("_esm", "") or "&lt;b&gt;UA" in state
    assert "https://cdn" not in str(widget._esm)[:2_000]


def test_without_it_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("itables"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ModuleNotFoundError, match="pip install itables"):
        result().to_itables()
