"""What a clause asks of a row: *when they joined*, *who*, *how long it is*; and the columns that a row can show."""

from __future__ import annotations

from .... import patterns as re
from ..lexicon import load_lexicon
from ..schema.member_kinds import adjective_members, labels_of, people
from ..schema.metadata import Metadata
from ..words.families import root
from ..words.text import stem, tokenize

__all__ = ["column_asked", "is_shown", "measured", "shown_of", "whose"]

_LITTLE = frozenset(
    "they it he she them is are was were do does did has have had been 's be in at by from to of".split()
)
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


def column_asked(asked: re.Match[str], relation: str, meta: Metadata) -> tuple[str, ...]:
    """What a clause with a question word asks of a row; nothing where that is not clear."""
    how = asked["how"].lower().split()[0]
    verbs = [token.lower for token in tokenize(asked["rest"]) if token.lower not in _LITTLE]
    if how == "who" and not verbs:
        return whose(relation, meta)
    if len(verbs) > 1:
        return ()
    columns = shown_of(relation, meta)
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
    return measured(adjective, relation, meta) if adjective is not None else ()


def whose(relation: str, meta: Metadata) -> tuple[str, ...]:
    """Who it was: the people that rows belong to or name, where they are of one kind."""
    referred = (other for other in meta.edges.get(relation, ()) if meta.joins.refers(relation, other))
    named = [other for other in referred if meta.is_of_people(other) or len(labels_of(meta, other)) > 1]
    of = [labels_of(meta, other) for other in named if len(meta.words_of(other)) == 1]
    found = of or people(meta, [relation])
    return found[0] if len(found) == 1 else ()


def measured(adjective: str, home: str, meta: Metadata) -> tuple[str, ...]:
    """The one number of a row that an adjective is said of."""
    entry = next((e for _, e in load_lexicon().at(tuple(adjective.split())) if e.hints or e.turned), None)
    found = adjective_members(meta, [home], entry.hints, entry.turned) if entry is not None else []
    paths = list(dict.fromkeys(path for path, _ in found if path in meta.members))
    return (paths[0],) if len(paths) == 1 else ()


def _fits(how: str, path: str, meta: Metadata) -> bool:
    """Whether a column may tell when, where or who."""
    if how == "when":
        return meta.is_time(path) or meta.is_year(path)
    return how in ("what", "how") or how in ("where", "who") and meta.members[path].type == "string"


def shown_of(relation: str, meta: Metadata) -> list[str]:
    own = [member.path for member in meta.relation(relation).members.values() if not member.masked]
    return [path for path in own if path in meta.members and is_shown(path, meta)]


def is_shown(path: str, meta: Metadata) -> bool:
    """Whether a column tells something of a row that may be shown beside it: no measure, and no yes or no."""
    member = meta.members[path]
    return member.kind == "dimension" and member.type != "boolean" and not meta.is_flag(path)
