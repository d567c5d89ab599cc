"""`docs/architecture.md` tells the house as it is; and what is made of it is made rightly."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from svc_notebook.lanes import lane


@pytest.fixture(scope="module")
def house(root: Path):
    sys.path.insert(0, str(root))
    try:
        from scripts.house import __main__, counter, drawing, page, rooms, source, way
    finally:
        sys.path.remove(str(root))
    modules = (__main__, counter, drawing, page, rooms, source, way)
    yield {module.__name__.rpartition(".")[2]: module for module in modules}
    source.Package.at.cache_clear()  # the trees of a thousand modules


def test_the_page_and_its_drawing_are_as_the_code_is(house, capsys: pytest.CaptureFixture[str]):
    assert house["__main__"].main(["--check"]) == 0, capsys.readouterr().out


def test_the_way_of_a_question_is_the_same_where_the_loop_is_late(root: Path, house, monkeypatch: pytest.MonkeyPatch):
    def late(future):  # the engine is asked meanwhile
        time.sleep(0.02)
        return ended(future)

    ended, interval = lane.ended, sys.getswitchinterval()
    monkeypatch.setattr(lane, "ended", late)
    sys.setswitchinterval(1e-6)
    try:
        told = house["page"].told_way(house["way"].way())
    finally:
        sys.setswitchinterval(interval)
    assert told in (root / "docs" / "architecture.md").read_text("utf-8")


def test_every_room_is_drawn_and_every_arrow_points_down(root: Path, house):
    built = house["rooms"].built(root)
    floor = {room: number for number, rooms in enumerate(built.floors) for room in rooms}
    assert floor.keys() == built.below.keys()
    assert {
        f"{room} -> {other}" for room in floor for other in built.below[room] if floor[other] < floor[room]
    } == set()
    picture = house["drawing"].drawn(built)
    assert all(f">{room}</text>" in picture for room in floor)
    assert picture.count("marker-end") == sum(len(built.reduced(room)) for room in floor)


@pytest.fixture
def small(tmp_path: Path, house):
    """A package of four modules."""
    files = {
        "shop/__init__.py": '"""A shop."""\n',
        "shop/till.py": (
            "from typing import TYPE_CHECKING, Any\n\nfrom .goods import tea\n\nif TYPE_CHECKING:\n    from . import people\n\n\n"
            "# The drawer sticks: pull twice.\n# Really.\ndef sell(what: Any) -> Any:\n    from .goods.tea import kinds  # only here\n\n"
            "    if what in kinds and what or tea:\n        return what\n    try:\n        return [one for one in kinds]\n    except Exception:\n        return None\n"
        ),
        "shop/people.py": "import shop.till\n\n\ndef staff(when):  # noqa: D103\n    return when\n",
        "shop/goods/__init__.py": "",
        "shop/goods/tea.py": "from .. import people as till\n\nkinds = [till]\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "shop"


def test_imports_are_those_that_happen(small: Path, house):
    found = {(each.importer, each.imported, each.when) for each in house["source"].Package(small).imports}
    assert found == {
        ("till", "goods.tea", "loading"), ("till", "goods.tea", "calling"), ("people", "till", "loading"),
        ("goods.tea", "people", "loading"),
    }  # fmt: skip


def test_figures_are_counted(small: Path, house):
    figures = house["counter"].counted(small).figures
    assert figures.keys() == house["counter"].FIGURES.keys()
    assert figures["modules"] == 5
    assert figures["rings"] == 3, "till, tea and people load each other"
    assert figures["single"] == 100
    assert figures["broad"] == 1
    assert figures["annotated"] == 50, "staff is not"
    assert figures["branches"] == (6 + 1) / 2, "if, and, or, the comprehension, except; and the way in"


def test_a_table_is_read_back_as_it_was_written(house):
    page, figures = house["page"], house["counter"].FIGURES
    table = {
        "ours": {name: 1234.0 + number for number, name in enumerate(figures)},
        "theirs": dict.fromkeys(figures, 0.5),
    }
    text = page.filled("a\n<!-- made: figures -->\n<!-- end -->\nb", {"figures": page.told_figures(table)})
    assert page.figures_told(text) == table
    assert page.filled(text, {"figures": page.told_figures(page.figures_told(text))}) == text
