"""Whole requests: no field that a key or token may send reaches another account, deployment, branch, user or thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from .two_accounts import Accounts, accounts
from .whole_requests import Holdings, found_by, hold, misplaced, senders


@pytest.fixture(scope="module")
def two() -> Iterator[Accounts]:
    with accounts() as running:
        yield running


@pytest.fixture(scope="module")
def held(two: Accounts) -> Holdings:
    return hold(two)


def test_one_after_another(two: Accounts, held: Holdings) -> None:
    who = senders(two)
    found = [found_by(two, held, who, seed) for seed in range(1_500)]
    assert not (wrong := [problem for _, problems in found for problem in problems]), "\n".join(wrong[:9])
    assert not misplaced(two)
    statuses = Counter(status for status, _ in found)
    assert statuses[200] > 150, statuses  # else nothing is tested
    assert {400, 401, 403, 404} <= set(statuses)


def test_many_at_once(two: Accounts, held: Holdings) -> None:
    """Under load the service may turn requests away; what it answers is the asker's."""
    who = senders(two)
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda seed: found_by(two, held, who, seed), range(10_000, 10_600)))
    wrong = [problem for _, problems in found for problem in problems]
    assert not wrong, "\n".join(wrong[:9])
    assert not misplaced(two)
    assert Counter(status for status, _ in found)[200] > 80
