"""The order that a list is asked for in: *newest first*, *by length*, *from dearest to cheapest*, *alphabetically*."""

from __future__ import annotations

from msgspec import Struct

from .... import patterns as re
from ..lexicon import Entry, load_lexicon
from ..schema.member_kinds import adjective_members, labels_of
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..words.text import stem
from .outputs import column_of

__all__ = ["Sorting", "sorting_at_end"]

_MOST = r"(?:most|least) [a-z]+|[a-z]{2,}est|most|least|best|worst"
_BY = r"(?:and )?(?:sort|sorted|order|ordered|rank|ranked|arrange|arranged|listed)(?: (?:them|it|these))? by"
_SORTED = rf"(?:{_BY}|in order of|by order of)"
_NAME = rf"(?:(?:{_SORTED}|by) (?:the )?(?P<name>[\w ]+?),? )?"
_FIRST = re.compile(
    rf"^(?P<head>.+?)[,.;]? {_NAME}(?:{_SORTED} )?(?:with )?(?:the )?(?P<first>{_MOST})"
    r"(?: (?P<of>(?!in\b|of\b|from\b)[a-z]+))?"
    r"(?: (?:come|comes|coming))? (?:first|at the top|on top)$",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"^(?P<head>.+?),? {_NAME}(?:sorted |ordered |ranked )?"
    rf"(?:going )?(?:from )?(?:the )?(?P<first>{_MOST}) to (?:the )?(?:{_MOST})$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"^(?P<head>.+?),? {_SORTED} (?:the |their |its )?(?P<name>[\w ]+?)"
    r"(?:,? (?:in )?(?P<way>ascending|descending|asc|desc|decreasing|increasing|reverse)(?: order)?)?$",
    re.IGNORECASE,
)
_COMMANDED = re.compile(
    r"^(?:sort|order|rank|arrange) (?P<head>.+?) by (?:the |their |its )?(?P<name>[\w ]+?)"
    r"(?:,? (?:in )?(?P<way>ascending|descending|asc|desc|decreasing|increasing|reverse)(?: order)?)?$",
    re.IGNORECASE,
)
_SPELT = re.compile(
    r"^(?P<head>.+?),? (?:(?:sorted|ordered|listed|arranged) )?(?:in alphabetical order|alphabetically|by alphabet|"
    r"(?:from )?a (?:to|-) z|a-z)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"^(?P<head>[\w' -]+?) by (?:the |their |its )?(?P<name>[a-z_ ]+)$", re.IGNORECASE)
_FIRST_YEAR = 1000
_DOWN = frozenset({"descending", "desc", "decreasing", "reverse"})
_LATE = frozenset({"newest", "latest", "youngest", "most recent", "most recently", "most"})
_EARLY = frozenset({"oldest", "earliest", "soonest", "longest", "least"})
_MOMENTS = frozenset({"soonest", "newest", "latest", "oldest", "earliest", "most recent", "most recently"})
_SMALL = frozenset({"lowest", "smallest", "least", "fewest"})
_NO_NUMBER = frozenset({"highest", "lowest", "biggest", "smallest", "largest", "most", "least"})


class Sorting(Struct, frozen=True):
    """What is said of an order: a column by its name, what an adjective measures, or (``spelt``) the names of rows."""

    head: str
    name: str = ""
    first: str = ""
    down: bool = False
    spelt: bool = False

    def columns(self, relation: str, meta: Metadata, shown: tuple[str, ...] = ()) -> tuple[tuple[str, bool], ...]:
        """The columns to sort by, each with whether its greatest comes first; nothing where that is not clear."""
        if self.spelt:
            return tuple((path, self.down) for path in reversed(labels_of(meta, relation)))
        if self.name:
            paths = column_of(self.name, relation, meta)
            return tuple((path, self._down_by(path, meta)) for path in paths)
        return _measured(self.first, relation, meta, shown)

    def _down_by(self, path: str, meta: Metadata) -> bool:
        if not self.first:
            return self.down
        if meta.is_time(path) or meta.is_year(path):
            return self.first in _LATE or _greatest(self.first) and self.first not in _EARLY
        return _greatest(self.first)


def _entry(first: str) -> Entry | None:
    found = [e for _, e in load_lexicon().at(tuple(first.split())) if e.operator == "superlative"]
    return next((e for e in found if e.hints or e.turned), found[0] if found else None)


def _greatest(first: str) -> bool:
    entry = _entry(first)
    return first not in _SMALL and (entry is None or entry.argument == "desc")


def _measured(first: str, relation: str, meta: Metadata, shown: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """By what an adjective measures; the greatest of the one number that is shown, where it measures nothing itself."""
    entry = _entry(first)
    if entry is None:
        return ()
    found = adjective_members(meta, [relation], entry.hints, entry.turned) if entry.hints or entry.turned else []
    known = [(path, (entry.argument == "desc") is not turned) for path, turned in found if path in meta.members]
    known = [(path, down) for path, down in known if meta.is_time(path) or not _is_only_a_year(path, entry, meta)]
    if first in _MOMENTS:  # "latest" is no number of minutes
        aged = first in ("newest", "oldest")  # things are, by the year that they are of; what happened is the latest
        known = [(path, down) for path, down in known if meta.is_time(path) or aged and meta.is_year(path)]
        known = known or [(path, first not in _EARLY) for path in meta.times([relation])[:1]]
    if known:
        return (known[0],)
    if first not in _NO_NUMBER:
        return ()
    numbers = [p for p in shown if meta.is_number(p) and not meta.is_key(p) and not meta.is_year(p)]
    own = [m.path for m in meta.relation(relation).members.values() if m.path in meta.members]
    numbers = numbers or [p for p in own if meta.is_number(p) and not (meta.is_key(p) or meta.is_year(p))]
    numbers = [p for p in numbers if not meta.is_flag(p)]
    return ((numbers[0], _greatest(first)),) if len(numbers) == 1 else ()


def _is_only_a_year(path: str, entry: Entry, meta: Metadata) -> bool:
    """``school year``: a number that is called so, and is no year that anything was born or built in."""
    named = {stem(part) for part in meta.parts(path)} & {stem(word) for word in entry.hints | entry.turned}
    return named == {stem("year")} and (as_number(meta.profile(path).low) or 0) < _FIRST_YEAR


def sorting_at_end(text: str, *, listing: bool) -> Sorting | None:
    """The order that a question ends in; ``by length`` alone is one where rows are to be listed."""
    if (said := _FIRST.match(text) or _FROM.match(text)) is not None:
        of = (said.groupdict().get("of") or "").lower()
        name = (said["name"] or "").strip() or ("" if of in ("", "one", "ones") else of)
        return Sorting(said["head"], name, said["first"].lower())
    if (said := _SPELT.match(text)) is not None:
        return Sorting(said["head"], spelt=True)
    if (said := _COMMANDED.match(text) or _NAMED.match(text)) is not None:
        return Sorting(said["head"], said["name"], down=(said["way"] or "").lower() in _DOWN)
    if listing and (said := _PLAIN.match(text)) is not None:
        return Sorting(said["head"], said["name"])
    return None
