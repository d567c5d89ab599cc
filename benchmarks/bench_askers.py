"""What other askers cost one: many rights over two accounts with two deployments each, an hour's requests in fast motion."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from .crowd import SITES, Crowd, Person, crowd, people
from .report import Measurement

SQL = "SELECT city, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 1"
QUESTION = "revenue by city"


def request(service: Crowd, person: Person, number: int) -> None:
    """One of what people do; fails where the answer holds what is not theirs, or nothing that is."""
    text = service.ask(person, QUESTION) if number % 4 == 0 else service.query(person, SQL)
    assert not (told := person.foreign(text)), f"{person.name} of {person.site} was told of {told}"
    assert any(city in text for city in person.cities), f"{person.name} was told nothing"


def resident() -> float:
    """Megabytes this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def warm(service: Crowd, persons: list[Person], rounds: int) -> dict[str, float]:
    """CPU milliseconds of a warm question, and of a warm query, of these persons in turn."""
    spent: dict[str, list[float]] = {"question": [], "query": []}
    for _ in range(rounds):
        for person in persons:
            spent["question"].append(seconds(lambda who=person: service.ask(who, QUESTION)))
            spent["query"].append(seconds(lambda who=person: service.query(who, SQL)))
    return {kind: statistics.median(values) * 1e3 for kind, values in spent.items()}


def run(*, quick: bool = False) -> list[Measurement]:
    askers, rights, hour = (40, 30, 400) if quick else (200, 150, 4_000)
    with tempfile.TemporaryDirectory() as folder, crowd(f"{folder}/state.sqlite") as service:
        everybody = [
            person for site in SITES for person in people(site, askers // len(SITES), rights // len(SITES) + 1)
        ]
        one = everybody[0]
        request(service, one, 0)
        alone = warm(service, [one], 20)
        for person in everybody:
            request(service, person, 0)
            request(service, person, 1)
        random.Random(7).shuffle(everybody)
        half = len(everybody)
        grown = []
        for number in range(hour):
            if number in (hour // 2, hour - 1):
                grown.append(resident())
            request(service, everybody[number % half], number)
        among = warm(service, everybody[:40], 1)
    return [
        Measurement(f"a warm {kind} among {askers} askers, CPU", among[kind], "ms", alone[kind], "one asker", 1.5)
        for kind in alone
    ] + [
        Measurement(
            f"memory after {hour:,} requests of {rights} rights", grown[1], "MB", grown[0], "after half of them", 1.1
        )
    ]  # fmt: skip
