"""What a provider streams may come in fewer events; what it says, in which order, and how it ends stays."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai import Agent

from svc_notebook.analyst.llm.gathering import gathered
from svc_notebook.analyst.llm.merging import EventMerger
from svc_notebook.analyst.llm.models import resolve_model

from .provider import Provider, Text, anthropic_event, openai_event

WORDS = st.text(st.sampled_from('ab é\n"\\😀{}'), max_size=4)
DELTAS = st.one_of(
    WORDS.map(lambda text: {"content": text}),
    WORDS.map(lambda text: {"content": text, "role": "assistant", "tool_calls": None}),
    WORDS.map(lambda text: {"content": "", "reasoning": text}),
    WORDS.map(lambda text: {"reasoning_content": text}),
    WORDS.map(lambda text: {"tool_calls": [{"index": 0, "function": {"arguments": text}}]}),
    WORDS.map(lambda text: {"refusal": text}),
    st.just({"role": "assistant", "content": ""}),
    st.just({}),
)
RAW = st.sampled_from(
    [
        b"data: [DONE]\n\n", b": a comment\n\n", b"event: ping\ndata: {}\n\n", b"data: nothing\n\n", b"\n\n", b"data\n\n",
        b'data: {"choices": [{"index": 0, "delta": {"content": "x"}, "logprobs": {"a": 1}}]}\n\n',
        b'data: {"choices": [{"index": 0, "delta": {"content": "x"}}], "usage": {"n": 1}}\n\n',
        b'data: {"choices": [{"index": 0, "delta": {"content": "x"}}, {"index": 1, "delta": {"content": "y"}}]}\n\n',
        b'data: {"choices": [{"index": 0, "delta": {"content": "\\ud83d"}}]}\n\n', b'id: 7\ndata: {"choices": []}\n\n',
        b'data: {"choices": [7]}\r\n\r\n', b'data: {"choices": [{"index": 0, "delta": {"content": 7}}]}\n\n', b"data: 7\n\n",
        b'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": null}}\n\n',
    ]
)  # fmt: skip
OPENAI = st.one_of(st.builds(openai_event, DELTAS, st.sampled_from([None] * 5 + ["stop"])), RAW)
KINDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json", "signature_delta": "s"}
ANTHROPIC = st.one_of(
    st.builds(
        lambda kind, text, index: anthropic_event(
            "content_block_delta", index=index, delta={"type": kind, KINDS[kind]: text}
        ),
        st.sampled_from(sorted(KINDS)), WORDS, st.integers(0, 1),
    ),
    st.just(anthropic_event("message_stop")),
    RAW,
)  # fmt: skip
CUTS = st.lists(st.integers(0, 3_000), max_size=6)


def read(data: bytes) -> list[Any]:
    """What the events say, as a reader that keeps no count of them understands it."""
    said: list[Any] = []
    for block in data.replace(b"\r\n", b"\n").split(b"\n\n"):
        event = _plain(block)
        if isinstance(event, tuple) and said and isinstance(said[-1], tuple) and said[-1][:2] == event[:2]:
            said[-1] = (*event[:2], said[-1][2] + event[2])
        else:
            said.append(event)
    return said


def _plain(block: bytes) -> Any:
    """(kind, the rest of the event, its text) where an event is nothing but a text; else the event itself."""
    head, _, text = block.rpartition(b"data: ")
    try:
        event = json.loads(text)
        delta = event["delta"] if "delta" in event else event["choices"][0]["delta"]
        names = [name for name in ("content", "reasoning", "reasoning_content", *KINDS.values()) if delta.get(name)]
        if len(names) == 1 and isinstance(delta[names[0]], str):
            grown = delta.pop(names[0])
            return (names[0], head + json.dumps(event, sort_keys=True).encode(), grown)
        return head + json.dumps(event, sort_keys=True).encode()
    except (ValueError, LookupError, TypeError, AttributeError):
        return block


@settings(max_examples=60, deadline=None)
@given(events=st.one_of(st.lists(OPENAI, max_size=12), st.lists(ANTHROPIC, max_size=12)), cuts=CUTS, tail=WORDS)
def test_what_is_said_is_the_same_however_it_is_cut(events: list[bytes], cuts: list[int], tail: str) -> None:
    data = b"".join(events) + tail.encode().replace(b"\n", b"")
    places = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    merger = EventMerger()
    fed = [merger.feed(data[start:end]) for start, end in pairwise(places)]
    given = b"".join(fed) + merger.rest()
    assert read(given) == read(data)
    assert given.count(b'tool_calls": [') == data.count(b'tool_calls": ['), "calls are left as they are"


def test_texts_become_one_event() -> None:
    openai = b"".join(openai_event({"content": f"{number} "}) for number in range(100))
    assert EventMerger().feed(openai).count(b"data: ") == 1
    deltas = [{"type": "text_delta", "text": f"{number} "} for number in range(100)]
    anthropic = b"".join(anthropic_event("content_block_delta", index=0, delta=delta) for delta in deltas)
    assert EventMerger().feed(anthropic).count(b"data: ") == 1


def test_letters_that_hide_a_length_do_not_count() -> None:
    chunks = [{"choices": [{"index": 0, "delta": {"content": c}}], "obfuscation": c * 3} for c in "abc"]
    merged = EventMerger().feed(b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks))
    assert json.loads(merged.removeprefix(b"data: ")) == {"choices": [{"index": 0, "delta": {"content": "abc"}}]}


def test_an_event_alone_passes_byte_for_byte() -> None:
    for event in (openai_event({"content": "a"}), b'event:  x\r\ndata:{"a":  1}\r\n\r\n'):
        assert EventMerger().feed(event) == event


def test_what_never_ends_is_not_held() -> None:
    merger = EventMerger()
    long = b"data: " + b"x" * (1 << 20)
    assert merger.feed(long) == long


class Source(httpx2.AsyncByteStream):
    """Gives a first piece, and the others when they are let go."""

    def __init__(self, *pieces: bytes, error: Exception | None = None) -> None:
        self.pieces, self.error = pieces, error
        self.let = asyncio.Event()
        self.given = 0
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            self.given += 1
            yield piece
            await self.let.wait()
        if self.error is not None:
            raise self.error

    async def aclose(self) -> None:
        self.closed = True


async def stream_of(source: Source) -> Any:
    response = httpx2.Response(200, headers={"content-type": "text/event-stream; charset=utf-8"}, stream=source)
    await gathered(response)
    assert response.stream is not source
    return response


def chunk(text: str) -> bytes:
    return openai_event({"content": text})


def test_the_first_event_waits_for_no_other() -> None:
    async def work() -> None:
        source = Source(chunk("a"), chunk("b"))
        response = await stream_of(source)
        pieces = response.aiter_raw()
        assert await anext(pieces) == chunk("a")
        assert source.given == 1
        source.let.set()
        assert [piece async for piece in pieces] == [chunk("b")]

    asyncio.run(asyncio.wait_for(work(), 30))


def test_what_rushes_comes_together() -> None:
    async def work() -> None:
        source = Source(*(chunk(f"{number} ") for number in range(1_000)))
        source.let.set()
        came = [piece async for piece in (await stream_of(source)).aiter_raw()]
        assert len(came) < 50
        assert read(b"".join(came)) == read(b"".join(source.pieces))

    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_slow_reader_holds_the_provider() -> None:
    async def work() -> None:
        source, tasks = Source(*(chunk("x" * 10_000) for _ in range(200))), len(asyncio.all_tasks())
        source.let.set()
        response = await stream_of(source)
        pieces = response.aiter_raw()
        await anext(pieces)
        await asyncio.sleep(0.05)
        assert source.given < 100
        await pieces.aclose()
        await response.aclose()
        assert source.closed
        assert len(asyncio.all_tasks()) == tasks

    asyncio.run(asyncio.wait_for(work(), 30))


def test_what_breaks_breaks_after_all_that_came() -> None:
    async def work() -> None:
        source = Source(chunk("a"), b"data: hal", error=httpx2.ReadError("gone"))
        source.let.set()
        pieces = (await stream_of(source)).aiter_raw()
        assert await anext(pieces) + await anext(pieces) == chunk("a") + b"data: hal"
        with pytest.raises(httpx2.ReadError, match="gone"):
            await anext(pieces)

    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_reader_that_leaves_ends_the_reading() -> None:
    async def work() -> None:
        source = Source(chunk("a"), chunk("b"))
        response = await stream_of(source)

        pieces = response.aiter_raw()
        await anext(pieces)
        task = asyncio.ensure_future(anext(pieces))
        await asyncio.wait({task}, timeout=0.01)
        task.cancel()
        await asyncio.wait({task})
        await response.aclose()
        assert source.closed
        assert task.cancelled()

    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_second_reader_goes_on_where_the_first_is() -> None:
    """As OpenAI's library does, which looks behind the last event so that the connection can be used again."""

    async def work() -> None:
        source = Source(chunk("a"), b"data: [DONE]\n\n")
        response = await stream_of(source)
        first = response.aiter_raw()
        assert await anext(first) == chunk("a")
        source.let.set()
        assert [piece async for piece in response.stream] == [b"data: [DONE]\n\n"]
        assert [piece async for piece in response.stream] == []
        assert source.given == 2

    asyncio.run(asyncio.wait_for(work(), 30))


@pytest.mark.parametrize("headers", [{"content-type": "application/json"}, {"content-encoding": "gzip"}])
def test_nothing_else_is_touched(headers: dict[str, str]) -> None:
    stream = object()
    response = SimpleNamespace(headers={"content-type": "text/event-stream"} | headers, stream=stream)
    asyncio.run(gathered(response))
    assert response.stream is stream


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_long_reply_takes_fewer_events_than_it_has_pieces(kind: str) -> None:
    text = "".join(f"word{number} " for number in range(1_500))

    async def work(url: str) -> tuple[str, int]:
        spec = f"{url}/v1#m" if kind == "openai" else "anthropic:m"
        model: Any = resolve_model(spec, api_key="key", base_url=None if kind == "openai" else url)
        agent = Agent(model)
        events, said = 0, ""
        async with agent.run_stream_events("write") as stream:
            async for event in stream:
                events += 1
                said = getattr(getattr(event, "result", None), "output", said)
        await model.client.close()  # left to garbage, its socket is told of in whichever test that is collected
        return said, events

    with Provider(lambda index, request: [Text(text, pieces=1_500)]) as provider:
        said, events = asyncio.run(asyncio.wait_for(work(provider.url), 60))
    assert said == text
    assert events < 1_000


class Endless(httpx2.AsyncByteStream):
    """Events without end, and a connection that takes a moment to close."""

    closed = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield openai_event({"content": "x"})
            await asyncio.sleep(0.001)

    async def aclose(self) -> None:
        Endless.closed += 1
        await asyncio.sleep(0)


def test_a_stream_left_half_read_is_closed_once_when_the_garbage_collector_finds_it() -> None:
    told: list[str] = []

    async def left() -> list[Any]:
        response = httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Endless())
        await gathered(response)
        parts = response.aiter_bytes()
        await anext(parts)
        await response.aclose()
        circle: list[Any] = [response, parts]
        circle.append(circle)  # as an error and the frames that it holds are
        return circle

    async def life() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(str(context)))
        for _ in range(5):
            await left()
            gc.collect()
            await asyncio.sleep(0.01)

    Endless.closed = 0
    asyncio.run(life())
    gc.collect()
    assert not told and Endless.closed == 5
