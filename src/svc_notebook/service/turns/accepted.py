"""Answers that were marked right, as examples for an analyst that learns from them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ...analyst.certified import CertifiedQuery
from ..store.errors import StoreError
from ..store.feedback import accepted_turns

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["accepted"]

_log = logging.getLogger(__name__)


class _Ran(msgspec.Struct):
    """Of a result, what was asked for it."""

    sqlQuery: str = ""  # noqa: N815  # as it is on the wire


_results = msgspec.json.Decoder(list[_Ran])


async def accepted(service: Service, thread_id: str, everyone: bool) -> Sequence[CertifiedQuery]:
    """Questions that were answered right, and the SQL of the answer's result; none while the store cannot say."""
    try:
        rows = await service.read(accepted_turns, thread_id, everyone=everyone)
    except StoreError as away:
        _log.info("no accepted answers as examples: %s", away)
        return []
    ran = ((row.question, _results.decode(row.results)[-1:]) for row in rows if row.results)
    return [CertifiedQuery(question, last.sqlQuery) for question, found in ran for last in found if last.sqlQuery]
