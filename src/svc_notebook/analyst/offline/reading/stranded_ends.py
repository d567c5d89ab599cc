"""*Which stations does Vy go to*, *towns we send parcels from*: of two ends of a way the one whose word stands last."""

from __future__ import annotations

from ..schema.directions import ends_of
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular, stem, tokenize

__all__ = ["stranded_ends"]

_GOING = (
    "fl(?:y|ies|ew)|go|goes|went|travel(?:s|led|ed)?|run|ran|runs|sail(?:s|ed)?|driv(?:e|es)|drove|ships?|shipped|sends?|sent"
    "|delivers?|delivered|get|gets|got|move[sd]?|operate[sd]?"
)
_WHO = r"(?P<who>[a-z0-9][\w.'&-]*(?: (?!to\b|from\b)[\w.'&-]+){0,2}?)"
_WAY = rf"(?:(?:{_GOING})(?: (?!to\b|from\b)[a-z]+)? (?P<way>to|from)|(?P<reach>reach(?:es|ed)?))"
_REST = r"(?P<rest>(?: .+?)?)\W*$"
_ASKED = said_so(
    rf"^\W*(?P<ask>which|what|how many)(?: different)? (?P<what>[a-z]+(?: [a-z]+)?) (?:do|does|did|can|could|will) "
    rf"{_WHO} {_WAY}{_REST}"
)
_LISTED = said_so(
    r"^\W*(?:(?:show(?: me)?|list|give me|what are|name) )?(?:all )?(?:of )?(?:the )?"
    r"(?P<what>[a-z]+(?: (?!that |which |where )[a-z]+)?) "
    rf"(?:that |which |where )?(?!that\b|which\b|are\b|is\b|were\b){_WHO} (?:can |could )?{_WAY}{_REST}"
)
_ANYBODY = frozenset("i you we they people one it our your the planes ships trains buses vans trucks us".split())


def stranded_ends(question: str, metadata: Metadata) -> str:
    """A question for one end of a way by its name, where a noun may be for both and the last word tells which."""
    said = _ASKED.match(question) or _LISTED.match(question)
    if said is None:
        return question
    end = _end(said["what"].lower(), said["way"].lower() if said["way"] else "to", metadata)
    if end is None:
        return question
    whose = _ANYBODY.isdisjoint(said["who"].lower().split()) and _is_somebody(said["who"], metadata)
    who = f" for {said['who']}" if whose else ""
    is_count = said.groupdict().get("ask", "").lower() == "how many"
    return f"{f'number of different {end}' if is_count else f'which {end} are there'}{who}{said['rest']}"


def _is_somebody(words: str, metadata: Metadata) -> bool:
    """Whether words are of somebody the data know: passengers that nobody counts are anybody."""
    plain = words == words.lower() and singular(words) != words
    tokens = tokenize(words)
    return not plain or bool(tokens) and any(match.end == len(tokens) for match in metadata.values.find(tokens, 0))


def _end(noun: str, way: str, metadata: Metadata) -> str | None:
    """The name of the end that a noun is for, in the plural; None where it is not for both ends."""
    words = [singular(word) for word in noun.split()]
    if words == noun.split():
        return None
    stems = [*map(stem, words)]
    found: dict[str, dict[str, tuple[str, ...]]] = {"to": {}, "from": {}}
    for path in metadata.members:
        parts, end = tuple(metadata.parts(path)), ends_of(metadata, path)
        if end is None or len(parts) <= len(stems) or [*map(stem, parts)][-len(stems) :] != stems:
            continue
        if kind_of(metadata, path) == "text":
            found[end][path] = parts
    if any(len(set(names.values())) != 1 for names in found.values()):
        return None
    path, parts = next(iter(found[way].items()))
    bare = f"{path.split('.', 1)[0]}.{parts[0]}"  # a code may stand where a name is missing
    if bare in metadata.members and metadata.profile(bare).distinct > metadata.profile(path).distinct:
        return f"{parts[0]}s"
    return " ".join([*parts[:-1], noun.split()[-1]])
