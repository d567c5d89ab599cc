"""A language-model provider on loopback: real HTTP, the OpenAI-compatible and the Anthropic streaming protocols.

A script is a list of replies, one for each request (the last one repeats). A reply is a list of parts; faults are
parts too, so that every test says in one place what the provider does.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Text:
    text: str
    pieces: int = 3


@dataclass(frozen=True)
class Thought:
    """Reasoning, as far as the protocol carries it."""

    text: str


@dataclass(frozen=True)
class Follow:
    """Text as it comes from somewhere else, until it ends or the client goes away."""

    texts: Callable[[], AsyncIterator[str]]


@dataclass(frozen=True)
class Call:
    """A tool call; ``arguments`` may be text that is not JSON."""

    name: str
    arguments: Any
    id: str = "call_1"


@dataclass(frozen=True)
class Status:
    """Answer with this status instead of a stream."""

    code: int
    headers: tuple[tuple[str, str], ...] = ()
    message: str = "sk-secret-key was refused"


@dataclass(frozen=True)
class Cut:
    """Close the connection here, in the middle of the stream."""


@dataclass(frozen=True)
class Raw:
    """These bytes as they are."""

    data: bytes


@dataclass(frozen=True)
class Hang:
    """Send nothing more until the client goes away."""


@dataclass(frozen=True)
class Ends:
    """The reply ends so: by ``length``, by a ``filter``, in a ``refusal`` with words of its own, or without any."""

    why: str
    words: str = ""


@dataclass(frozen=True)
class Uses:
    """What the reply took, as the provider counts it; None: it counts nothing."""

    tokens: tuple[int, int] | None
    read: int = 0
    written: int = 0


Part = Ends | Text | Thought | Follow | Call | Status | Cut | Raw | Hang | Uses
Script = Callable[[int, dict[str, Any]], Sequence[Part]]


@dataclass
class Provider:
    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    hanging: threading.Event = field(default_factory=threading.Event)
    closed: threading.Event = field(default_factory=threading.Event)
    closed_at: float = 0.0
    port: int = 0
    dialect: str = "openai"
    """How the OpenAI-compatible protocol is spoken: ``openai``, ``ollama``, ``llama.cpp`` or ``vllm``."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Provider:
        ready = threading.Event()
        self._loop = asyncio.new_event_loop()

        def run() -> None:
            asyncio.set_event_loop(self._loop)
            server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            self._loop.run_forever()
            server.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lines = head.decode("latin-1").split("\r\n")
                headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:] if line)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                request = json.loads(body) if body else {}
                self.headers.append(headers)
                self.requests.append(request)
                anthropic = "/messages" in lines[0]
                parts = list(self.script(len(self.requests) - 1, request))
                if not await self._reply(parts, anthropic, reader, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _reply(
        self, parts: list[Part], anthropic: bool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        if parts and isinstance(parts[0], Status):
            await self._status(parts[0], writer)
            return True
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        for chunk in anthropic_events(parts) if anthropic else openai_events(parts, self.dialect):
            if isinstance(chunk, Cut):
                await writer.drain()
                return False
            if isinstance(chunk, Hang):
                await writer.drain()
                self.hanging.set()
                await reader.read()  # ends when the client closes the connection
                self.closed_at = time.monotonic()
                self.closed.set()
                return False
            if isinstance(chunk, Follow):
                if not await self._follow(chunk, anthropic, reader, writer):
                    return False
                continue
            await _send(chunk, writer)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _follow(
        self, follow: Follow, anthropic: bool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the texts ended before the client went away."""

        async def write() -> None:
            async for text in follow.texts():
                await _send(anthropic_text(text) if anthropic else openai_event({"content": text}), writer)

        writing = asyncio.create_task(write())
        leaving = asyncio.create_task(reader.read(1))
        await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        ended = writing.done() and not leaving.done()
        for task in (writing, leaving):
            task.cancel()
        await asyncio.gather(writing, leaving, return_exceptions=True)
        return ended

    async def _status(self, status: Status, writer: asyncio.StreamWriter) -> None:
        body = json.dumps({"error": {"message": status.message, "type": "error", "code": None}}).encode()
        extra = "".join(f"{name}: {value}\r\n" for name, value in status.headers)
        head = (
            f"HTTP/1.1 {status.code} X\r\ncontent-type: application/json\r\n{extra}content-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()


async def _send(chunk: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
    await writer.drain()


def _pieces(text: str, count: int) -> Iterator[str]:
    step = max(1, -(-len(text) // max(1, count)))
    for start in range(0, len(text), step):
        yield text[start : start + step]


def _arguments(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def openai_event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def _spoken(chunk: bytes, dialect: str) -> bytes:
    """A chunk as a server of one's own writes it."""
    said = json.loads(chunk.removeprefix(b"data: "))
    for choice in said["choices"]:
        delta = choice["delta"]
        if dialect == "ollama":
            said["system_fingerprint"] = "fp_ollama"
            delta |= {"role": "assistant", "content": delta.get("content") or ""}
            if "reasoning_content" in delta:
                delta["reasoning"] = delta.pop("reasoning_content")
        if dialect == "llama.cpp" and choice["finish_reason"]:
            said["timings"] = {"prompt_n": 11, "predicted_n": 7}
        if dialect == "llama.cpp" and delta.get("content") == "":
            delta["content"] = None
        if dialect == "vllm":
            choice |= {"logprobs": None, "stop_reason": None, "token_ids": None}
            for call in delta.get("tool_calls", []):
                call |= {"id": f"chatcmpl-tool-{call['id']}"} if "id" in call else {}
    return b"data: " + json.dumps(said).encode() + b"\n\n"


def openai_events(parts: Sequence[Part], dialect: str = "openai") -> Iterator[bytes | Cut | Hang | Follow]:
    def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return _spoken(openai_event(delta, finish), dialect)

    finish = "stop"
    index = -1
    uses = next((part for part in parts if isinstance(part, Uses)), Uses((11, 7)))
    names = {"length": "length", "filter": "content_filter"}
    yield event({"role": "assistant", "content": ""})
    for part in parts:
        if isinstance(part, Cut | Hang):
            yield part
            return
        if isinstance(part, Follow):
            yield part
        elif isinstance(part, Ends):
            if part.why == "refusal":
                for piece in _pieces(part.words, 3):
                    yield event({"refusal": piece})
            finish = names.get(part.why, "stop")
        elif isinstance(part, Raw):
            yield part.data
        elif isinstance(part, Thought):
            yield event({"reasoning_content": part.text})
        elif isinstance(part, Text):
            for piece in _pieces(part.text, part.pieces):
                yield event({"content": piece})
        elif isinstance(part, Call):
            finish = "tool_calls"
            index += 1
            whole = dialect == "ollama"  # which writes a call in one piece
            said = {"name": part.name, "arguments": _arguments(part) if whole else ""}
            yield event({"tool_calls": [{"index": index, "id": part.id, "type": "function", "function": said}]})
            for piece in () if whole else _pieces(_arguments(part), 5):
                yield event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield event({}, finish)
    if uses.tokens is not None:
        asked, said = uses.tokens
        usage: dict[str, Any] = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
        usage["prompt_tokens_details"] = {"cached_tokens": uses.read}
        last = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
        yield b"data: " + json.dumps({**last, "usage": usage}).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def anthropic_event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def anthropic_text(text: str, index: int = 0) -> bytes:
    return anthropic_event("content_block_delta", index=index, delta={"type": "text_delta", "text": text})


def anthropic_events(parts: Sequence[Part]) -> Iterator[bytes | Cut | Hang | Follow]:
    event = anthropic_event
    uses = next((part for part in parts if isinstance(part, Uses)), Uses((11, 7)))
    asked, said = uses.tokens or (0, 0)
    usage: dict[str, Any] = {"input_tokens": asked - uses.read - uses.written, "output_tokens": min(said, 1)}
    usage |= {"cache_read_input_tokens": uses.read, "cache_creation_input_tokens": uses.written}
    message = {
        "id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield event("message_start", message=message)
    stop, details = "end_turn", None
    index = 0
    for part in parts:
        if isinstance(part, Cut | Hang):
            yield part
            return
        if isinstance(part, Raw):
            yield part.data
        elif isinstance(part, Ends):
            stop = {"length": "max_tokens"}.get(part.why, "refusal")
            if part.words:
                details = {"type": "refusal", "category": None, "explanation": part.words}
        elif isinstance(part, Follow):
            assert index == 0, "followed texts come first"
            yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
            yield part
            yield event("content_block_stop", index=0)
            index = 1
        elif isinstance(part, Thought):
            yield event("content_block_start", index=index, content_block={"type": "thinking", "thinking": ""})
            thought = {"type": "thinking_delta", "thinking": part.text}
            yield event("content_block_delta", index=index, delta=thought)
            signed = {"type": "signature_delta", "signature": "c2lnbmVk"}
            yield event("content_block_delta", index=index, delta=signed)
            yield event("content_block_stop", index=index)
            index += 1
        elif isinstance(part, Text):
            yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            for piece in _pieces(part.text, part.pieces):
                yield anthropic_text(piece, index)
            yield event("content_block_stop", index=index)
            index += 1
        elif isinstance(part, Call):
            stop = "tool_use"
            block = {"type": "tool_use", "id": part.id, "name": part.name, "input": {}}
            yield event("content_block_start", index=index, content_block=block)
            for piece in _pieces(_arguments(part), 5):
                yield event(
                    "content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": piece}
                )
            yield event("content_block_stop", index=index)
            index += 1
    delta = {"stop_reason": stop, "stop_sequence": None} | ({"stop_details": details} if details else {})
    yield event("message_delta", delta=delta, usage={"output_tokens": said})
    yield event("message_stop")
