"""An earlier turn as the next one is told of it. Results are parsed when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import msgspec

from ...analyst.base import PastTurn
from ..store.records import Record
from .frames import message_id

__all__ = ["past_turn"]

_json = msgspec.json.Decoder()


def past_turn(row: Record) -> PastTurn:
    """A kept turn, as an analyst knows it."""
    return PastTurn(
        question=row.question, answer=row.answer, status=row.status, results=_Results(row.results),
        memory=_json.decode(row.memory) if row.memory else {}, message=message_id(row.thread_id, row.number, "user"),
    )  # fmt: skip


class _Results(Sequence[Mapping[str, Any]]):
    """The results of a turn, from their JSON."""

    def __init__(self, text: str | None) -> None:
        self._text = text
        self._parsed: list[Mapping[str, Any]] | None = None

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self._all())

    def _all(self) -> list[Mapping[str, Any]]:
        if self._parsed is None:
            self._parsed = _json.decode(self._text) if self._text else []
            self._text = None
        return self._parsed
