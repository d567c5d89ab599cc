"""Drawn threads: an edit changes what it says and nothing else, undo gives back what was, whole questions inherit none."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from small_talk import NOW, layer

from svc_notebook.analyst.base import AnswerDone, PastTurn, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.dialogue.conditions import conditions_of
from svc_notebook.analyst.offline.dialogue.expressing import paths_of
from svc_notebook.analyst.offline.dialogue.flat import flat
from svc_notebook.analyst.offline.dialogue.thread import unsorted
from svc_notebook.analyst.offline.forms import Form, from_sql, in_words
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext

CLAUSES = ("measures", "groups", "columns", "having", "order", "limit")
GROUPED, MEASURED = {"groups", "columns", "order", "limit"}, {"measures", "columns", "order"}


@dataclass(frozen=True)
class Table:
    """Words of a table: its rows, numbers, values by group, and its time."""

    rows: str
    numbers: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    time: str


TABLES = {
    "rides": Table("rides", ("price", "minutes queued"), {"lift": ("Gondola", "Chair"), "pass kind": ("day", "season")}, "ridden_on"),
    "falls": Table("falls", ("fare", "guests"), {"cause": ("ice", "rope"), "time of day": ("Dusk", "Night")}, "fell_on"),
    "balloons": Table("flights", ("fare",), {"pilot": ("Ines", "Jarl", "Kaia")}, "flown_on"),
}  # fmt: skip


@cache
def asked(over: str, question: str, history: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
    """What a turn is told behind others, and what the thread keeps of it."""

    async def run() -> AnswerDone:
        toolbox = Toolbox(layer(over), SecurityContext.operator())
        events = OfflineAnalyst().answer(Turn(question, past(over, history), now=NOW), toolbox, toolbox.cancel)
        return [event async for event in events if isinstance(event, AnswerDone)][-1]

    done = asyncio.run(run())
    return done.text, dict(done.memory)


def past(over: str, said: tuple[str, ...]) -> tuple[PastTurn, ...]:
    kept = [(one, asked(over, one, said[:place])) for place, one in enumerate(said)]
    return tuple(PastTurn(one, told, memory=memory) for one, (told, memory) in kept)


def form(over: str, question: str, history: tuple[str, ...] = ()) -> Form | None:
    memory = asked(over, question, history)[1]
    if not isinstance(memory.get("reading"), str):
        return None
    found = from_sql(memory["reading"], layer(over).catalog(SecurityContext.operator()))
    assert isinstance(found, Form)
    return unsorted(flat(found))


def first(table: Table, chance: random.Random) -> str:
    number, group = chance.choice(table.numbers), chance.choice(list(table.values))
    value = chance.choice(table.values[chance.choice(list(table.values))])
    return chance.choice([
        f"average {number} by {group}", f"number of {table.rows} by {group}", f"total {number} for {value}",
        f"top 2 {group} by total {number}", f"number of {table.rows} per month in 2024",
        f"what is the median {number}",
        f"which {group} has the highest average {number}", f"how many {table.rows} in March 2024",
        f"{table.rows} by weekday", f"share of {table.rows} by {group}", f"total {number} per quarter",
    ])  # fmt: skip


def turns(table: Table, chance: random.Random) -> Iterator[tuple[str, set[str], str]]:
    """A turn, the clauses that it may change, and of what its condition is."""
    number, group, of = (
        chance.choice(table.numbers),
        chance.choice(list(table.values)),
        chance.choice(list(table.values)),
    )
    value = chance.choice(table.values[of])
    for said in (f"only {value}", f"without {value}", f"and for {value}?"):
        yield said, set(), of.replace(" ", "_")
    for said in ("only 2024", "in 2023", "and in 2024?"):
        yield said, set(), table.time
    for said in (f"by {group} instead", "per month"):
        yield said, GROUPED, ""
    for said in (f"now the average {number}", f"no, I meant {number}"):
        yield said, MEASURED, ""
    yield "ascending", {"order"}, ""
    yield "as a table", set(), ""


def clauses(one: Form, name: str) -> object:
    known = getattr(one, name)
    return {clause.expression for clause in known} if name in ("measures", "groups", "columns") else known


def changed(before: Form, after: Form, may: set[str], of: str, told: str) -> list[str]:
    """What a turn changed without saying so: a group may take the place of the one value it was restricted to."""
    found = [name for name in CLAUSES if name not in may and clauses(before, name) != clauses(after, name)]
    old, new = conditions_of(before), conditions_of(after)
    moved = [condition for condition in (*old, *new) if (condition in old) != (condition in new)]
    if "no longer" in told or before.limit is not None and may:  # it is told, or about the few that were shown
        moved = []
    other = [one for one in moved if not of or not any(path.endswith(f".{of}") for path in paths_of(one))]
    return [*found, *map(str, other)]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("over", TABLES)
def test_a_thread_changes_what_its_turns_say(over: str, seed: int) -> None:
    table, chance = TABLES[over], random.Random(f"{over}{seed}")
    catalog = layer(over).catalog(SecurityContext.operator())
    said: tuple[str, ...] = (first(table, chance),)
    base = form(over, said[0])
    for _ in range(3):
        turn, may, of = chance.choice(list(turns(table, chance)))
        new, told = form(over, turn, said), asked(over, turn, said)[0]
        said = (*said, turn)
        if new is None or base is None:
            base = new or base
            continue
        assert not changed(base, new, may, of, told), (said, in_words(base, catalog), in_words(new, catalog))
        if new != base:
            assert form(over, "undo", said) == base, said
        base = new
    whole = first(table, chance)
    assert form(over, whole, said) == form(over, whole), (said, whole)
