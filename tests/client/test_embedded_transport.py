"""The in-process transport: it streams, in order, without loss, and lets go."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pyarrow as pa
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from svc_notebook.client.engine.asgi import EmbeddedTransport
from svc_notebook.client.engine.portal import Portal

from ..loops import run

LINES = 10_000
PORTAL = Portal("svc-test-transport")  # of our own, so that its tasks are ours alone
color: contextvars.ContextVar[str] = contextvars.ContextVar("color", default="none")


class Probe:
    """A small application that remembers what happened to its generators."""

    def __init__(self) -> None:
        self.made = 0
        self.gate = threading.Event()
        self.done = threading.Event()
        routes = [
            Route("/lines", self.lines), Route("/endless", self.endless), Route("/gated", self.gated),
            Route("/busy", self.busy), Route("/echo", self.echo, methods=["POST"]), Route("/fail", self.fail),
            Route("/break", self.breaks), Route("/color", self.color), Route("/silent", self.silent),
        ]  # fmt: skip
        self.app = Starlette(routes=routes)

    async def lines(self, request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            for number in range(LINES):
                yield b"%d\n" % number

        return StreamingResponse(body())

    async def endless(self, request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            try:
                while True:
                    self.made += 1
                    yield b"x" * 1000
                    await asyncio.sleep(0)
            finally:
                self.done.set()

        return StreamingResponse(body())

    async def busy(self, request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            try:
                while True:
                    self.made += 1
                    yield b"x" * 1000
            finally:
                self.done.set()

        return StreamingResponse(body())

    async def gated(self, request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            yield b"first\n"
            await asyncio.to_thread(self.gate.wait, 10)
            yield b"second\n"

        return StreamingResponse(body())

    async def silent(self, request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            try:
                await asyncio.sleep(60)
                yield b"late"
            finally:
                self.done.set()

        return StreamingResponse(body())

    async def echo(self, request: Request) -> Response:
        return JSONResponse(
            {"path": request.url.path, "query": str(request.url.query), "body": (await request.body()).decode()}
        )

    async def fail(self, request: Request) -> Response:
        raise RuntimeError("boom")

    async def breaks(self, request: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            yield b"one"
            await asyncio.sleep(0)
            raise RuntimeError("boom")

        return StreamingResponse(body())

    async def color(self, request: Request) -> Response:
        return Response(color.get())


@pytest.fixture(scope="module", autouse=True)
def portal() -> Iterator[Portal]:
    yield PORTAL
    PORTAL.stop()


@pytest.fixture
def probe() -> Probe:
    return Probe()


@pytest.fixture
def sync(probe: Probe) -> Any:
    with httpx.Client(transport=EmbeddedTransport(probe.app, portal=PORTAL), base_url="http://svc.local") as client:
        yield client


def asynchronous(probe: Probe) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=EmbeddedTransport(probe.app, portal=PORTAL), base_url="http://svc.local")


def on_own_loop(make: Callable[[], Any]) -> Any:
    return run(make())


def on_engine(make: Callable[[], Any]) -> Any:
    return PORTAL.run(make())


LOOPS = [on_own_loop, on_engine]


def tasks_on_engine() -> int:
    async def count() -> int:
        return len(asyncio.all_tasks()) - 1

    return PORTAL.run(count())


def eventually(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def ended(probe: Probe) -> bool:
    """Starlette leaves a generator that stands at its ``yield`` to the collector, so collect."""
    return eventually(lambda: gc.collect() >= 0 and probe.done.is_set())


EXPECTED = b"".join(b"%d\n" % number for number in range(LINES))


def test_small_frames_arrive_whole_and_in_order_sync(sync: httpx.Client) -> None:
    with sync.stream("GET", "/lines") as response:
        assert b"".join(response.iter_bytes()) == EXPECTED


@pytest.mark.parametrize("loop", LOOPS)
def test_small_frames_arrive_whole_and_in_order_async(probe: Probe, loop: Callable[..., Any]) -> None:
    async def read() -> bytes:
        async with asynchronous(probe) as client, client.stream("GET", "/lines") as response:
            return b"".join([chunk async for chunk in response.aiter_bytes()])

    assert loop(read) == EXPECTED


def test_the_first_line_comes_before_the_second_is_made_sync(probe: Probe, sync: httpx.Client) -> None:
    with sync.stream("GET", "/gated") as response:
        chunks = response.iter_bytes()
        assert next(chunks) == b"first\n"
        probe.gate.set()
        assert b"".join(chunks) == b"second\n"


@pytest.mark.parametrize("loop", LOOPS)
def test_the_first_line_comes_before_the_second_is_made_async(probe: Probe, loop: Callable[..., Any]) -> None:
    async def read() -> list[bytes]:
        async with asynchronous(probe) as client, client.stream("GET", "/gated") as response:
            chunks = response.aiter_bytes()
            first = await anext(chunks)
            probe.gate.set()
            return [first, *[chunk async for chunk in chunks]]

    assert loop(read) == [b"first\n", b"second\n"]


def test_a_reader_that_waits_holds_the_writer(probe: Probe, sync: httpx.Client) -> None:
    with sync.stream("GET", "/endless") as response:
        chunks = response.iter_bytes()
        next(chunks)
        # The room once for what was taken, and once for what waits.
        assert not eventually(lambda: probe.made > 2_500, 0.3)
        assert probe.made >= 60  # but it did run ahead


@pytest.mark.parametrize("path", ["/endless", "/busy", "/silent"])
def test_closing_early_ends_the_generator_sync(probe: Probe, sync: httpx.Client, path: str) -> None:
    with sync.stream("GET", path) as response:
        if path != "/silent":
            next(response.iter_bytes())
    assert ended(probe)
    assert eventually(lambda: tasks_on_engine() == 0)


@pytest.mark.parametrize("loop", LOOPS)
def test_closing_early_ends_the_generator_async(probe: Probe, loop: Callable[..., Any]) -> None:
    async def read() -> None:
        async with asynchronous(probe) as client, client.stream("GET", "/endless") as response:
            async for _ in response.aiter_bytes():
                break

    loop(read)
    assert ended(probe)
    assert eventually(lambda: tasks_on_engine() == 0)


@pytest.mark.parametrize("loop", LOOPS)
def test_cancelling_the_reader_ends_the_generator(probe: Probe, loop: Callable[..., Any]) -> None:
    async def read() -> None:
        async with asynchronous(probe) as client:
            async with asyncio.timeout(0.1):
                await client.get("/silent")

    with pytest.raises(TimeoutError):
        loop(read)
    assert ended(probe)


def test_a_dropped_response_ends_the_generator(probe: Probe, sync: httpx.Client) -> None:
    response = sync.send(sync.build_request("GET", "/endless"), stream=True)
    chunks = response.iter_bytes()
    next(chunks)
    del response, chunks
    gc.collect()
    assert ended(probe)
    assert eventually(lambda: tasks_on_engine() == 0)


def test_an_exception_in_the_reader_ends_the_generator(probe: Probe, sync: httpx.Client) -> None:
    def read() -> None:
        with sync.stream("GET", "/endless") as response:
            for _ in response.iter_bytes():
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read()
    assert ended(probe)


def test_many_streams_leak_neither_thread_nor_task(probe: Probe, sync: httpx.Client) -> None:
    sync.get("/color")
    threads = threading.active_count()
    for _ in range(50):
        with sync.stream("GET", "/endless") as response:
            next(response.iter_bytes())
    assert eventually(lambda: tasks_on_engine() == 0)
    assert threading.active_count() <= threads


def test_request_path_query_and_body_arrive(sync: httpx.Client) -> None:
    answer = sync.post("/echo?a=%20b", content="häß").json()
    assert answer == {"path": "/echo", "query": "a=%20b", "body": "häß"}


def test_a_failure_before_the_response_is_a_500(sync: httpx.Client) -> None:
    assert sync.get("/fail").status_code == 500


def test_a_failure_within_the_response_breaks_it(sync: httpx.Client) -> None:
    with sync.stream("GET", "/break") as response, pytest.raises(httpx.RemoteProtocolError) as caught:
        list(response.iter_bytes())
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("name", ["httpx", "httpx2"])
def test_clients_of_either_library_are_served(probe: Probe, name: str) -> None:
    library = pytest.importorskip(name)
    transport = EmbeddedTransport(probe.app, portal=PORTAL)
    with library.Client(transport=transport, base_url="http://svc.local") as client:
        with client.stream("GET", "/lines") as response:
            assert b"".join(response.iter_bytes()) == EXPECTED
        with client.stream("GET", "/break") as response, pytest.raises(library.RemoteProtocolError):
            list(response.iter_bytes())

    async def read() -> bytes:
        async with library.AsyncClient(transport=transport, base_url="http://svc.local") as client:
            with pytest.raises(library.ReadTimeout):
                await client.get("/silent", timeout=0.2)
            async with client.stream("GET", "/lines") as response:
                return b"".join([chunk async for chunk in response.aiter_bytes()])

    assert run(read()) == EXPECTED


def test_an_application_that_says_nothing_is_a_500() -> None:
    async def mute(scope: Any, receive: Any, send: Any) -> None:
        return

    with httpx.Client(transport=EmbeddedTransport(mute, portal=PORTAL), base_url="http://svc.local") as client:
        assert client.get("/").json()["statusCode"] == 500


def test_the_read_timeout_of_the_client_holds(probe: Probe, sync: httpx.Client) -> None:
    with pytest.raises(httpx.ReadTimeout):
        sync.get("/silent", timeout=0.2)
    assert ended(probe)


def test_the_callers_context_goes_along(sync: httpx.Client) -> None:
    color.set("green")
    assert sync.get("/color").text == "green"


def test_a_table_is_handed_over_by_reference() -> None:
    table = pa.table({"x": [1, 2]})

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["extensions"]["svc.table"]["offer"](table)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    with httpx.Client(transport=EmbeddedTransport(app, portal=PORTAL), base_url="http://svc.local") as client:
        assert client.get("/").extensions["svc.table"] is table


def test_stopping_the_engine_ends_a_waiting_reader() -> None:
    probe, portal = Probe(), Portal("svc-test")
    transport = EmbeddedTransport(probe.app, portal=portal)
    failures: list[Exception] = []

    def read() -> None:
        with httpx.Client(transport=transport, base_url="http://svc.local", timeout=None) as client:
            try:
                client.get("/silent")
            except httpx.HTTPError as error:
                failures.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    assert eventually(lambda: portal.running)
    time.sleep(0.05)
    portal.stop()
    reader.join(5)
    assert not reader.is_alive()
    assert failures
