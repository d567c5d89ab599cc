"""Search: finds what people mean, whatever their fingers did, and only what they may see."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.semantic.catalog import Catalog, Member, Relation
from svc_notebook.semantic.naming import title_of
from svc_notebook.semantic.search import SearchIndex, stem


def relation(name: str, *members: Member, **more: object) -> Relation:
    return Relation(name, "view", title_of(name), {m.name: m for m in members}, **more)  # type: ignore[arg-type]


def member(relation: str, name: str, **more: object) -> Member:
    return Member(relation, name, "dimension", "string", title_of(name), **more)  # type: ignore[arg-type]


FLIGHTS = relation(
    "flights",
    member("flights", "avg_arrival_delay", synonyms=("lateness",)),
    member("flights", "departure_city", description="Where the aircraft takes off"),
    member("flights", "airline_name", meta={"ai_context": "Use for carriers"}),
    member("flights", "cancelled_share"),
    description="Every flight that left New York",
)
PLANES = relation("planes", member("planes", "seats"), member("planes", "engine_type"), synonyms=("fleet",))
INDEX = SearchIndex(Catalog({r.name: r for r in (FLIGHTS, PLANES)}))


def first(query: str) -> str:
    hit = INDEX.rank(query)[0]
    return hit.member.path if hit.member is not None else hit.relation.name


@pytest.mark.parametrize(
    "query,found",
    [
        ("average arrival delay", "flights.avg_arrival_delay"),
        ("arrival delays", "flights.avg_arrival_delay"),
        ("lateness", "flights.avg_arrival_delay"),
        ("arival dellay", "flights.avg_arrival_delay"),
        ("arrivaldelay", "flights.avg_arrival_delay"),
        ("what is the share of cancelled flights per month?", "flights.cancelled_share"),
        ("departure cities", "flights.departure_city"),
        ("takes off", "flights.departure_city"),
        ("carriers", "flights.airline_name"),
        ("AIRLINE_NAME", "flights.airline_name"),
        ("number of seats", "planes.seats"),
        ("fleet", "planes"),
        ("plane", "planes"),
    ],
)
def test_what_is_found_first(query: str, found: str) -> None:
    assert first(query) == found


def test_members_come_with_their_relation() -> None:
    found = INDEX.search("engine type")
    relation, members = found[0]
    assert (relation.name, members[0].name) == ("planes", "engine_type")


def test_a_relation_found_by_its_own_name_shows_its_members() -> None:
    assert [(r.name, len(ms)) for r, ms in INDEX.search("fleet")] == [("planes", 2)]


def test_no_words_list_everything() -> None:
    assert [(r.name, len(ms)) for r, ms in INDEX.search("")] == [("flights", 4), ("planes", 2)]
    assert INDEX.search("  ?! ") == INDEX.search("")


def test_nonsense_finds_nothing() -> None:
    assert INDEX.search("zzzzqqqq") == []
    assert SearchIndex(Catalog({})).search("anything") == []


def test_stems() -> None:
    words = ["cities", "boxes", "delays", "classes", "status", "bus", "gas", "is", "series", "prices", "analysis"]
    assert [stem(word) for word in words] == [
        "city", "box", "delay", "class", "status", "bus", "gas", "is", "sery", "price", "analysis",
    ]  # fmt: skip


QUALITIES = (
    "gross net average total planned actual delayed cancelled completed pending monthly yearly maximum adjusted".split()
)
ENTITIES = (
    "order customer product supplier invoice payment shipment warehouse employee department contract campaign".split()
)
ATTRIBUTES = "amount revenue margin quantity weight duration distance rating category country currency discount".split()


def thousand() -> tuple[SearchIndex, list[tuple[str, str]]]:
    rng = random.Random(3)
    triples = [(e, q, a) for e in ENTITIES for q in QUALITIES for a in ATTRIBUTES]
    rng.shuffle(triples)
    members: dict[str, list[Member]] = {}
    known: list[tuple[str, str]] = []
    for entity, quality, attribute in triples[:1000]:
        made = member(f"{entity}s", f"{quality}_{entity}_{attribute}")
        members.setdefault(made.relation, []).append(made)
        known.append((made.path, f"{quality} {entity} {attribute}"))
    return SearchIndex(Catalog({name: relation(name, *found) for name, found in members.items()})), known


BIG, KNOWN = thousand()


def recall(ask: list[tuple[str, str]]) -> float:
    return sum(any(h.member is not None and h.member.path == path for h in BIG.rank(q)) for path, q in ask) / len(ask)


def test_a_thousand_members_are_told_apart() -> None:
    rng = random.Random(5)
    some = rng.sample(KNOWN, 200)
    assert recall(some) == 1.0
    assert recall([(path, f"What is the {text}s by region and month?") for path, text in some]) == 1.0

    def slipped(text: str) -> str:
        at = rng.randrange(1, len(text) - 2)
        return (
            text[:at] + text[at + 1] + text[at] + text[at + 2 :] if rng.random() < 0.5 else text[:at] + text[at + 1 :]
        )

    assert recall([(path, slipped(text)) for path, text in some]) >= 0.9


def test_searching_a_thousand_members_takes_about_a_millisecond() -> None:
    best = min(_seconds("delayd invoice amounts") for _ in range(50))
    assert best < 0.003


def _seconds(query: str) -> float:
    started = time.perf_counter()
    BIG.rank(query)
    return time.perf_counter() - started


@given(st.text(max_size=40))
def test_any_text_may_be_asked(query: str) -> None:
    hits = INDEX.rank(query, 5)
    assert len(hits) <= 5
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert INDEX.rank(query, 5) == hits
    for found, members in INDEX.search(query, 1):
        assert all(m.relation == found.name for m in members)


NAMES = st.lists(st.sampled_from([*QUALITIES, *ENTITIES, *ATTRIBUTES]), min_size=1, max_size=3).map("_".join)


@given(st.lists(NAMES, min_size=1, max_size=12, unique=True), st.data())
def test_every_name_finds_its_member_first_or_level(names: list[str], data: st.DataObject) -> None:
    index = SearchIndex(Catalog({"r": relation("r", *(member("r", name) for name in names))}))
    wanted = data.draw(st.sampled_from(names))
    hits = index.rank(wanted.replace("_", " "), len(names) + 1)
    score = {h.member.name: h.score for h in hits if h.member is not None}
    same = [n for n in names if set(n.split("_")) >= set(wanted.split("_"))]
    assert wanted in score
    assert max(score.values()) == max(score[n] for n in same)
