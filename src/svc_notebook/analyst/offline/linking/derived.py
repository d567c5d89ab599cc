"""Words that speak of what no column holds: how long a row lasts, the days from one time to another, an age, a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from ..lexicon import load_lexicon
from ..schema.derivations import sum_path
from ..schema.lasting import age_in, ends_in, is_length, named_time, span_of, years_since
from ..schema.metadata import Metadata
from ..walk.named_numbers import paired_numbers
from ..words.numbers import exact_unit
from ..words.text import Token
from .mentions import Mention, Named

__all__ = ["derived", "is_lasting"]

_MEASURED = frozenset({"duration", "length", "runtime", "minute", "hour", "second", "day", "night"})
_TO = frozenset({"to", "until", "till"})
_BANDS = frozenset("group groups band bands bracket brackets range ranges class classes".split())
_FARTHEST = 7  # words from "days between" to the second time
_UNITS = frozenset({"minute", "hour", "day", "week"})


def derived(tokens: Sequence[Token], metadata: Metadata, today: date) -> list[Mention]:
    """Mentions of derived numbers."""
    words = [token.lower for token in tokens]
    return [
        *_ages(words, metadata, today), *_spans(words, metadata), *_lengths(words, metadata),
        *_sums(tokens, words, metadata),
    ]  # fmt: skip


def is_lasting(words: Sequence[str], at: int) -> bool:
    """Whether ``last`` is what something does: ``how long do loans last``."""
    return words[at] in ("last", "lasts") and any(words[i : i + 2] == ["how", "long"] for i in range(at))


def _ages(words: list[str], metadata: Metadata, today: date) -> Iterator[Mention]:
    for at, word in enumerate(words):
        size = 1 if word in ("age", "ages") else 2 if words[at : at + 2] == ["how", "old"] else 0
        known = [(r, path) for r in metadata.catalog.relations if (path := age_in(metadata, r, today))] if size else []
        if size:
            known += [(r, path) for r in metadata.catalog.relations if (path := years_since(metadata, r, today.year))]
        if known:
            grouped = at + 1 < len(words) and words[at + 1] in _BANDS
            end = at + size + grouped
            yield _mention(words, at, end, known, "bands" if grouped else "")


def _spans(words: list[str], metadata: Metadata) -> Iterator[Mention]:
    """``days from admission to discharge``, ``time between order and delivery``, ``days to ship``."""
    for at, word in enumerate(words[:-1]):
        unit = exact_unit(word)
        said = unit if unit in _UNITS else None
        if (said is None and word != "time") or words[at + 1] not in ("between", "from", *_TO):
            continue
        for relation in metadata.catalog.relations:
            found = _named_ends(words, at + 1, metadata, relation)
            if found is not None:
                start, end, last = found
                # "how many days from …": what counts is part of it.
                begin = at - 2 if words[max(0, at - 2) : at] in (["number", "of"], ["how", "many"]) else at
                yield _mention(words, begin, last, [(relation, span_of(metadata, start, end, said))])


def _named_ends(words: list[str], at: int, metadata: Metadata, relation: str) -> tuple[str, str, int] | None:
    """The two times that words from ``at`` on name, and where they end."""
    named = [
        (path, place)
        for place in range(at + 1, min(len(words), at + _FARTHEST))
        if (path := named_time(metadata, relation, words[place]))
    ]
    paths = list(dict.fromkeys(path for path, _ in named))
    if len(paths) >= 2:
        second = next(place for path, place in named if path == paths[1])
        if any(word in (*_TO, "and") for word in words[at + 1 : second]):
            return paths[0], paths[1], second + 1
    # One end alone ("days to ship") begins where the row does.
    ends = ends_in(metadata, relation)
    if words[at] in _TO and named and ends is not None and named[0][0] == ends[1]:
        return ends[0], ends[1], named[0][1] + 1
    return None


def _lengths(words: list[str], metadata: Metadata) -> Iterator[Mention]:
    """``how long``, ``length of stay``, ``duration``, where no column holds one."""
    asked = next((unit for word in words if (unit := exact_unit(word)) in _UNITS), None)
    for at in range(len(words)):
        said = [size for size, entry in load_lexicon().at(tuple(words[at : at + 4])) if entry.operator == "length"]
        size = max(said, default=0)
        known = [
            (relation, span_of(metadata, *ends, asked))
            for relation in metadata.catalog.relations
            # A column that says it knows better.
            if size and (ends := ends_in(metadata, relation)) and not _has_length(metadata, relation)
        ]
        if known:
            yield _mention(words, at, at + size, known)


def _has_length(metadata: Metadata, relation: str) -> bool:
    return any(
        _MEASURED & set(metadata.parts(m.path)) and is_length(metadata, m.path)
        for m in metadata.relation(relation).members.values()
        if m.path in metadata.members and m.kind == "dimension" and m.type == "number"
    )


def _sums(tokens: Sequence[Token], words: list[str], metadata: Metadata) -> Iterator[Mention]:
    """``home goals plus away goals``, ``difference between planned and actual cost``: two numbers of a row as one."""
    for pair in paired_numbers(tokens, metadata):
        path = sum_path(pair.one, pair.other, less=pair.less)
        yield _mention(words, pair.start, pair.end, [(path.split(".", 1)[0], path)])


def _mention(words: list[str], start: int, end: int, known: Sequence[tuple[str, str]], operator: str = "") -> Mention:
    names = tuple(Named(relation, path, 1.0, True, 0.0, rank) for rank, (relation, path) in enumerate(known))
    return Mention("name", start, end, " ".join(words[start:end]), names=names, operator=operator)
