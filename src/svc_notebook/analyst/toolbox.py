"""The two tools, bound to one asker: svcMeta searches metadata, svcSqlApi runs SQL under policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from ..cancellation import CancellationToken
    from ..protocol.tools import MetaResult, SqlInput, SqlResult
    from ..semantic.catalog import Catalog
    from ..semantic.context import SecurityContext
    from ..semantic.layer import SemanticLayer

__all__ = ["ResultSink", "Toolbox"]


class ResultSink(Protocol):
    """Where whole results are kept under their ``uuid`` (the service supplies one)."""

    def put(self, uuid: str, table: pa.Table, sql: str) -> None: ...
