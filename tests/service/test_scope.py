"""A scope is bound once: to a site, a branch, a place and rights, and cannot be turned to others."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from svc_notebook.cancellation import CancellationToken
from svc_notebook.lanes import Lanes
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.service.callers.scope import Opening, Scope
from svc_notebook.service.deployments.sites import Site
from svc_notebook.service.operation.witness import Sighting, Witness

from ..loops import run
from .service_world import OrdersLayer


class Unseeing(Witness):
    """Looks away."""

    def __init__(self) -> None: ...

    @contextmanager
    def watch(self, *_: Any, **__: Any) -> Iterator[Sighting]:
        yield Sighting()

    def loaded(self, *_: Any) -> None: ...


UNSEEN = Unseeing()
EMEA = SecurityContext(user="ana", user_attributes={"region": ["EMEA"]})
APAC = SecurityContext(user="bob", user_attributes={"region": ["APAC"]})


def opening(lanes: Lanes) -> Opening:
    layer: Any = OrdersLayer()
    return Opening(Site("acme", 32), "", lanes.place("acme", "ana"), layer, None, UNSEEN)


def test_every_way_of_asking_is_under_the_rights_it_is_bound_to() -> None:
    lanes = Lanes(4)
    for rights, region in ((EMEA, "EMEA"), (APAC, "APAC")):
        scope = opening(lanes).bind(rights)
        found = run(scope.query("SELECT region FROM orders", cancel=CancellationToken()))
        assert set(found.table["region"].to_pylist()) == {region}
        assert set(scope.fetch("SELECT region FROM orders").table["region"].to_pylist()) == {region}
        assert scope.toolbox().sight.asker == rights.known
        assert set(scope.toolbox().sight.query("SELECT region FROM orders").table["region"].to_pylist()) == {region}
        assert scope.sight().catalog.relations == run(scope.catalog()).relations
    lanes.close()


class Telling:
    """A layer whose every face says what it was asked for, and by whom."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.refuses = False

    def __getattr__(self, face: str) -> Any:
        def told(ctx: SecurityContext, *args: Any, **options: Any) -> tuple[str, Any]:
            self.asked.append(face)
            if self.refuses and face == "compile":
                raise InvalidQuery("no")
            return face, (ctx, *args)

        return told


def scope_over(layer: Any, lanes: Lanes) -> Scope:
    return Opening(Site("acme", 32), "", lanes.place("acme", "ana"), layer, None, UNSEEN).bind(EMEA)


def test_every_face_gives_what_the_layer_gives() -> None:
    lanes, layer = Lanes(2), Telling()
    scope = scope_over(layer, lanes)
    assert run(scope.query("q")) == ("query", (EMEA, "q"))
    assert layer.asked == ["compile", "query"]
    assert scope.fetch("q") == ("query", (EMEA, "q"))
    assert run(scope.explain("q")) == ("explain", (EMEA, "q"))
    assert run(scope.schema("q")) == ("schema", (EMEA, "q"))
    assert run(scope.search("w")) == ("search", (EMEA, "w"))
    assert run(scope.access_report(["a"])) == ("access_report", (EMEA, ["a"]))
    assert run(scope.catalog()) == ("catalog", (EMEA,))
    assert scope.sight().catalog == (EMEA,)  # the second of what was seen
    assert layer.asked[-1] == "seen"
    assert run(scope.think(lambda word: word * 2, "a")) == "aa"
    lanes.close()


def test_what_is_refused_takes_no_place_among_the_queries() -> None:
    lanes, layer = Lanes(1), Telling()
    layer.refuses = True
    with pytest.raises(InvalidQuery):
        run(scope_over(layer, lanes).query("q"))
    assert layer.asked == ["compile"]
    lanes.close()


def test_a_json_query_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(*args: Any, now: datetime, cancel: CancellationToken) -> list[Any]:
        return [SimpleNamespace(asked=args, now=now, result=SimpleNamespace(table=SimpleNamespace(num_rows=0)))]

    monkeypatch.setattr("svc_notebook.service.callers.scope.load", loaded)
    lanes, layer, now = Lanes(1), Telling(), datetime(2024, 1, 1, tzinfo=UTC)
    [found] = run(scope_over(layer, lanes).load({}, now=now, cancel=CancellationToken()))
    assert (vars(found)["asked"], vars(found)["now"]) == ((layer, EMEA, {}), now)
    lanes.close()


class Seeing(Unseeing):
    """Says which queries it was told of."""

    def __init__(self) -> None:
        self.watched: list[tuple[Any, ...]] = []
        self.told: list[tuple[Any, ...]] = []
        self.sightings: list[Sighting] = []

    @contextmanager
    def watch(self, *given: Any, **_: Any) -> Iterator[Sighting]:
        self.watched.append(given)
        self.sightings.append(Sighting())
        yield self.sightings[-1]

    def loaded(self, *given: Any) -> None:
        self.told.append(given)


def seen_scope(layer: Any, lanes: Lanes, witness: Witness, hold: Any = None) -> Scope:
    place = lanes.place("acme", "ana")
    return Opening(Site("acme", 32), "", place, layer, None, witness, hold).bind(EMEA)


def test_what_is_streamed_is_compiled_first_and_seen() -> None:
    lanes, layer, witness = Lanes(1), Telling(), Seeing()
    scope = seen_scope(layer, lanes, witness)
    assert run(scope.stream("q", timezone="UTC", cancel=CancellationToken())) == ("stream", (EMEA, "q"))
    assert layer.asked == ["compile", "stream"]
    assert [given[:3] for given in witness.watched] == [(Site("acme", 32), EMEA, "q")]
    layer.refuses = True
    with pytest.raises(InvalidQuery):
        run(scope.stream("q", timezone="UTC", cancel=CancellationToken()))
    assert layer.asked == ["compile", "stream", "compile"]
    lanes.close()


def test_what_is_at_hand_is_seen_and_what_is_not_is_no_query() -> None:
    kept: list[tuple[Any, object]] = []

    def found(*asked: Any, **how: Any) -> object | None:
        return next((result for key, result in kept if key == (asked, how)), None)

    layer: Any = SimpleNamespace(at_hand=found)
    lanes, witness = Lanes(1), Seeing()
    scope = seen_scope(layer, lanes, witness)
    assert scope.at_hand("q", timezone="Europe/Paris", uuid="u") is None
    assert witness.watched == []
    result = object()
    kept.append((((EMEA, "q"), {"timezone": "Europe/Paris", "uuid": "u"}), result))
    assert scope.at_hand("q", timezone="Europe/Paris", uuid="u") is result
    assert [given[:3] for given in witness.watched] == [(Site("acme", 32), EMEA, "q")]
    assert [sighting.result for sighting in witness.sightings] == [result]
    lanes.close()


def test_what_is_loaded_is_told_with_how_long_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [SimpleNamespace(result=SimpleNamespace(table=SimpleNamespace(num_rows=rows))) for rows in (3, 4)]
    clock = iter([100.0, 102.5])
    monkeypatch.setattr("svc_notebook.service.callers.scope.load", lambda *_, **__: answers)
    monkeypatch.setattr("svc_notebook.service.callers.scope.time", SimpleNamespace(monotonic=lambda: next(clock)))
    traced: list[dict[str, Any]] = []
    span = SimpleNamespace(tell=lambda **words: traced.append(words))
    monkeypatch.setattr("svc_notebook.service.callers.scope.span", lambda _: nullcontext(span))
    lanes, witness = Lanes(1), Seeing()
    scope = seen_scope(Telling(), lanes, witness)
    assert run(scope.load({}, now=datetime(2024, 1, 1, tzinfo=UTC), cancel=CancellationToken())) is answers
    assert witness.told == [(Site("acme", 32), EMEA, answers, 2.5)]
    assert traced == [{"outcome": "complete", "queries": 2, "rows": 7}]
    lanes.close()


def test_what_was_opened_is_released_once_nothing_more_is_asked() -> None:
    released: list[str] = []
    lanes = Lanes(1)
    hold: Any = SimpleNamespace(release=lambda: released.append("released"))
    seen_scope(Telling(), lanes, UNSEEN).release()  # nothing was opened for it
    scope = seen_scope(Telling(), lanes, UNSEEN, hold)
    assert released == []
    scope.release()
    assert released == ["released"]
    lanes.close()


def test_the_analyst_is_made_when_it_is_asked_for_and_ahead() -> None:
    made: list[str] = []

    async def make() -> Any:
        made.append("analyst")
        return "analyst"

    lanes = Lanes(1)
    layer: Any = OrdersLayer()
    place = lanes.place("acme", "ana")
    run(Opening(Site("acme", 32), "", place, layer, None, UNSEEN).ready())
    whole = Opening(Site("acme", 32), "dev", place, layer, make, UNSEEN)
    assert made == []
    run(whole.ready())
    assert made == ["analyst"]
    bound = whole.bind(EMEA)
    assert run(bound.analyst()) == "analyst"
    assert (bound.site, bound.branch, bound.place, bound.context) == (Site("acme", 32), "dev", place, EMEA)
    lanes.close()


def test_neither_shows_what_it_leads_to() -> None:
    lanes = Lanes(1)
    whole = opening(lanes)
    for one in (whole, whole.bind(EMEA)):
        assert "layer" not in repr(one).lower() and "_made" not in repr(one)
    lanes.close()


def test_an_opening_asks_nothing() -> None:
    asking = {"analyst", "query", "fetch", "explain", "schema", "load", "catalog", "sight", "search", "access_report"}
    assert asking < set(dir(Scope))
    assert not asking & set(dir(Opening))


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Scope)])
def test_a_scope_cannot_be_turned_to_anything_else(name: str) -> None:
    lanes = Lanes(1)
    scope = opening(lanes).bind(EMEA)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(scope, name, None)
    lanes.close()
