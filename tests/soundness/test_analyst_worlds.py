"""The analyst's words over all data under a policy are its words over the permitted rows alone.

Questions name hidden values and members, misspell visible ones and follow up on each other; what is thought, asked, said and
suggested is compared. Both worlds have the policy, so that its being told is no difference.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.analyst.base import PastTurn, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer

from .pairs import open_layer
from .worlds import Shape, build_full, build_permitted, shapes

NOW = datetime(2024, 11, 20, tzinfo=UTC)
CONVERSATIONS = [
    ["total amount by region", "only NA", "and by status"],
    ["orders with status CANARY_STATUS_1"],
    ["how many customers are there in NA", "and in EMEA?"],
    ["email of customers", "internal note of orders"],
    ["average score by month in 2024", "the same for 1999"],
    ["orders of CANARY_CUST_4", "top 3 customers by credit"],
    ["totl amuont by regoin"],
    ["which statuses are there", "biggest order"],
    ["tickets about CANARY_TOPIC"],
    ["what can I ask", "secrets", "pay by name"],
]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[Shape, SemanticLayer, SemanticLayer]]]:
    folder: Path = tmp_path_factory.mktemp("analyst")
    full = build_full(folder / "full.duckdb")
    opened = []
    for shape in shapes()[5:]:
        whole = Path(shutil.copy(full, folder / f"{shape.name}-full.duckdb"))
        path = build_permitted(full, folder / f"{shape.name}.duckdb", shape.permitted)
        model = shape.policed_model()
        for relation in ("accounts", "desk"):  # their customers are other ones than those of `customers`
            next(r for r in (*model["cubes"], *model["views"]) if r["name"] == relation)["public"] = False
        opened.append((shape, open_layer(whole, model), open_layer(path, model)))
    yield opened
    for _, one, other in opened:
        one.close()
        other.close()


def converse(layer: SemanticLayer, ctx: SecurityContext, questions: list[str]) -> list[Any]:
    """Everything that is seen of a conversation."""

    async def talk() -> list[Any]:
        seen: list[Any] = []
        history: list[PastTurn] = []
        for question in questions:
            toolbox = Toolbox(layer, ctx)
            events = [
                e
                async for e in OfflineAnalyst().answer(Turn(question, tuple(history), now=NOW), toolbox, toolbox.cancel)
            ]
            seen.append([re.sub(r"[0-9a-f]{32}", "id", repr(event)) for event in events])
            done = events[-1]
            history.append(PastTurn(question, getattr(done, "text", ""), memory=getattr(done, "memory", {})))
        return seen

    return asyncio.run(talk())


@pytest.mark.parametrize("questions", CONVERSATIONS, ids=[talk[0] for talk in CONVERSATIONS])
def test_the_analyst_says_the_same(
    questions: list[str], worlds: list[tuple[Shape, SemanticLayer, SemanticLayer]]
) -> None:
    for shape, full, permitted in worlds:
        one, other = (converse(layer, shape.context, questions) for layer in (full, permitted))
        assert one == other, shape.name
        said = repr(one)
        for question in questions:
            said = said.replace(question, "")
        assert not re.search(r"CANARY_(CUST|MAIL|SECRET|BULK|NOTE)_\d*", said) or "CANARY" in " ".join(questions)
