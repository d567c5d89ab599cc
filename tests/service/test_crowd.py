"""Askers of many rights at once, over two accounts with two deployments each: nobody is told what is not theirs.

The long form, with memory and what others cost one, is ``python -m benchmarks --only askers``.
"""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

from benchmarks.bench_askers import request
from benchmarks.crowd import SITES, Person, crowd, people


def test_askers_of_many_rights_at_once_are_told_what_is_theirs() -> None:
    everybody = [person for site in SITES for person in people(site, 8, 6)]
    work = [(person, number) for person in everybody for number in range(3)]
    random.Random(1).shuffle(work)
    with crowd(rows=300) as service, ThreadPoolExecutor(6) as threads:
        done = [threads.submit(request, service, person, number) for person, number in work]
        for each in done:
            each.result(120)


def test_what_is_foreign_is_found() -> None:
    one, other = people(SITES[0], 1, 1)[0], people(SITES[1], 1, 1)[0]
    assert one.name == other.name
    assert not one.foreign(" ".join(one.cities))
    assert one.foreign(" ".join(other.cities)) == other.cities
    assert Person(one.site, "nobody", frozenset()).foreign(" ".join(one.cities)) == one.cities
