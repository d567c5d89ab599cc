"""A language model's long reply: what each of its chunks computes on the service's loop, and what others wait meanwhile."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import svc_notebook as svc
from svc_notebook.embedded import EmbeddedClient

from .bench_lanes import orders
from .report import Measurement

CHUNKS = 8_000
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def run(*, quick: bool = False) -> list[Measurement]:
    chunks = 2_000 if quick else CHUNKS
    with provider(chunks) as url, svc.embedded(data={"orders": orders(2_000)}, analyst=f"{url}/v1#m") as client:
        client.chat(external_id="bob").ask("orders by region")  # who is known from then on
        alone = statistics.median(metadata(client) for _ in range(9))
        asyncio.run(library(url))
        bare = statistics.median(asyncio.run(library(url)) for _ in range(3))
        waits: list[float] = []
        ours = statistics.median(asked(client, waits) for _ in range(3))
    name = f"a reply of {chunks:,} chunks: each, whole turn and client included"
    return [
        Measurement(name, ours / chunks * 1e3, "ms", bare / chunks * 1e3, "the provider's own library alone"),
        Measurement("another user's metadata meanwhile", statistics.median(waits), "ms", alone, "alone"),
    ]


def asked(client: EmbeddedClient, waits: list[float]) -> float:
    """Seconds this process computes for one answer, what others ask meanwhile left out; ``waits`` for theirs."""
    began, others = time.process_time(), 0.0
    with client.chat(external_id="ana").stream("orders by region") as stream:
        asking = threading.Thread(target=lambda: list(stream))
        asking.start()
        while asking.is_alive():
            before = time.thread_time()
            waits.append(metadata(client))
            others += time.thread_time() - before
            asking.join(0.05)
    return time.process_time() - began - others


def metadata(client: EmbeddedClient) -> float:
    """Milliseconds until another user's metadata have come."""
    began = time.perf_counter()
    client.meta(external_id="bob")
    return (time.perf_counter() - began) * 1e3


async def library(url: str) -> float:
    """Seconds the provider's own library computes for the same reply."""
    from openai import AsyncOpenAI

    began = time.process_time()
    async with AsyncOpenAI(base_url=f"{url}/v1", api_key="none") as own:
        question: Any = [{"role": "user", "content": "orders by region"}]
        said = 0
        async for chunk in await own.chat.completions.create(model="m", messages=question, stream=True):
            said += sum(len(choice.delta.content or "") for choice in chunk.choices)
    assert said
    return time.process_time() - began


@contextmanager
def provider(chunks: int) -> Iterator[str]:
    """An OpenAI-compatible service in a process of its own, whose every reply has so many chunks."""
    command = [sys.executable, "-m", "benchmarks.bench_language_model", str(chunks)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


async def serve(chunks: int) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
        writer.write(_HEAD)
        for number in range(chunks):
            last = number == chunks - 1
            choice = {"index": 0, "delta": {"content": "and another word "}, "finish_reason": "stop" if last else None}
            said = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
            event = b"data: " + json.dumps(said).encode() + b"\n\n"
            writer.write(b"%x\r\n%b\r\n" % (len(event), event))
            await writer.drain()
        writer.write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(reply, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
