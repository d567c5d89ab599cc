"""A user token that a function gets: when it is needed, anew when the service takes it no longer, once for all who wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.client.errors import AuthenticationFailed, ConfigurationError
from svc_notebook.client.hub_token import HUB_TOKEN, TOKEN_URL
from svc_notebook.client.sessions import Session


@pytest.fixture(scope="module")
def service() -> Iterator[Any]:
    with svc.embedded({"shops": pd.DataFrame({"city": ["Rome", "Oslo", "Rome"]})}) as client:
        yield client


class Minting:
    """Sessions of one user, exchanged; remembers each."""

    def __init__(self, service: Any) -> None:
        self._service, self._lock = service, threading.Lock()
        self.sessions: list[Session] = []

    def __call__(self) -> str:
        with self._lock:
            self.sessions.append(self._service.generate_session(deployment_id=1, external_id="ana"))
            return self.sessions[-1].token()

    async def later(self) -> str:
        return await asyncio.to_thread(self)


@contextmanager
def as_user(service: Any, token: Any) -> Iterator[svc.Client]:
    with svc.Client(
        service.base_url, token=token, transport=service.transport, chat_api_url=service.chat_api_url
    ) as client:
        yield client


@pytest.mark.parametrize("way", ["__call__", "later"])
def test_a_revoked_token_is_replaced_and_nothing_is_seen_of_it(service: Any, way: str) -> None:
    minting = Minting(service)
    with as_user(service, getattr(minting, way)) as client:
        assert repr(client).endswith("user token>")
        assert minting.sessions == []  # nothing was asked yet
        chat = client.chat()
        assert "3" in chat.ask("how many shops are there").text
        assert len(minting.sessions) == 1
        minting.sessions[0].revoke()
        assert "2" in chat.ask("how many shops are in Rome").text
        assert client.query("SELECT MEASURE(count) FROM shops").rows == [[3]]
        assert len(minting.sessions) == 2
        assert chat.chat_id in [thread.chat_id for thread in client.threads()]


def test_those_who_are_refused_at_once_get_one_token(service: Any) -> None:
    minting = Minting(service)
    with as_user(service, minting) as client, ThreadPoolExecutor(8) as pool:
        client.meta()
        minting.sessions[0].revoke()
        asked = [pool.submit(client.sql, "SELECT city, MEASURE(count) AS n FROM shops GROUP BY 1") for _ in range(16)]
        assert {len(answer.result(60)) for answer in asked} == {2}
    assert len(minting.sessions) == 2


def test_the_answer_that_refused_a_token_is_let_go_of() -> None:
    """What is kept of it would be a connection for each token."""
    asked: list[httpx.Request] = []
    let_go: list[httpx.Request] = []

    class Body(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b'{"cubes": []}'

        async def aclose(self) -> None:
            let_go.append(asked[-1])

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(401 if len(asked) == 1 else 200, stream=Body())

    with svc.Client("http://127.0.0.1:9", token=lambda: "a-token", transport=httpx.MockTransport(answer)) as client:
        assert client.meta().cubes == []
    assert let_go == asked and len(asked) == 2


def test_a_new_token_that_is_not_taken_either_is_told(service: Any) -> None:
    asked: list[int] = []
    with as_user(service, lambda: asked.append(1) or "not-a-token") as client:
        with pytest.raises(AuthenticationFailed):
            client.meta()
    assert len(asked) == 2


@pytest.mark.parametrize(("returned", "said"), [("", "an empty text"), (None, "NoneType"), ("a\nb", "white space")])
def test_what_is_no_token_is_told(service: Any, returned: Any, said: str) -> None:
    with as_user(service, lambda: returned) as client, pytest.raises(ConfigurationError, match=said):
        client.meta()


def test_what_the_function_raises_reaches_whoever_asked(service: Any) -> None:
    def get() -> str:
        raise PermissionError("the vault is closed")

    with as_user(service, get) as client, pytest.raises(PermissionError, match="the vault is closed"):
        client.meta()


def test_a_hub_without_its_own_token_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVC_API_KEY", raising=False)
    monkeypatch.delenv(HUB_TOKEN, raising=False)
    monkeypatch.setenv(TOKEN_URL, "http://127.0.0.1:9/services/analytics/token")
    with pytest.raises(ConfigurationError, match=f"{HUB_TOKEN} is not"):
        svc.Client("http://127.0.0.1:9")
    monkeypatch.setenv(HUB_TOKEN, "of-this-server")
    assert repr(svc.Client("http://127.0.0.1:9")) == "<Client http://127.0.0.1:9, user token>"
    monkeypatch.setenv("SVC_API_KEY", "an-account-key-0123")  # whoever has a key says so
    assert "key an…" in repr(svc.Client("http://127.0.0.1:9"))
