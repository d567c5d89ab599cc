"""What a served process writes to its log, and what never is in it."""

from __future__ import annotations

import io
import json
import logging
import sys

import pytest

from svc_notebook.cli.logs import FORMATS, configure

pytestmark = pytest.mark.usefixtures("logging_as_it_was")


def lines(written: io.StringIO) -> list[str]:
    return written.getvalue().splitlines()


def test_lines_go_to_what_is_standard_error_when_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", first)
    configure("info", "json")
    logging.getLogger("svc_notebook.access").info("%s %s", "GET", "/livez")
    monkeypatch.setattr(sys, "stderr", second)
    logging.getLogger("svc_notebook.access").info("%s %s", "GET", "/readyz")
    assert [json.loads(*lines(each))["message"] for each in (first, second)] == ["GET /livez", "GET /readyz"]


@pytest.mark.parametrize("style", FORMATS)
def test_a_log_that_nobody_reads_any_more_is_no_error(
    style: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    closed = io.StringIO()
    closed.close()
    for nobody in (closed, Gone(), None):
        monkeypatch.setattr(sys, "stderr", nobody)
        configure("info", style)
        logging.getLogger("svc_notebook.access").info("%s %s", "GET", "/livez")
    assert "".join(capfd.readouterr()) == ""


def test_a_line_that_cannot_be_made_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    configure("info", "text")
    logging.getLogger("svc_notebook.access").info("%s %s", "GET")
    assert "not enough arguments" in written.getvalue()


@pytest.mark.parametrize(("cancelled", "told"), [(0, 0), (2, 1)])
def test_a_server_that_cancelled_nothing_says_nothing_of_it(
    cancelled: int, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    configure("info", "text")
    logging.getLogger("uvicorn.error").error("Cancel %s running task(s), timeout graceful shutdown exceeded", cancelled)
    assert len(lines(written)) == told
