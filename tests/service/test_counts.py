"""What is counted in several processes is the sum of all, and goes on where a process before it ended."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter as Sums
from collections.abc import Iterator

import pytest

from svc_notebook.service.operation.counts import SharedCounts, shared_file
from svc_notebook.service.operation.metrics import Metrics

ADDING = """
import os, sys
from svc_notebook.service.operation.counts import SharedCounts
from svc_notebook.service.operation.metrics import Metrics
turns = Metrics(SharedCounts(int(sys.argv[1]), int(sys.argv[2]))).counter("svc_turns_total", "Turns.", "outcome")
for _ in range(int(sys.argv[3])):
    turns.add("complete")
print("added", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def handle() -> Iterator[int]:
    made = shared_file(4)
    yield made
    os.close(made)


def test_all_see_what_each_has_counted_and_successors_go_on(handle: int) -> None:
    chance, counted = random.Random(5), Sums[str]()
    observed = 0.0
    for _ in range(30):
        block = chance.randrange(4)
        metrics = Metrics(SharedCounts(handle, block))
        requests = metrics.counter("svc_requests_total", "Requests.", "endpoint", "status")
        took = metrics.histogram("svc_seconds", "Seconds.", bounds=(1.0, 2.0))
        for _ in range(chance.randrange(20)):
            status, seconds = chance.choice(["200", "404", 'ö"\n']), chance.choice([0.5, 1.5, 2.5])
            requests.add("chat", status)
            took.observe(seconds)
            counted[status] += 1
            observed += seconds
        anybody = Metrics(SharedCounts(handle, (block + 1) % 4))
        anybody.counter("svc_requests_total", "Requests.", "endpoint", "status")
        anybody.histogram("svc_seconds", "Seconds.", bounds=(1.0, 2.0))
        text = anybody.text().splitlines()
        for status, count in counted.items():
            written = status.replace('"', r"\"").replace("\n", r"\n")
            assert f'svc_requests_total{{endpoint="chat",status="{written}"}} {count}' in text
        assert f"svc_seconds_count {counted.total()}" in text
        assert f'svc_seconds_bucket{{le="+Inf"}} {counted.total()}' in text
        assert float(next(line for line in text if "svc_seconds_sum" in line).split()[1]) == observed


def test_a_process_that_is_killed_is_counted_as_far_as_it_came(handle: int) -> None:
    here = Metrics(SharedCounts(handle, 0))
    turns = here.counter("svc_turns_total", "Turns.", "outcome")
    turns.add("complete")
    for come in (1, 2):  # the second one takes the place of the first
        words = [sys.executable, "-c", ADDING, str(handle), "3", "7"]
        adding = subprocess.Popen(
            words, pass_fds=[handle], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
        assert adding.stdout is not None
        assert adding.stdin is not None
        assert adding.stdout.readline() == b"added\n"
        adding.kill()
        adding.wait()
        adding.stdin.close()
        adding.stdout.close()
        assert f'svc_turns_total{{outcome="complete"}} {1 + 7 * come}' in here.text()


def test_a_figure_of_another_shape_is_another_one(handle: int) -> None:
    """While workers are replaced by those of another version, both count."""
    old, new = Metrics(SharedCounts(handle, 0)), Metrics(SharedCounts(handle, 1))
    old.histogram("svc_seconds", "Seconds.", bounds=(1.0, 2.0)).observe(0.5)
    new.histogram("svc_seconds", "Seconds.", bounds=(1.0,)).observe(0.5)
    assert "svc_seconds_count 1" in old.text()
    assert "svc_seconds_count 1" in new.text()


def test_more_figures_than_there_is_room_for_do_not_stop_the_service(
    handle: int, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics(SharedCounts(handle, 0))
    many = metrics.counter("svc_requests_total", "Requests.", "endpoint")
    for number in range(10_000):
        many.add(f"endpoint{number}")
    many.add("endpoint9999")
    assert "is not counted" in caplog.text
    assert 'svc_requests_total{endpoint="endpoint0"} 1' in metrics.text()
