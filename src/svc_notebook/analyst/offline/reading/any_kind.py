"""*Which place has …*: a noun that names no kind of its own, and what a model has of such things."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ..lexicon import any_kinds
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..turning.rules import said_so
from ..words.text import singular, stem

__all__ = ["AnyKind", "any_kind"]

_HEAD = said_so(
    r"\b(?:which|what|how many)(?: (?:\d+|other|different|single))* (?P<noun>[a-z]+)(?= (?!of\b)(?P<behind>\w+)|\W*$)"
)
_NAMING = frozenset({"name", "code", "id", "no", "number"})


class AnyKind(NamedTuple):
    """The general noun that is asked for, and the same question for each kind of a model that it may stand for."""

    noun: str
    questions: tuple[str, ...]


def any_kind(question: str, metadata: Metadata) -> AnyKind | None:
    """What is asked for by a noun for things of any kind, where a model has nothing that is called so."""
    said = _HEAD.search(question)
    one = singular(said["noun"].lower()) if said is not None else ""
    if said is None or one not in any_kinds() or (stem(one),) in metadata.kind_names.called:
        return None
    if said["behind"] and (stem(said["behind"].lower()),) in metadata.kind_names.called:
        return None  # "how many business leads"
    nouns = _alone(sorted(_nouns(metadata, any_kinds()[one])))
    many = one != said["noun"].lower()
    asked = question[said.start("noun") :].lower()
    if any(asked.startswith((noun, plural(noun))) for noun in nouns):
        return None  # it is called in full: "which company manufacturer"
    front, behind = question[: said.start("noun")], question[said.end("noun") :]
    made = (f"{front}{plural(noun) if many else noun}{behind}" for noun in nouns)
    return AnyKind(said["noun"], tuple(made))


def _nouns(metadata: Metadata, held: Collection[str]) -> set[str]:
    """What the kinds of a model are called whose names end in one of these words."""
    return {" ".join(name) for name in _names(metadata) if name and singular(name[-1]) in held}


def _names(metadata: Metadata) -> Iterator[Sequence[str]]:
    for relation in metadata.catalog.relations:
        yield metadata.words_of(relation)
    for path, member in metadata.members.items():
        if member.kind == "dimension" and member.type == "string":
            name = list(metadata.parts(path))
            while name and name[-1] in _NAMING:
                name.pop()
            yield name


def _alone(nouns: Sequence[str]) -> list[str]:
    """The nouns that hold no other one: *destination*, and no *destination airport* beside it."""
    words = {noun: set(noun.split()) for noun in nouns}
    return [noun for noun in nouns if not any(words[other] < words[noun] for other in nouns)]
