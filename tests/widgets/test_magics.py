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
    laid_out = "SELECT carrier, MEASURE(count) AS n\nFROM flights\nGROUP BY 1\nORDER BY 1"
    assert cell == {"source": f"%%svcsql as dora\n{laid_out}", "setup": "%load_ext svc_notebook"}
    result = shell.run_cell(cell["source"])
    assert result.result.values.tolist() == [["DL", 48110]]
    assert sql_cell(SQL, object(), whom="dora")["source"] == f"%%svcsql\n-- asked as dora\n{laid_out}"
    assert sql_cell(SQL, object(), whom="a\nDROP")["source"].split("\n")[2:] == laid_out.split("\n")


def test_values_are_bound_and_stored_and_completed(shell: Any) -> None:
    shell.user_ns["wanted"] = ["UA", "x' OR '1'='1"]
    shell.run_cell_magic("svcsql", "bound <<", "SELECT carrier FROM flights WHERE carrier IN {wanted} GROUP BY 1")
    assert shell.user_ns["bound"].values.tolist() == [["UA"]]
    assert shell.run_line_magic("svc", "whoami").startswith("uwe")
    answer = shell.run_cell_magic("ask", "", "how many flights were there")
    assert "58,665" in answer.text
    with pytest.raises(UsageError, match="There is: abort"):
        shell.run_line_magic("svc", "dance")


@pytest.fixture
def connected() -> Iterator[Any]:
    """A shell connected to a service whose users have an attribute of each type."""
    filters = [
        {"member": "region", "operator": "equals", "values": ["{ userAttributes.regions }"]},
        {"member": "id", "operator": "lte", "values": ["{ userAttributes.most }"]},
        {"member": "id", "operator": "equals", "values": ["{ userAttributes.ids }"]},
        {"member": "region", "operator": "startsWith", "values": ["{ userAttributes.prefix }"]},
    ]
    cube = {
        "name": "orders", "sql_table": "orders", "measures": [{"name": "count", "type": "count"}],
        "dimensions": [{"name": "id", "sql": "id", "type": "number"}, {"name": "region", "sql": "region", "type": "string"}],
        "access_policy": [{"group": "team", "row_level": {"filters": filters}}],
    }  # fmt: skip
    types = {"regions": "string_array", "most": "number", "ids": "number_array", "prefix": "string"}
    data = {"orders": {"id": [1, 2, 3, 4], "region": ["New York", "New York", "Lyon", "New York"]}}
    shell = InteractiveShell.instance()
    client = svc.embedded(model={"cubes": [cube]}, data=data, user_attributes=types)
    shell.user_ns |= {"orders": client}
    shell.run_line_magic("load_ext", "svc_notebook")
    yield shell
    client.close()
    InteractiveShell.clear_instance()


def test_connect_gives_attributes_of_every_type(connected: Any) -> None:
    who = 'external_id=ana groups=team regions="[\'no JSON\']" most=3 ids=[1, 2, 4] prefix="New"'
    assert connected.run_line_magic("svc", f"connect orders {who}") == "ana (external), groups: team"
    count = "SELECT MEASURE(count) AS n FROM orders"
    with pytest.raises(UsageError, match="'regions' has type string_array: send a value like"):
        connected.run_cell_magic("svcsql", "", count)
    who = who.replace("\"['no JSON']\"", '["New York"]')
    connected.run_line_magic("svc", f"connect orders {who}")
    assert connected.run_cell_magic("svcsql", "", count).iloc[0, 0] == 2
    connected.run_line_magic("svc", "connect orders external_id=ana regions='New York',Lyon")
    assert connected.run_cell_magic("svcsql", "", count).iloc[0, 0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("orders region=EMEA", "not who: add external_id="),
        ("orders groups=team", "not who: add external_id="),
        ("nonsense external_id=ana", "nonsense is no variable that holds a client, and no URL"),
        ("http://127.0.0.1:9 key=abc", "a key does not belong into a notebook"),
        ("http://127.0.0.1:9", "Who asks"),
        ("orders external_id", "write external_id as key=value"),
    ],
)
def test_connect_says_what_is_missing(connected: Any, monkeypatch: pytest.MonkeyPatch, words: str, said: str) -> None:
    monkeypatch.setenv("SVC_API_KEY", "a key")
    with pytest.raises(UsageError, match=said):
        connected.run_line_magic("svc", f"connect {words}")
