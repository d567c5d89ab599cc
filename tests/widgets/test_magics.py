"""The magics in a real IPython shell over the demo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import svc_notebook as svc
from svc_notebook.widgets.sql_cells import sql_cell

SQL = "SELECT carrier, MEASURE(count) AS n FROM flights GROUP BY 1 ORDER BY 1"


@pytest.fixture(scope="module")
def shell() -> Iterator[Any]:
    shell = InteractiveShell.instance()
    client = svc.demo()
    shell.user_ns |= {"client": client, "dora": client.chat(external_id="dora", user_attributes={"carrier": ["DL"]})}
    shell.run_line_magic("load_ext", "svc_notebook")
    shell.run_line_magic("svc", "connect client external_id=uwe carrier=UA")
    yield shell
    InteractiveShell.clear_instance()


def test_sql_runs_as_the_connected_user_or_as_the_one_that_is_named(shell: Any) -> None:
    assert shell.run_cell_magic("svcsql", "", SQL).values.tolist() == [["UA", 58665]]
    assert shell.run_cell_magic("svcsql", "as dora", SQL).values.tolist() == [["DL", 48110]]
    assert shell.run_cell_magic("svcsql", "frame << as dora", SQL) is None
    assert shell.user_ns["frame"].values.tolist() == [["DL", 48110]]
    shell.user_ns["widget"] = svc.ChatWidget(shell.user_ns["dora"])
    assert shell.run_cell_magic("svcsql", "as widget", SQL).values.tolist() == [["DL", 48110]]


def test_a_name_that_runs_nothing_is_refused_in_words(shell: Any) -> None:
    with pytest.raises(UsageError, match="no variable 'nobody' here"):
        shell.run_cell_magic("svcsql", "as nobody", SQL)
    shell.user_ns["number"] = 3
    with pytest.raises(UsageError, match="number is a int: name a chat"):
        shell.run_cell_magic("svcsql", "as number", SQL)


def test_the_cell_of_a_result_names_who_asked_and_runs(shell: Any) -> None:
    cell = sql_cell(SQL, shell.user_ns["dora"], whom="dora")
    assert cell == {"source": f"%%svcsql as dora\n{SQL}", "setup": "%load_ext svc_notebook"}
    result = shell.run_cell(cell["source"])
    assert result.result.values.tolist() == [["DL", 48110]]
    assert sql_cell(SQL, object(), whom="dora")["source"] == f"%%svcsql\n-- asked as dora\n{SQL}"
    assert sql_cell(SQL, object(), whom="a\nDROP")["source"].count("\n") == 2


def test_values_are_bound_and_stored_and_completed(shell: Any) -> None:
    shell.user_ns["wanted"] = ["UA", "x' OR '1'='1"]
    shell.run_cell_magic("svcsql", "bound <<", "SELECT carrier FROM flights WHERE carrier IN {wanted} GROUP BY 1")
    assert shell.user_ns["bound"].values.tolist() == [["UA"]]
    assert shell.run_line_magic("svc", "whoami").startswith("uwe")
    answer = shell.run_cell_magic("ask", "", "how many flights were there")
    assert "58,665" in answer.text
    with pytest.raises(UsageError, match="There is: abort"):
        shell.run_line_magic("svc", "dance")
