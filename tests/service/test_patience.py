"""Half-sent requests are not kept: neither a head that never ends nor a body that nobody reads."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from svc_notebook.service.app import create_app
from svc_notebook.service.web.patience import patient_protocol

from .service_world import OrdersLayer, ScriptedAnalyst, make_config, make_service

WAIT = 0.3


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    service = make_service(make_config(), ScriptedAnalyst(), OrdersLayer(), "memory", None)
    listener = socket.create_server(("127.0.0.1", 0))
    config: Any = {"log_level": "error", "lifespan": "on", "timeout_keep_alive": 30, "timeout_graceful_shutdown": 1}
    server = uvicorn.Server(uvicorn.Config(create_app(service), http=patient_protocol(WAIT), **config))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(60)


def answer_to(address: tuple[str, int], *pieces: bytes) -> bytes:
    """Everything the server says until it closes; fails where it never does."""
    with socket.create_connection(address, timeout=30) as connection:
        for piece in pieces:
            connection.sendall(piece)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", b""),
        (b"POST /svc-api/v1/sql HT", b""),
        (b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-Half: ", b""),
        (b"GET /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf", b"404"),
    ],
)
def test_what_is_half_sent_is_given_up(address: tuple[str, int], sent: bytes, answered: bytes) -> None:
    said = answer_to(address, sent)
    assert said.split(b" ")[1:2] == ([answered] if answered else [])


def test_half_a_second_request_on_a_kept_connection(address: tuple[str, int]) -> None:
    whole = b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(whole)
        said = b""
        while not said.endswith(b"}"):
            said += connection.recv(65536)
        assert b" 404 " in said
        connection.sendall(whole[:20])
        assert connection.recv(65536) == b""
