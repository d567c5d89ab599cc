"""Results of any number of rows: written to a file as the engine gives them, read from there batch by batch.

The engine is free as soon as it is done, however slowly the rows are read, and no more than a batch is in memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ..engine.arrow_types import canonical_table

if TYPE_CHECKING:
    from ..compiler import AppliedFilter, ResultColumn

__all__ = ["StreamedResult"]

_BATCH = 65_536


class StreamedResult:
    """Rows that lie in a file of their own; to be closed.

    Parameters
    ----------
    fill
        Writes the rows to a path, as an Arrow IPC file.
    """

    def __init__(
        self,
        fill: Callable[[Path], None],
        columns: tuple[ResultColumn, ...],
        row_filters: tuple[AppliedFilter, ...],
        notes: tuple[str, ...],
        as_of: str,
    ) -> None:
        self.columns, self.row_filters, self.notes, self.as_of = columns, row_filters, notes, as_of
        self._folder = tempfile.TemporaryDirectory(prefix="svc-stream-")
        try:
            path = Path(self._folder.name) / "rows.arrow"
            fill(path)
            self._file = pa.memory_map(str(path))
            self.table = pa.ipc.open_file(self._file).read_all()  # mapped: as the engine gave it, not in memory
            self.schema = self._canonical()
        except BaseException:
            self._folder.cleanup()
            raise

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, in order."""
        for start in range(0, len(self), _BATCH):
            piece = canonical_table(self.table.slice(start, _BATCH)).cast(self.schema).combine_chunks()
            yield from piece.to_batches()

    def close(self) -> None:
        """Remove the file. Twice does nothing more."""
        self._file.close()
        self._folder.cleanup()

    def _canonical(self) -> pa.Schema:
        """The types of all rows together; of whole numbers that depends on how large they are."""
        empty = canonical_table(self.table.slice(0, 0)).schema
        wide = [
            index
            for index, field in enumerate(self.table.schema)
            if pa.types.is_uint64(field.type) or (pa.types.is_decimal(field.type) and not field.type.scale)
        ]
        for index in wide:
            kind = canonical_table(self.table.select([index])).schema.field(0).type
            empty = empty.set(index, empty.field(index).with_type(kind))
        return empty
