"""The rows of a query batch by batch: as many as there are, in the memory of a few of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Self

import msgspec
import pyarrow as pa

from ..protocol.data import SchemaLine
from ..protocol.spelling import spelled
from .errors import NotAService
from .wire.replies import check

if TYPE_CHECKING:
    from .engine.portal import Portal
    from .wire.transport import StreamingReply

__all__ = ["AsyncRowStream", "RowStream"]


class _Body:
    """An answer's bytes as the file that Arrow reads from; reading waits for the network, on any thread but its own."""

    def __init__(self, portal: Portal, opened: AbstractAsyncContextManager[StreamingReply]) -> None:
        self.closed = False
        self._portal = portal
        self._opened = opened
        self._chunks: AsyncIterator[bytes] | None = None
        self._rest = memoryview(b"")

    def read(self, size: int = -1) -> bytes:
        """At most ``size`` bytes; fewer only at the end."""
        pieces, wanted = [], size if size >= 0 else 1 << 62
        while wanted:
            if not self._rest:
                chunk = self._portal.run(self._next())
                if not chunk:
                    break
                self._rest = memoryview(chunk)
            pieces.append(self._rest[:wanted])
            self._rest = self._rest[wanted:]
            wanted -= len(pieces[-1])
        return b"".join(pieces)

    async def _next(self) -> bytes:
        if self._chunks is None:
            reply = await self._opened.__aenter__()
            self._chunks = reply.chunks()
            if "json" in reply.headers.get("content-type", ""):  # an error object in a 200
                check(reply.status, reply.headers, await reply.read())
        return await anext(self._chunks, b"")

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            if self._chunks is not None:
                self._portal.run(self._left())

    async def _left(self) -> None:
        await self._opened.__aexit__(None, None, None)


class RowStream:
    """Arrow record batches in the order of the rows; a context manager, closed at the end of its rows.

    Attributes
    ----------
    schema
        Of every batch.
    notes
        What the service remarks.
    as_of
        When the data were read.
    """

    def __init__(self, portal: Portal, opened: AbstractAsyncContextManager[StreamingReply]) -> None:
        self._body = _Body(portal, opened)
        try:
            self._reader = pa.ipc.open_stream(pa.PythonFile(self._body, mode="r"))
        except BaseException as error:
            self._body.close()
            if isinstance(error, pa.ArrowException):
                raise NotAService(f"The answer is no Arrow stream ({error}): does the service stream rows?") from None
            raise
        self.schema: pa.Schema = self._reader.schema.remove_metadata()
        told: dict[str, Any] = msgspec.json.decode((self._reader.schema.metadata or {}).get(b"svc", b"{}"))
        self.notes: list[str] = told.get("notes") or []
        self.as_of: str = told.get(spelled(SchemaLine, "as_of")) or ""

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while (batch := self.next_batch()) is not None:
            yield batch

    def next_batch(self) -> pa.RecordBatch | None:
        """The next rows; None after the last."""
        if self._body.closed:
            return None
        try:
            return self._reader.read_next_batch().replace_schema_metadata(None)
        except StopIteration:
            self.close()
            return None
        except pa.ArrowException as error:
            self.close()
            raise NotAService(f"The stream of rows ends in the middle ({error})") from None

    def close(self) -> None:
        """Read no further. Twice does nothing more."""
        self._body.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRowStream:
    """:class:`RowStream` for ``async with`` and ``async for``."""

    def __init__(self, portal: Portal, opened: AbstractAsyncContextManager[StreamingReply]) -> None:
        self._portal, self._opened = portal, opened
        self._stream: RowStream | None = None

    async def __aenter__(self) -> Self:
        self._stream = await asyncio.to_thread(RowStream, self._portal, self._opened)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._stream is not None:
            await asyncio.to_thread(self._stream.close)

    async def __aiter__(self) -> AsyncIterator[pa.RecordBatch]:
        assert self._stream is not None, "async with client.stream_sql(…) as rows: async for batch in rows: …"
        while (batch := await asyncio.to_thread(self._stream.next_batch)) is not None:
            yield batch
