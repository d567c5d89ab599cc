"""What is to be shown of rows: the columns that are named, or that a clause asks for (*and when they joined*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .... import patterns as re
from ..schema.lexicon import find_spans
from ..schema.member_kinds import kind_of, labels_of
from ..schema.metadata import Metadata
from ..words.families import root
from ..words.numbers import exact_unit
from ..words.text import name_parts, singular, stem, tokenize
from .clauses import column_asked, is_shown, measured, shown_of, whose

__all__ = ["column_in", "column_of", "columns_named", "said_apart"]

_JOINTS = re.compile(r"\s*(?:,\s*and\b|,|&|\band\b|\bplus\b|\bas well as\b)\s*", re.IGNORECASE)
_OWN = re.compile(
    r"^(?:also |both )?(?:(?:their|its|the|his or her|his|her|each one's|each|own|a|an)\s+)*", re.IGNORECASE
)
_ASKED = re.compile(
    r"^(?P<how>when|where|who|what|how (?P<size>[a-z]+)|which (?P<noun>[a-z]+)|whose)\b\s*(?P<rest>.*)$", re.IGNORECASE
)
_VAGUE = frozenset("number numbers address addresses date dates day days time times info details".split())
_LONGEST = 4  # words that name a column
_EITHER = 2  # columns that one word may be for: "price" of what has a price per night and a total one
_NUMBER_OF = re.compile(r"^(?:number|no\.?|count) of (?P<what>[a-z ]+)$", re.IGNORECASE)
_NAME_OF = re.compile(r"^(?P<what>[a-z]+) names?$", re.IGNORECASE)
_PART_OF = re.compile(r"^(?P<what>[a-z]+) of (?:the |their |its )?(?P<whose>[a-z]+(?: [a-z]+)?)$", re.IGNORECASE)
_MOMENTS = frozenset("date dates day days time times".split())
_NUMBERED = frozenset({"id", "number", "no", "code"})
_NOUNS = {"length": "longest", "duration": "longest", "price": "most expensive", "cost": "most expensive",
          "size": "largest", "weight": "heaviest", "height": "tallest", "fee": "most expensive",
          "age": "oldest", "birthday": "youngest", "rate": "most expensive"}  # fmt: skip


def said_apart(words: str) -> tuple[str, ...]:
    """The pieces of ``length, genre and distributor``."""
    return tuple(_OWN.sub("", piece).strip() for piece in _JOINTS.split(words.strip()) if piece.strip())


def columns_named(words: str, relation: str, meta: Metadata, *, heads: bool = False) -> tuple[str, ...] | None:
    """The columns of a row (or of what it belongs to) that words name; None where one is not clear.

    ``heads``: they are said to be columns, so that one may be a yes or no: *room, total, cancelled* behind a colon.
    """
    found: list[str] = []
    pieces = said_apart(words)
    for piece in pieces:
        named = _yes_or_no(piece, relation, meta) if heads and len(pieces) > 1 else ()
        named = named or column_of(piece, relation, meta)
        if not named:
            return None
        found.extend(path for path in named if path not in found)
    return tuple(found) or None


def column_of(piece: str, relation: str, meta: Metadata) -> tuple[str, ...]:
    """What one piece names: a column, or what rows of another kind are known by; nothing where that is not clear."""
    asked = _ASKED.match(piece)
    if asked is not None:
        noun = asked["noun"]
        return column_of(noun, relation, meta) if noun else column_asked(asked, relation, meta)
    words = [token.lower for token in tokenize(piece)]
    if not words or len(words) > _LONGEST:
        return ()
    if [singular(word) for word in words] in (["name"], ["full", "name"]):
        return _name_of(relation, meta)
    for home in _homes(relation, meta):
        found = _named(words, home, meta) or (_either(words, home, meta) if home == relation else ())
        if found:
            return tuple(called for path in found for called in _called(path, home, words, meta))
    return _put_otherwise(piece, relation, meta)


def _name_of(relation: str, meta: Metadata) -> tuple[str, ...]:
    """What a row is called; of what has no name, the one whom it belongs to."""
    label, labels = meta.label_of(relation), labels_of(meta, relation)
    named = len(labels) > 1 or label is not None and label != meta.key_of(relation)
    return labels if named else whose(relation, meta)


def _put_otherwise(piece: str, relation: str, meta: Metadata) -> tuple[str, ...]:
    """``number of days`` that is a number of the row, ``name of the guest`` that is the guest name, or the guest."""
    numbered, part, name = _NUMBER_OF.match(piece), _PART_OF.match(piece), _NAME_OF.match(piece)
    if name is not None:
        found = column_of(name["what"], relation, meta)
        return found if found and all(kind_of(meta, path) == "text" for path in found) else ()
    if numbered is not None:
        found = column_of(numbered["what"], relation, meta)
        return found if len(found) == 1 and kind_of(meta, found[0]) == "number" else ()
    return column_of(f"{part['whose']} {part['what']}", relation, meta) if part is not None else ()


def _yes_or_no(piece: str, relation: str, meta: Metadata) -> tuple[str, ...]:
    """The yes or no of a row that a piece is the whole name of."""
    said = [token.stem for token in tokenize(piece)]
    own = (member.path for member in meta.relation(relation).members.values() if member.kind == "dimension")
    flags = [path for path in own if path in meta.members and kind_of(meta, path) == "flag"]
    return tuple(path for path in flags if [stem(part) for part in meta.parts(path)] == said)[:1]


def _either(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    """The columns of one kind that a word may be for, where they are few: all of them are shown."""
    roots = {root(singular(word)) for word in words}
    found = [path for path in shown_of(home, meta) if roots <= {root(part) for part in meta.parts(path)}]
    alike = len({kind_of(meta, path) for path in found}) == 1 and len(found) == _EITHER
    return tuple(found) if alike and kind_of(meta, found[0]) == "number" else ()


def _called(path: str, home: str, words: Sequence[str], meta: Metadata) -> tuple[str, ...]:
    """What a key stands for is shown by its name: the ``director`` of films, unless its number is asked for."""
    if path == meta.key_of(home) or _NUMBERED.intersection(map(singular, words)):
        return (path,)
    other = next((o for o in meta.edges.get(home, ()) if (meta.join_keys(home, o) or ("",))[0] == path), None)
    return labels_of(meta, other) if other is not None and meta.label_of(other) is not None else (path,)


def _homes(relation: str, meta: Metadata) -> Iterator[str]:
    """A relation, then those that its rows belong to."""
    yield relation
    yield from (other for other in meta.catalog.relations if other != relation and meta.leads_to(relation, other))


def _named(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    if (people := meta.referred.get(tuple(map(singular, words)))) is not None:
        return tuple(path for path in people if path.startswith(f"{home}."))[:1]
    called = _names_of(words, home, meta) or _by_end(words, home, meta)
    if called:
        return called
    spans = [s for s in find_spans(tokenize(" ".join(words)), meta) if (s.start, s.end) == (0, len(words))]
    whole = sorted((c for s in spans for c in s.candidates if c.full and c.relation == home), key=lambda c: -c.quality)
    for one in whole:
        if one.member is None:
            return labels_of(meta, home)
        if is_shown(one.member, meta):
            return (one.member,)
    return _by_words(words, home, meta) or _by_kind(words, home, meta)


def _names_of(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    """``guest name``: what rows that are called so are known by, of more than one column."""
    *whose, last = words
    if not whose or singular(last) != "name" or home not in meta.kind_names.rows.get(stem(whose[-1]), ()):
        return ()
    return labels_of(meta, home) if len(labels_of(meta, home)) > 1 else ()


def _by_end(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    """``from`` and ``to`` of rows that last: the times that are called so."""
    if len(words) > 1 or words[0] not in ("from", "to", "since", "until"):
        return ()
    times = (path for path in shown_of(home, meta) if meta.is_time(path))
    return tuple(path for path in times if meta.parts(path)[0] == words[0])[:1]


def _by_words(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    """The one column whose name has the words, or words of their family; *number* and *date* may go unsaid."""
    kept = [word for word in words if word not in _VAGUE] or list(words)
    roots = {root(singular(word)) for word in kept}
    known = {path: {root(part) for part in meta.parts(path)} for path in shown_of(home, meta)}
    own = {root(singular(word)) for word in meta.words_of(home)}
    found = [path for path, parts in known.items() if roots <= parts]
    if len(kept) < len(words) and _MOMENTS.intersection(words):  # a "day pass" is no kind of pass
        found = [path for path in found if meta.is_time(path) or meta.is_number(path)]
    exact = [path for path in found if known[path] - own == roots - own]
    found = exact if len(found) > 1 else found
    if len(found) != 1 and kept == list(words) and all(word in ("date", "dates", "day", "days") for word in words):
        found = meta.times([home])[:1]
    return (found[0],) if len(found) == 1 else ()


def _by_kind(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    """``length`` of what has a duration, ``price`` of what has a fee: by what is measured, where one column is it."""
    adjective = _NOUNS.get(singular(words[-1])) if len(words) == 1 else None
    return measured(adjective, home, meta) if adjective is not None else ()


def column_in(unit: str, relation: str, meta: Metadata) -> tuple[str, ...]:
    """The one number of a row that is kept in a unit: *minutes*, *kilos*."""
    wanted = exact_unit(unit.lower())
    numbers = [path for path in shown_of(relation, meta) if meta.is_number(path) and wanted is not None]
    found = [path for path in numbers if wanted in map(exact_unit, name_parts(meta.members[path].name))]
    return (found[0],) if len(found) == 1 else ()
