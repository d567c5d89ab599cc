"""What a service refuses stands in the widget as a line, and nowhere as a traceback."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import svc_notebook as svc


def test_an_unknown_tenant_is_a_line_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    told: list[dict[str, Any]] = []
    refused = threading.Event()

    def tell(_self: Any, message: dict[str, Any], _buffers: Any = None) -> None:
        told.append(message)
        if message["t"] == "refused":
            refused.set()

    monkeypatch.setattr(svc.TenantAdmin, "tell", tell)
    with svc.demo() as client:
        widget = svc.TenantAdmin(client, "nobody-here")
        widget._heard(widget, {"t": "sync", "id": 1}, [])
        assert refused.wait(30)
    [line] = [message["message"] for message in told if message["t"] == "refused"]
    assert "\n" not in line
    assert "nobody-here" in line or "tenant" in line
    assert caplog.records == []
    assert "Traceback" not in capfd.readouterr().err
