"""Conversations that are drawn: what each turn does to the question is done to the same in pandas."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pandas as pd
import pytest
from small_talk import answered, rides, rows_of

NUMBERS = {"total price": ("price", "sum"), "average minutes queued": ("minutes_queued", "mean")}
VALUES = {"lift": ["Gondola", "Chair", "Tow"], "pass_kind": ["evening"]}
TITLES = {"lift": "lift", "pass_kind": "pass kind"}


@dataclass(frozen=True)
class Asked:
    """What a conversation asks by now."""

    number: str
    group: str
    only: dict[str, tuple[str, bool]] = field(default_factory=dict)  # a value of a column, and whether it is left out
    year: int = 0

    def rows(self) -> list[list[object]]:
        known = rides()
        for column, (value, out) in self.only.items():
            known = known[(known[column] != value) if out else (known[column] == value)]
        if self.year:
            known = known[pd.to_datetime(known.ridden_on).dt.year == self.year]
        column, how = NUMBERS[self.number]
        return rows_of(known.groupby(self.group)[column].agg(how).reset_index())


def turns(asked: Asked, chance: random.Random) -> Iterator[tuple[str, Asked]]:
    """What may be said next, and what is asked then."""
    column = chance.choice(list(VALUES))
    value = chance.choice(VALUES[column])
    yield f"only {value}", replace(asked, only={**asked.only, column: (value, False)})
    yield f"the same for {value}", replace(asked, only={**asked.only, column: (value, False)})
    if column not in asked.only:
        yield f"without {value}", replace(asked, only={**asked.only, column: (value, True)})
        yield f"group it by {TITLES[column]}", replace(asked, group=column)
        yield f"by {TITLES[column]} instead", replace(asked, group=column)
    else:
        left = {name: rule for name, rule in asked.only.items() if name != column}
        yield f"remove the {TITLES[column]} filter", replace(asked, only=left)
    other = next(number for number in NUMBERS if number != asked.number)
    yield f"now the {other}", replace(asked, number=other)
    yield f"not {asked.number}, {other}", replace(asked, number=other)
    if asked.year:
        yield "and last year?", replace(asked, year=2024 if asked.year == 2023 else 2023)
    else:
        yield "only 2024", replace(asked, year=2024)


@pytest.mark.parametrize("seed", range(12))
def test_each_turn_does_what_it_says_and_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    asked = Asked(chance.choice(list(NUMBERS)), chance.choice(list(VALUES)))
    said = [f"{asked.number} by {TITLES[asked.group]}"]
    for _ in range(4):
        turn, asked = chance.choice(list(turns(asked, chance)))
        said.append(turn)
    told, rows = answered(*said)
    assert rows is not None, (said, told)
    assert [row[0] for row in rows] == [row[0] for row in asked.rows()], (said, told)
    assert [row[1] for row in rows] == pytest.approx([row[1] for row in asked.rows()], abs=1e-3), (said, told)
