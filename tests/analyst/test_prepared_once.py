"""What an asker may see is prepared once, however many ask at the same moment; what two askers share, too."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pandas as pd
import pytest

from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

CUBES = 12


class Counting(SemanticLayer):
    """Notes every statement that it is asked to compile."""

    def __init__(self, *args: Any) -> None:
        self.compiled_texts: Counter[str] = Counter()
        super().__init__(*args)

    def compile(self, ctx: SecurityContext, sql: str, **options: Any) -> Any:
        self.compiled_texts[sql] += 1
        return super().compile(ctx, sql, **options)


@pytest.fixture
def layer() -> Iterator[Counting]:
    cubes = [
        {"name": f"c{n}", "sql_table": "t", "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True},
            {"name": "colour", "sql": "colour", "type": "string"},
        ]} for n in range(CUBES)
    ]  # fmt: skip
    data = {"t": pd.DataFrame({"id": [1, 2], "colour": ["red", "green"]})}
    layer = Counting(load_model({"cubes": cubes}), DuckDBEngine.open(data=data))
    yield layer
    layer.close()


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that take turns so often that what can happen twice does."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty")
def test_who_asks_at_the_same_moment_waits_for_what_another_prepares(layer: Counting) -> None:
    alone = Counting(layer.model, layer.engine)
    load_metadata(Toolbox(alone, SecurityContext.operator()))
    together = threading.Barrier(4)

    def ask(_: int) -> Any:
        together.wait()
        return load_metadata(Toolbox(layer, SecurityContext.operator()))

    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(ask, range(4)))
    assert layer.compiled_texts == alone.compiled_texts
    assert all(each is seen[0] for each in seen)


def test_who_fails_leaves_it_to_the_next(layer: Counting) -> None:
    stopped = Toolbox(layer, SecurityContext.operator())
    stopped.cancel.cancel("enough")
    with pytest.raises(Exception, match="enough"):
        load_metadata(stopped)
    assert load_metadata(Toolbox(layer, SecurityContext.operator())).values.members["c3.colour"] == ("green", "red")


def test_the_only_asker_is_compared_with_others_once_there_are_any(layer: Counting) -> None:
    first = load_metadata(Toolbox(layer, SecurityContext.operator()))
    assert set(layer.compiled_texts.values()) == {1}  # for its values alone
    assert load_metadata(Toolbox(layer, SecurityContext(user="ana"))) is first
    assert set(layer.compiled_texts.values()) == {3}
    assert load_metadata(Toolbox(layer, SecurityContext.operator())) is first


@pytest.mark.usefixtures("hasty")
def test_the_first_ones_of_several_askers_share_what_they_see_alike(layer: Counting) -> None:
    askers = [SecurityContext.operator(), *(SecurityContext(user=name, groups=frozenset({name})) for name in "abc")]
    together = threading.Barrier(8)

    def ask(number: int) -> Any:
        together.wait()
        return load_metadata(Toolbox(layer, askers[number % len(askers)]))

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(ask, range(8)))
    assert all(each is seen[0] for each in seen)


def test_the_first_who_fails_leaves_it_to_another_asker(layer: Counting) -> None:
    stopped = Toolbox(layer, SecurityContext.operator())
    stopped.cancel.cancel("enough")
    with pytest.raises(Exception, match="enough"):
        load_metadata(stopped)
    ana = load_metadata(Toolbox(layer, SecurityContext(user="ana")))
    assert load_metadata(Toolbox(layer, SecurityContext.operator())) is ana
