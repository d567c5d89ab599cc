"""What is to be shown of rows: the columns that are named, or that a clause asks for (*and when they joined*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .... import patterns as re
from ..lexicon import load_lexicon
from ..schema.lexicon import find_spans
from ..schema.member_kinds import adjective_members, labels_of
from ..schema.metadata import Metadata
from ..words.families import root
from ..words.numbers import exact_unit
from ..words.text import name_parts, singular, stem, tokenize

__all__ = ["column_in", "column_of", "columns_named", "said_apart"]

_JOINTS = re.compile(r"\s*(?:,\s*and\b|,|&|\band\b|\bplus\b|\bas well as\b)\s*", re.IGNORECASE)
_OWN = re.compile(
    r"^(?:also |both )?(?:(?:their|its|the|his or her|his|her|each one's|each|own|a|an)\s+)*", re.IGNORECASE
)
_ASKED = re.compile(
    r"^(?P<how>when|where|who|what|how (?P<size>[a-z]+)|which (?P<noun>[a-z]+)|whose)\b\s*(?P<rest>.*)$", re.IGNORECASE
)
_LITTLE = frozenset(
    "they it he she them is are was were do does did has have had been 's be in at by from to of".split()
)
_VAGUE = frozenset("number numbers address addresses date dates day days time times info details".split())
_LONGEST = 4  # words that name a column
_MOMENTS = frozenset("date dates day days time times".split())
_NUMBERED = frozenset({"id", "number", "no", "code"})
_PLACES = frozenset(map(stem, "place location city town village address room site venue area district".split()))
_STAYING = frozenset(map(root, ("live", "come", "stay", "based", "located", "kept", "reside")))
_SAME_DEED = {
    root(verb): tuple(others.split()) for verb, others in {
        "join": "since registered signup enrolled member", "start": "hired since joined began employed",
        "born": "birth dob birthday", "begin": "start started", "open": "opened founded",
    }.items()
}  # fmt: skip
_PRICED = ("cost", "costs", "charge", "charges", "charged", "pay", "pays")
_SIZED = {"much": "most expensive", "long": "longest", "old": "oldest", "heavy": "heaviest", "big": "largest",
          "large": "largest", "tall": "tallest", "far": "farthest", "fast": "fastest"}  # fmt: skip
_NOUNS = {"length": "longest", "duration": "longest", "price": "most expensive", "cost": "most expensive",
          "size": "largest", "weight": "heaviest", "height": "tallest", "fee": "most expensive",
          "age": "oldest", "birthday": "youngest", "rate": "most expensive"}  # fmt: skip


def said_apart(words: str) -> tuple[str, ...]:
    """The pieces of ``length, genre and distributor``."""
    return tuple(_OWN.sub("", piece).strip() for piece in _JOINTS.split(words.strip()) if piece.strip())


def columns_named(words: str, relation: str, meta: Metadata) -> tuple[str, ...] | None:
    """The columns of a row (or of what it belongs to) that words name, one for each; None where one is not clear."""
    found: list[str] = []
    for piece in said_apart(words):
        named = column_of(piece, relation, meta)
        if not named:
            return None
        found.extend(path for path in named if path not in found)
    return tuple(found) or None


def column_of(piece: str, relation: str, meta: Metadata) -> tuple[str, ...]:
    """What one piece names: a column, or what rows of another kind are known by; nothing where that is not clear."""
    asked = _ASKED.match(piece)
    if asked is not None:
        return _asked(asked, relation, meta)
    words = [token.lower for token in tokenize(piece)]
    if not words or len(words) > _LONGEST:
        return ()
    for home in _homes(relation, meta):
        found = _named(words, home, meta)
        if found:
            return tuple(called for path in found for called in _called(path, home, words, meta))
    return ()


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
    if [singular(word) for word in words] in (["name"], ["full", "name"]):
        label = meta.label_of(home)
        return labels_of(meta, home) if label is not None and label != meta.key_of(home) else ()
    spans = [s for s in find_spans(tokenize(" ".join(words)), meta) if (s.start, s.end) == (0, len(words))]
    whole = sorted((c for s in spans for c in s.candidates if c.full and c.relation == home), key=lambda c: -c.quality)
    for one in whole:
        if one.member is None:
            return labels_of(meta, home)
        if _is_shown(one.member, meta):
            return (one.member,)
    return _by_words(words, home, meta) or _by_kind(words, home, meta)


def _by_words(words: Sequence[str], home: str, meta: Metadata) -> tuple[str, ...]:
    """The one column whose name has the words, or words of their family; *number* and *date* may go unsaid."""
    kept = [word for word in words if word not in _VAGUE] or list(words)
    roots = {root(singular(word)) for word in kept}
    known = {path: {root(part) for part in meta.parts(path)} for path in _shown_of(home, meta)}
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
    return _measured(adjective, home, meta) if adjective is not None else ()


def _measured(adjective: str, home: str, meta: Metadata) -> tuple[str, ...]:
    entry = next((e for _, e in load_lexicon().at(tuple(adjective.split())) if e.hints or e.turned), None)
    found = adjective_members(meta, [home], entry.hints, entry.turned) if entry is not None else []
    paths = list(dict.fromkeys(path for path, _ in found if path in meta.members))
    return (paths[0],) if len(paths) == 1 else ()


def _asked(asked: re.Match[str], relation: str, meta: Metadata) -> tuple[str, ...]:
    how = asked["how"].lower().split()[0]
    verbs = [token.lower for token in tokenize(asked["rest"]) if token.lower not in _LITTLE]
    if asked["noun"]:
        return column_of(asked["noun"], relation, meta)
    if len(verbs) > 1:
        return ()
    columns = _shown_of(relation, meta)
    if verbs:
        kin = {root(word) for word in (verbs[0], *_SAME_DEED.get(root(verbs[0]), ()))}
        found = [path for path in columns if kin & {root(part) for part in meta.parts(path)} and _fits(how, path, meta)]
        if len(found) == 1:
            return (found[0],)
    if how == "when" and not verbs:
        times = meta.times([relation]) or [path for path in columns if meta.is_year(path)]
        return (times[0],) if len(times) == 1 else ()
    if how == "where" and (not verbs or root(verbs[0]) in _STAYING):
        places = [path for path in columns if {stem(part) for part in meta.parts(path)} & _PLACES]
        return (places[0],) if len(places) == 1 else ()
    priced = bool(verbs) and verbs[0] in _PRICED and how in ("what", "how")
    adjective = "most expensive" if priced else _SIZED.get((asked["size"] or "").lower()) if not verbs else None
    adjective = adjective or ("heaviest" if verbs in (["weigh"], ["weighs"]) else None)
    return _measured(adjective, relation, meta) if adjective is not None else ()


def column_in(unit: str, relation: str, meta: Metadata) -> tuple[str, ...]:
    """The one number of a row that is kept in a unit: *minutes*, *kilos*."""
    wanted = exact_unit(unit.lower())
    numbers = [path for path in _shown_of(relation, meta) if meta.is_number(path) and wanted is not None]
    found = [path for path in numbers if wanted in map(exact_unit, name_parts(meta.members[path].name))]
    return (found[0],) if len(found) == 1 else ()


def _fits(how: str, path: str, meta: Metadata) -> bool:
    """Whether a column may tell when, where or who."""
    if how == "when":
        return meta.is_time(path) or meta.is_year(path)
    return how in ("what", "how") or how in ("where", "who") and meta.members[path].type == "string"


def _shown_of(relation: str, meta: Metadata) -> list[str]:
    own = [member.path for member in meta.relation(relation).members.values() if not member.masked]
    return [path for path in own if path in meta.members and _is_shown(path, meta)]


def _is_shown(path: str, meta: Metadata) -> bool:
    """Whether a column tells something of a row that may be shown beside it: no measure, and no yes or no."""
    member = meta.members[path]
    return member.kind == "dimension" and member.type != "boolean" and not meta.is_flag(path)
