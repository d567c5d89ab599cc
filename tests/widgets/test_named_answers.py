"""A cell that gives its answer a name shows it, once, and only where nothing else is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import svc_notebook as svc

ASK = 'chat.ask("how many flights were there")'


@pytest.fixture(scope="module")
def shell() -> Iterator[Any]:
    shell = InteractiveShell.instance()
    shell.user_ns["chat"] = svc.demo().chat()
    yield shell
    InteractiveShell.clear_instance()


def shown(shell: Any, cell: str) -> int:
    """How often the answer's words stand in what the cell shows."""
    with capture_output() as captured:
        assert shell.run_cell(cell).success
    told = [str(output.data.get("text/plain")) for output in captured.outputs] + [captured.stdout]
    return sum(text.count("**336,776 flights**") for text in told)


@pytest.mark.parametrize(
    ("cell", "times"),
    [
        (f"a = {ASK}", 1),
        (f"a: object = {ASK}", 1),
        (f"a = await chat.aask({ASK[9:-1]})", 1),
        (f"a = {ASK}\nb = {ASK}", 1),
        (f"a = {ASK}\nn = len(a.results)", 0),
        (f"n = len({ASK}.results)", 0),
        (f"if True:\n    a = {ASK}", 0),
        (f"def later():\n    return {ASK}\na = later()", 1),
    ],
)
def test_what_is_only_given_a_name_is_left_in_the_cell(shell: Any, cell: str, times: int) -> None:
    assert shown(shell, cell) == times


def test_the_cells_after_it_show_nothing_of_it(shell: Any) -> None:
    shown(shell, f"a = {ASK}")
    assert shown(shell, "b = a") == 0
    assert shown(shell, f"a = {ASK}\na = 3") == 0
    assert [each for each in shell.events.callbacks["post_run_cell"] if each.__qualname__.startswith("leave")] == []
