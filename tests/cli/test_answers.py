"""The commands that ask: on the demo, as a user runs them; in a process of their own where what is asked is its pipes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from svc_notebook.cli import main

pytestmark = pytest.mark.slow
Done = subprocess.CompletedProcess[str]
Command = Callable[..., Done]


def alone(*arguments: str, **options) -> Done:
    command = [sys.executable, "-m", "svc_notebook.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=180, **options)


@pytest.fixture
def svc_notebook(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    def run(*arguments: str, cwd: Path | None = None) -> Done:
        if cwd is not None:
            monkeypatch.chdir(cwd)
        code = main(list(arguments))
        return Done(arguments, code, *capsys.readouterr())

    return run


def test_ask_prints_the_answer_and_its_rows():
    done = alone("ask", "how many flights were there", "--sql")
    assert done.returncode == 0, done.stderr
    assert "336,776" in done.stdout
    assert "SELECT" in done.stdout


def test_ask_as_an_airline_in_json(svc_notebook: Command):
    done = svc_notebook("ask", "flights by airline", "--as", "dana", "--attribute", "carrier=DL", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["status"] == "complete"
    assert answer["results"][0]["rows"] == [["Delta Air Lines Inc.", 48110]]


def test_sql_as_csv_from_standard_input():
    done = alone(
        "sql", "-", "--format", "csv", input="SELECT origin, MEASURE(count) AS n FROM flights GROUP BY 1 ORDER BY 1"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["origin,n", "EWR,120835", "JFK,111279", "LGA,104662"]


def test_sql_that_names_nothing_known_says_what_was_meant(svc_notebook: Command):
    done = svc_notebook("sql", "SELECT airlin FROM flights")
    assert done.returncode == 1
    assert "airline" in done.stderr
    assert done.stdout == ""


def test_explain_shows_the_row_filter_and_its_reason(svc_notebook: Command):
    done = svc_notebook(
        "sql", "--explain", "SELECT MEASURE(count) FROM flights", "--as", "dana", "--attribute", "carrier=DL"
    )
    assert "WHERE" in done.stdout
    assert "-- rows of flight_facts: carrier" in done.stdout


def test_doctor_finds_nothing_to_mend_here(svc_notebook: Command):
    done = svc_notebook("doctor")
    assert done.returncode == 0, done.stdout
    assert "the demo's data model has no errors" in done.stdout


def test_doctor_tells_of_a_broken_model_and_how_to_see_more(svc_notebook: Command, tmp_path: Path):
    (tmp_path / "m.yml").write_text("cubes:\n  - name: x\n")
    done = svc_notebook("doctor", "--model", str(tmp_path), "--json")
    assert done.returncode == 1
    problems = [finding for finding in json.loads(done.stdout) if finding["level"] == "problem"]
    assert problems[0]["remedy"] == f"svc-notebook validate {tmp_path}"


def test_from_a_csv_to_an_answer(svc_notebook: Command, tmp_path: Path):
    (tmp_path / "orders.csv").write_text("id,customer_id,amount\n1,1,10\n2,1,20\n3,2,5\n")
    (tmp_path / "customers.csv").write_text("id,name\n1,Ada\n2,Grace\n")
    made = svc_notebook("init", "orders.csv", "customers.csv", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert svc_notebook("validate", "model", "--strict", cwd=tmp_path).returncode == 0
    data = ["--model", "model", "--data", "orders=orders.csv", "--data", "customers=customers.csv"]
    done = svc_notebook("ask", "how many orders are there", *data, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["results"][0]["rows"] == [[3]], done.stderr
    again = svc_notebook("init", "orders.csv", cwd=tmp_path)
    assert again.returncode == 0
    assert "orders: kept as it is in cubes/orders.yml" in again.stdout


def test_eval_counts_what_comes_out_right(svc_notebook: Command, tmp_path: Path):
    questions = [
        {"question": "how many flights were there", "sql": "SELECT MEASURE(count) FROM flights"},
        {"question": "flights by airline", "sql": "SELECT airline, MEASURE(count) + 1 FROM flights GROUP BY 1"},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    done = svc_notebook("eval", str(tmp_path / "q.jsonl"), "--json")
    found = json.loads(done.stdout)
    assert found["counts"] == {"pass": 1, "fail": 1}
    assert done.returncode == 1
    assert svc_notebook("eval", str(tmp_path / "q.jsonl"), "--at-least", "50").returncode == 0


def test_eval_says_why_and_what_a_person_should_look_at(svc_notebook: Command, tmp_path: Path):
    questions = [
        {
            "question": "flights by airline, blorp",
            "sql": "SELECT airline, MEASURE(count) FROM flights GROUP BY 1",
        },
        {"question": "average departure delay by origin", "rows": [["EWR", 1], ["JFK", 2], ["LGA", 3]]},
        {"question": "how many flights", "sql": "SELECT nothing FROM flights"},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    done = svc_notebook("eval", str(tmp_path / "q.jsonl"))
    first, second, third, last = done.stdout.strip().splitlines()
    assert first.startswith("review") and "blorp" in first
    assert second.startswith("fail") and "expected (EWR, 1)" in second
    assert third.startswith("error") and "nothing" in third
    assert last == "0 of 3 passed (0 %); 1 review, 1 fail, 1 error"
    assert done.returncode == 1


def test_serve_and_ask_over_the_network(tmp_path: Path):
    """The demo over a socket: the printed key and URL are all a client needs; an interrupt ends the server."""
    pytest.importorskip("uvicorn")
    with (tmp_path / "log").open("w+") as log:
        command = [sys.executable, "-m", "svc_notebook.cli", "serve", "--port", "0", "--log-level", "info"]
        server = subprocess.Popen(command, stderr=log, stdout=log)
        try:
            end = time.monotonic() + 90
            while not (address := re.search(r"running on (http://[\d.:]+)", said := (tmp_path / "log").read_text())):
                assert server.poll() is None, said
                assert time.monotonic() < end, said
                time.sleep(0.1)
            key = re.search(r"server: (svc_\S+)", said)[1]
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(f"{address[1]}/svc-api/v1/meta")
            chat_url = f"{address[1]}/api/v1/public/local/agents/data-analyst/chat/stream-chat-state"
            done = alone(
                "ask", "how many flights were there", "--url", address[1], "--chat-url", chat_url,
                "--internal", "operator@svc.local", "--json", env={**os.environ, "SVC_API_KEY": key},
            )  # fmt: skip
            assert json.loads(done.stdout)["results"][0]["rows"] == [[336776]], done.stderr
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(30) in (0, -signal.SIGINT, 130)


def test_access_says_why_somebody_sees_no_rows(svc_notebook: Command):
    done = svc_notebook("access", "flights", "--as", "kim")
    assert done.returncode == 0, done.stderr
    assert "view flights: 0 of 336,776 rows" in done.stdout
    assert "user attribute 'carrier' is not set" in done.stdout
    told = json.loads(svc_notebook("access", "flights", "--as", "dana", "--attribute", "carrier=DL", "--json").stdout)
    assert told["relations"][0]["rows"] == 48110
    assert "no cube and no view 'flihgts'" in svc_notebook("access", "flihgts").stderr
