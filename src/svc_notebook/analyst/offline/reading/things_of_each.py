"""*Which club owns the biggest boats*, where each row tells the size of a boat: by the average of that number."""

from __future__ import annotations

from collections.abc import Iterator

from ..lexicon import load_lexicon
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import stem

__all__ = ["things_of_each"]

_SAID = said_so(
    r"^\W*(?P<asked>(?:which|what) (?P<who>[a-z]+(?: [a-z]+)?)|who) (?!is\b|are\b|was\b|were\b)[a-z]+ (?:the |our )?"
    r"(?P<most>[a-z]+est) (?P<things>[a-z]+s)(?: on average)?(?P<end>\W*)$"
)


def things_of_each(question: str, metadata: Metadata) -> str:
    """A superlative of things that are no rows of their own, as one of the number that tells how they are."""
    said = _SAID.match(question)
    if said is None:
        return question
    thing = stem(said["things"].lower())
    if thing in metadata.kind_names.rows and metadata.main_facts() in metadata.kind_names.rows[thing]:
        return question  # rows are ranked by their own numbers
    found = set(_measured(said["most"].lower(), thing, metadata))
    return f"{said['asked']} has the {found.pop()}{said['end']}" if len(found) == 1 else question


def _measured(most: str, thing: str, metadata: Metadata) -> Iterator[str]:
    """The end that is meant of the numbers whose names hold the thing and what an adjective measures."""
    for words, entry in load_lexicon().phrases.get(most, ()):
        if words != (most,) or entry.operator != "superlative":
            continue
        for path in metadata.number_names.paths:
            parts = metadata.parts(path)
            if thing not in {stem(part) for part in parts}:
                continue
            is_turned = bool(entry.turned & {*parts})
            if is_turned or entry.hints & {*parts} or entry.hints & set(map(stem, parts)):
                end = "highest" if (entry.argument == "desc") != is_turned else "lowest"
                yield f"{end} average {' '.join(parts)}"
