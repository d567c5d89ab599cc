"""From asking to the first frame: the embedded service, and the same application behind a server on loopback."""

from __future__ import annotations

import asyncio
import statistics
import time

import pandas as pd
import uvicorn

import svc_notebook as svc
from svc_notebook.embedded import EmbeddedClient

from .report import Measurement

QUESTION = "how many orders"


def first_frame(client: svc.Client, **user: str) -> float:
    chat = client.chat(**user)  # type: ignore[arg-type]
    start = time.perf_counter()
    with chat.stream(QUESTION) as stream:
        next(stream)
        spent = time.perf_counter() - start
        for _ in stream:
            pass
    return spent * 1e3


def whole_answer(client: svc.Client, **user: str) -> float:
    start = time.perf_counter()
    client.chat(**user).ask(QUESTION)  # type: ignore[arg-type]
    return (time.perf_counter() - start) * 1e3


def behind_a_server(client: EmbeddedClient) -> tuple[svc.Client, uvicorn.Server]:
    """The same application on the same loop, reached through a socket."""
    app = client.transport.app  # a bound method, which uvicorn takes for ASGI 2 unless it is told
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_level="warning", interface="asgi3"))

    async def begin() -> int:
        begin.task = asyncio.ensure_future(server.serve())  # type: ignore[attr-defined]
        while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
            await asyncio.sleep(0.005)
        port: int = server.servers[0].sockets[0].getsockname()[1]
        return port

    url = f"http://127.0.0.1:{client.portal.run(begin())}"
    path = str(client.chat_api_url).removeprefix(client.base_url)
    return svc.Client(url, client._calls.address.api_key, chat_api_url=url + path), server


def run(*, quick: bool = False) -> list[Measurement]:
    rounds = 10 if quick else 40
    orders = pd.DataFrame({"id": range(1000), "region": ["EMEA", "APAC"] * 500})
    with svc.embedded(data={"orders": orders}) as embedded:
        remote, server = behind_a_server(embedded)
        operator = {"internal_id": "operator@svc.local"}
        embedded.chat().ask(QUESTION)
        remote.chat(**operator).ask(QUESTION)  # type: ignore[arg-type]
        spent: dict[str, list[float]] = {"first": [], "first, socket": [], "whole": [], "whole, socket": []}
        for _ in range(rounds):
            spent["first"].append(first_frame(embedded))
            spent["first, socket"].append(first_frame(remote, **operator))
            spent["whole"].append(whole_answer(embedded))
            spent["whole, socket"].append(whole_answer(remote, **operator))
        remote.close()
        server.should_exit = True
        middle = {name: statistics.median(values) for name, values in spent.items()}
    loopback = "server on loopback"
    return [
        Measurement("first frame of an answer, embedded", middle["first"], "ms", middle["first, socket"], loopback, 1),
        Measurement("a whole answer, embedded", middle["whole"], "ms", middle["whole, socket"], loopback),
    ]
