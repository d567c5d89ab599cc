"""The in-process transport, line by line, against iterating the same async generator with nothing in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from svc_notebook.client.engine.asgi import EmbeddedTransport
from svc_notebook.client.engine.portal import engine
from svc_notebook.protocol.chat import FINAL_PATH, Message
from svc_notebook.protocol.ndjson import LineDecoder, encode_line

from .report import Measurement

WORDS = "some twenty words of an answer, as they come from an analyst, one small piece of about a hundred bytes"


async def frames(count: int, *, pause: bool) -> AsyncIterator[bytes]:
    """Frames as the service makes them; with ``pause`` the maker waits before each, as an analyst does."""
    for sort in range(count):
        if pause:
            await asyncio.sleep(0)
        yield encode_line(
            Message(id="f", role="assistant", graph_path=FINAL_PATH, content=WORDS, is_delta=True, sort=sort)
        )


def bare(count: int, *, pause: bool) -> float:
    async def read() -> int:
        total = 0
        async for line in frames(count, pause=pause):
            total += len(line)
        return total

    return timed(lambda: asyncio.run(read()))


def application(count: int, *, pause: bool) -> Starlette:
    async def stream(request: Request) -> StreamingResponse:
        return StreamingResponse(frames(count, pause=pause))

    return Starlette(routes=[Route("/", stream)])


def sync_client(app: Starlette, count: int) -> float:
    def read() -> None:
        decoder = LineDecoder()
        with (
            httpx.Client(transport=EmbeddedTransport(app), base_url="http://svc.local") as client,
            client.stream("GET", "/") as response,
        ):
            got = sum(len(decoder.decode(chunk)) for chunk in response.iter_bytes())
        assert got == count, got

    return timed(read)


def async_client(app: Starlette, count: int, *, on_engine: bool) -> float:
    async def read() -> None:
        decoder, got = LineDecoder(), 0
        async with (
            httpx.AsyncClient(transport=EmbeddedTransport(app), base_url="http://svc.local") as client,
            client.stream("GET", "/") as response,
        ):
            async for chunk in response.aiter_bytes():
                got += len(decoder.decode(chunk))
        assert got == count, got

    return timed(lambda: engine().run(read()) if on_engine else asyncio.run(read()))


def timed(work: Callable[[], object]) -> float:
    """Seconds that all threads of this process compute: what the machine gives to others does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


async def ready(count: int, size: int) -> AsyncIterator[bytes]:
    """Lines that are there already, so that nothing but passing them on is measured."""
    line = b"x" * (size - 1) + b"\n"
    for _ in range(count):
        yield line


def passed_on(size: int, count: int, rounds: int) -> Measurement:
    """Computing for a ready line of a size, beside iterating the same generator."""

    async def stream(request: Request) -> StreamingResponse:
        return StreamingResponse(ready(count, size))

    async def bare() -> int:
        return sum([len(line) async for line in ready(count, size)])

    app = Starlette(routes=[Route("/", stream)])
    spent = [(sync_client(app, count), timed(lambda: asyncio.run(bare()))) for _ in range(rounds)]
    cost, floor = (min(each) / count * 1e6 for each in zip(*spent, strict=True))
    return Measurement(
        f"a ready line of {size:,} bytes", cost, "µs", floor, "a bare generator of it", note="aim 10 times"
    )


def run(*, quick: bool = False) -> list[Measurement]:
    count, rounds = (10_000, 7) if quick else (20_000, 9)
    found = [each for pause in (False, True) for each in _measured(count, rounds, pause=pause)]
    return found + [passed_on(size, count // 4, rounds) for size in (100, 10_000)]


def _measured(count: int, rounds: int, *, pause: bool) -> list[Measurement]:
    app = application(count, pause=pause)
    ways: dict[str, Callable[[], float]] = {
        "bare": lambda: bare(count, pause=pause),
        "sync client": lambda: sync_client(app, count),
        "async client, own loop": lambda: async_client(app, count, on_engine=False),
        "async client, engine's loop": lambda: async_client(app, count, on_engine=True),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):  # in turns, so that a busy moment hits all of them
        for name, way in ways.items():
            best[name] = min(best[name], way())
    floor = best.pop("bare") / count * 1e6
    maker, aim = ("waiting maker", 2) if pause else ("busy maker", 4)
    return [
        Measurement(
            f"line, {maker}, {name}",
            seconds / count * 1e6,
            "µs",
            floor,
            "bare async generator",
            limit=7,
            note=f"aim {aim} times",
        )
        for name, seconds in best.items()
    ]
