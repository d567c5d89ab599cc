"""What a model's dimensions hold over its data, counted before anybody asked.

Data and a model that are handed over together and never change, as the demo's, are asked for the same values by every
process that starts. They may lie beside the model, in ``learnt.json``. It goes by what is in the files: over any other
data, or with any other model, it says nothing. It holds for whoever sees every row, and is shown to nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..records import dataclass
from .surveys import Lie
from .value_sets import Counted

if TYPE_CHECKING:
    from .catalog import Member

__all__ = ["FILE", "Learnt", "digest_of", "read_learnt"]

FILE = "learnt.json"


@dataclass(frozen=True, slots=True)
class Learnt:
    """The values of text dimensions, by path (``view.member``), the most frequent first, and how the others lie.

    Attributes
    ----------
    model
        The version of the model they are of.
    data
        The digest of the files they were counted in.
    limit
        How many of each were asked for.
    lies
        Of dimensions whose values are not all there; ends of times are written as text.
    """

    model: str
    data: str
    limit: int
    values: Mapping[str, Counted]
    lies: Mapping[str, Lie]

    def counted(self, member: str, limit: int) -> Counted | None:
        """What is known of a dimension, if as many of its values were asked for."""
        return self.values.get(member) if limit == self.limit else None

    def lie(self, member: Member) -> Lie | None:
        """How a dimension lies, if that is known."""
        found = self.lies.get(member.path)
        if found is None or member.type != "time" or found.low is None:
            return found
        return replace(found, low=datetime.fromisoformat(found.low), high=datetime.fromisoformat(found.high))


def read_learnt(folder: Path, model: str, files: Mapping[str, Path]) -> Learnt | None:
    """What is known of this version of the model over these files (by table); None if nothing is.

    Raises
    ------
    OSError
        If a file cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        learnt = msgspec.json.decode(path.read_bytes(), type=Learnt)
    except msgspec.MsgspecError:
        return None
    return learnt if learnt.model == model and learnt.data == digest_of(files) else None


def digest_of(files: Mapping[str, Path]) -> str:
    """Another one for other tables, for the same of other names, and for another byte in any of them."""
    digest = blake2b(digest_size=32)
    for table, path in sorted(files.items()):
        content = path.read_bytes()
        digest.update(f"{len(table)} {len(content)} {table}".encode("utf-8", "surrogatepass"))
        digest.update(content)
    return digest.hexdigest()
