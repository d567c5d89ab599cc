"""Who the row is of that was asked for: *whose parcel was it*."""

from __future__ import annotations

from collections.abc import Iterator

from ..dialogue.rows import row_at_end
from ..forms import Form
from ..schema.metadata import Metadata
from ..walk.everyday.rows import company_doing
from ..words.families import root
from .together import relation_of

__all__ = ["somebody_of"]


def somebody_of(form: Form, metadata: Metadata) -> Iterator[Form]:
    """The row that a form tells the end of, with the one column that says whose it is."""
    home = relation_of(form)
    path = _somebody(home, metadata) if home else None
    row = row_at_end(form, [path], metadata) if path is not None else None
    if row is not None:
        yield row


def _somebody(home: str, metadata: Metadata) -> str | None:
    """The people that rows are of, before a company; None where more than one may be meant."""
    texts = list(_texts(home, metadata))
    people = [path for path in texts if _is_of_people(path, metadata)]
    if people:
        return people[0] if len(people) == 1 else None
    return company_doing(metadata, texts, root(" ".join(metadata.words_of(home)[-1:])))


def _texts(home: str, metadata: Metadata) -> Iterator[str]:
    """The texts of rows, and of the rows that they lead to."""
    for path, member in metadata.members.items():
        relation = path.split(".", 1)[0]
        text = member.kind == "dimension" and member.type == "string" and not member.masked
        if text and (relation == home or metadata.leads_to(home, relation)):
            yield path


def _is_of_people(path: str, metadata: Metadata) -> bool:
    """Whether a text is what people are called, or its own name is a word for them."""
    relation = path.split(".", 1)[0]
    named = metadata.is_of_people(relation) and metadata.label_of(relation) == path
    return named or path in metadata.people_columns or any(one.path == path for one in metadata.person_columns)
