"""Dataclasses with late methods against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import threading
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any, ClassVar

import pytest

from svc_notebook import records

KINDS = [{"frozen": frozen, "eq": eq, "slots": slots} for frozen in (0, 1) for eq in (0, 1) for slots in (0, 1)]


class Told:
    """What both decorators are given."""

    first: int
    second: str = "two"
    listed: list[int] = field(default_factory=list)
    beside: str = field(default="b", repr=False, compare=False)
    made: tuple[int, ...] = field(default_factory=tuple, init=False)
    kept: int = field(default=7, init=False)
    named: float = field(default=1.5, kw_only=True)

    def twice(self) -> int:
        return 2 * self.first


def both(kind: dict[str, Any], of: type = Told) -> tuple[Any, Any]:
    """The class as the standard library makes it, and as this package does."""
    kind = {name: bool(value) for name, value in kind.items()}

    def bare() -> Any:
        return type(
            of.__name__, (), {k: copy.copy(v) for k, v in vars(of).items() if k not in ("__dict__", "__weakref__")}
        )

    return dataclass(**kind)(bare()), records.dataclass(**kind)(bare())


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_objects_are_made_alike(kind: dict[str, Any]) -> None:
    for made in zip(*([c(1), c(1, "x", [3], "y", named=2), c(second="s", first=2)] for c in both(kind)), strict=True):
        assert dataclasses.asdict(made[0]) == dataclasses.asdict(made[1])
        assert repr(made[0]) == repr(made[1])
        assert dataclasses.asdict(replace(made[0], first=9)) == dataclasses.asdict(replace(made[1], first=9))
        assert made[1].twice() == 2 * made[1].first


class Shared:
    """What holds a variable of the class among its fields."""

    first: int
    of_all: ClassVar[int] = 3
    second: str = "b"


@pytest.mark.parametrize("of", [Told, Shared])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_fields_and_annotations_are_alike(kind: dict[str, Any], of: type) -> None:
    known, late = both(kind, of)
    told = [[(each.name, each.type, each.default, each.kw_only) for each in fields(made)] for made in (known, late)]
    assert told[0] == told[1]
    assert inspect.get_annotations(known) == inspect.get_annotations(late) == inspect.get_annotations(of)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_a_class_takes_is_told_before_and_after_its_first_object(kind: dict[str, Any]) -> None:
    known, late = both(kind)
    wanted = [(each.name, each.kind, each.annotation) for each in inspect.signature(known).parameters.values()]
    bound = inspect.signature(type("Bound", (late,), {"__call__": lambda _self, here: here}))
    for told in (inspect.signature(late), bound, late(1) and inspect.signature(late)):
        assert [(each.name, each.kind, each.annotation) for each in told.parameters.values()] == wanted
    own = type("Own", (late,), {"__init__": lambda _self, other: None, "__call__": lambda _self, here: here})
    assert list(inspect.signature(own).parameters) == ["other"]
    assert list(inspect.signature(own(1)).parameters) == ["here"]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_does_not_fit_is_refused_alike(kind: dict[str, Any]) -> None:
    for args, named in (((), {}), ((1, 2, 3, 4, 5), {}), ((1,), {"made": ()}), ((1,), {"other": 1})):
        said = []
        for each in both(kind):
            with pytest.raises(TypeError) as found:
                each(*args, **named)
            said.append(str(found.value))
        assert said[0] == said[1]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_comparing_and_hashing_are_alike(kind: dict[str, Any]) -> None:
    for each in both(kind):
        same = each(1, beside="x") == each(1, beside="z")
        assert same is bool(kind["eq"]) and each(1) != each(2) and each(1) != 1
    known, ours = both(kind)
    assert (known.__hash__ is None) == (ours.__hash__ is None)
    assert known.__match_args__ == ours.__match_args__
    assert [each.name for each in fields(known)] == [each.name for each in fields(ours)]
    assert repr(known.__dataclass_params__) == repr(ours.__dataclass_params__)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_setting_is_refused_where_it_is_frozen(kind: dict[str, Any]) -> None:
    for each in both(kind):
        one = each(1)
        if not kind["frozen"]:
            one.first = 2
            assert one.first == 2
            continue
        for work in (lambda one=one: setattr(one, "first", 2), lambda one=one: delattr(one, "first")):
            with pytest.raises(FrozenInstanceError):
                work()


@records.dataclass(frozen=True, slots=True)
class Pair:
    left: int
    right: tuple[str, ...] = ()


@records.dataclass(frozen=True)
class Checked:
    number: float

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError("below nothing")

    def __repr__(self) -> str:
        return "checked"

    def __hash__(self) -> int:
        return 5


@records.dataclass(frozen=True)
class Inherits(Checked):
    other: int = 0


def test_frozen_slots_are_pickled_and_copied() -> None:
    one = Pair(1, ("a",))
    assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)
    assert hash(one) == hash(Pair(1, ("a",)))
    assert not hasattr(one, "__dict__") and Pair.__doc__ is None


def test_own_methods_stay() -> None:
    assert repr(Checked(1)) == "checked" and hash(Checked(1)) == 5
    with pytest.raises(ValueError, match="below nothing"):
        Checked(-1)
    assert Inherits(1, 2) == Inherits(1, 2) != Inherits(1, 3)
    nan = float("nan")
    assert Checked(nan) == Checked(nan)  # as a tuple of it is


def test_many_threads_may_make_the_first_ones() -> None:
    made: list[Any] = []
    ready = threading.Barrier(8)
    kind = records.dataclass(type("Fresh", (), {"__annotations__": {"n": int}, "n": 1}))

    def work() -> None:
        ready.wait()
        made.append(kind(2))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [one.n for one in made] == [2] * 8 and kind().n == 1
