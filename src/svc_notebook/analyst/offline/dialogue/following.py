"""A turn in its thread: read anew, or as an edit of an earlier form, in one decision."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ...base import Turn
from ..budget import Budget
from ..followups import has_subject
from ..forms import Form
from ..grammar.compose import partials, unread
from ..grammar.partial import Partial
from ..linking import link
from ..linking.lattice import Lattice
from ..metadata import Metadata
from ..ranking.model import load_ranking
from ..reading import ENOUGH, Reading
from .editing import Unfit
from .edits import edited
from .expressing import paths_of
from .hearing import Heard, hear
from .lexicon import load_discourse
from .pictures import wished_picture
from .thread import Earlier, earlier, turned_away
from .wishes import wished

__all__ = ["Followed", "Unmet", "follow"]

# What speaks for an edit of an earlier form (above zero it is one), and what for a question of its own.
_WEIGHTS: Mapping[str, float] = {
    "bias": -0.5, "opens": 3.0, "instead": 2.0, "those": 4.5, "points": 2.5, "short": 1.5, "subject": -4.0,
    "asks": -1.0, "unread": -1.5, "cost": -0.25, "alone:unread": 0.7, "older": -1.5,
}  # fmt: skip
_PARTIALS = 40
_SHORT = 6
_WEAK = 0.25
_NAMED = 2.5  # a measure that is named stands before what its words could mean besides
_PART = 0.4  # of a subject: a number that is named, after "what about"
_DEEPEST = 3  # earlier forms that a turn may be an edit of
_ASKS = re.compile(
    r"^\W*(?:how (?:many|much|often|long|old)|what|which|who|where|when|show|list|give|compare|is|are|was|were|do|does"
    r"|did|find|tell|return|count)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\w+\W+\w+.*(?:\band\b|\bwith\b|\bincluding\b|,)\W.*\b(?:their|its|them)\b", re.IGNORECASE)
_THOSE = re.compile(
    r"\b(?:are|were|is|was|do|does|did|have|has) (?:they|these|those)\b|\bthem\W*$|"
    r"\b(?:of|among|from|for) (?:these|those|them)\b|\b(?:these|those) (?!days|are|is)\w+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Followed:
    """An edit: the form it makes, of which earlier turn, and the picture that is wished for (``""``: as fits)."""

    form: Form
    of: Earlier
    chart: str
    undo: bool = False
    unread: tuple[str, ...] = ()
    sure: float = 0.0


@dataclass(frozen=True, slots=True)
class Unmet:
    """A turn that wants something of an earlier answer which that cannot give; ``reason`` says why."""

    reason: str = ""
    unread: tuple[str, ...] = ()


def follow(
    turn: Turn, metadata: Metadata, alone: Reading, now: datetime, year: int | None, fiscal: int, budget: Budget
) -> Followed | Unmet | None:
    """The turn as an edit of an earlier form, where it is one rather than a question of its own."""
    forms = earlier(turn, metadata.catalog)
    if not forms:
        return None
    heard = hear(turn.question)
    if heard.wants == "undo":
        if len(forms) < 2:
            return Unmet("nothing was changed that could be undone")
        return Followed(forms[1].form, forms[1], forms[1].chart, undo=True)
    found = _wish(heard, forms[0], metadata)
    mark, rest = wished_picture(heard.rest)
    if found is not None or not _content(rest):
        return found
    lattice = link(_asked(heard, rest), metadata, now, year, fiscal, budget)
    said = partials(lattice, metadata, load_ranking().weights, budget)[:_PARTIALS]
    return _Deciding(heard, alone, metadata, lattice, said, mark, turned_away(turn)).decide(forms)


def _wish(heard: Heard, before: Earlier, metadata: Metadata) -> Followed | Unmet | None:
    """A turn that is a phrase about the form, or about its picture, and nothing else."""
    if heard.wants:
        try:
            form = wished(heard.wants, before.form, metadata)
        except Unfit as reason:
            return Unmet(str(reason))
        return Followed(form, before, before.chart) if form is not None else None
    mark, rest = wished_picture(heard.rest)
    if mark and not _content(rest):
        return Followed(before.form, before, mark)
    return None


@dataclass
class _Deciding:
    """One turn with all that its words may say, looked at beside earlier forms."""

    heard: Heard
    alone: Reading
    metadata: Metadata
    lattice: Lattice
    said: list[Partial]
    mark: str
    away: bool  # a question of its own was refused since the last answer
    unfit: list[str] = field(default_factory=list)

    def decide(self, forms: Sequence[Earlier]) -> Followed | Unmet | None:
        best = self.best(forms)
        if best is not None and best.sure > 0 and not best.unread:
            return best
        if self.score(0, 0.0, 0) <= 0 or not (self.heard.leans or self.lost):
            return None
        if best is not None and best.unread:
            return Unmet(unread=best.unread)
        return Unmet(self.unfit[0]) if self.unfit else None

    @property
    def lost(self) -> bool:
        """Whether it says nothing that can be answered when it stands alone."""
        return self.alone.plan is None or self.alone.plan.confidence < ENOUGH

    def best(self, forms: Sequence[Earlier]) -> Followed | None:
        """The best edit of the newest form that has a place for what is said; of an older one only where the newest
        has none and the older speaks of the same.
        """
        for age, before in enumerate(forms[: 1 if self.heard.points else _DEEPEST]):
            said = self.said if age == 0 else [partial for partial in self.said if _touches(partial, before)]
            found = [item for partial in said if (item := self.edit(before, partial, age)) is not None]
            if found:
                return max(found, key=lambda item: item[0])[1]
        return None

    def edit(self, before: Earlier, partial: Partial, age: int) -> tuple[float, Followed] | None:
        """What a reading of the words makes of a form, and how well it fits; None where it does not."""
        try:
            form, cost = edited(before, self.heard, partial, self.metadata)
        except Unfit as reason:
            self.unfit.append(str(reason))
            return None
        if form == before.form and not (self.mark and self.mark != before.chart):
            return None
        if self.away and (form.measures, form.columns) != (before.form.measures, before.form.columns):
            self.unfit.append("the question before this one was not answered, and it may be about that")
            return None
        missed = _missed(partial, self.lattice)
        if self.alone.missed and _is_weak(partial):
            missed = (*missed, *(word for word in self.alone.missed if word not in missed))
        sure = self.score(len(missed), cost, age)
        named = sum(name == "measure:model" for name, _ in partial.features)
        fits = sure + 0.5 * (partial.score - self.said[0].score) - 0.25 * cost + _NAMED * named
        return fits, Followed(form, before, self.mark or before.chart, unread=missed, sure=sure)

    def score(self, missed: int, cost: float, age: int) -> float:
        """What speaks for an edit and against a question of its own."""
        heard = self.heard
        facts = {
            "bias": 1.0, "opens": float(heard.leans), "instead": float("instead" in heard.acts),
            "those": float(_points_out(heard)), "points": float(heard.points and not _WITHIN.search(heard.text)),
            "short": float(len(heard.text.split()) <= _SHORT), "subject": _subject(heard, self.alone),
            "asks": float(bool(_ASKS.match(heard.rest))), "unread": float(missed), "cost": max(0.0, cost),
            "alone:unread": float(self.alone.plan is None or bool(self.alone.unread)), "older": float(age),
        }  # fmt: skip
        return sum(_WEIGHTS[name] * value for name, value in facts.items())


def _content(text: str) -> list[str]:
    """The words of a text that say more than that it goes on."""
    empty = load_discourse().empty
    return [word for word in re.findall(r"[\w%]+", text.lower()) if word not in empty and len(word) > 1]


def _touches(partial: Partial, before: Earlier) -> bool:
    """Whether what is said was spoken of in an older form."""
    known = paths_of(before.form)
    return any(getattr(clause, "path", None) in known for clause in partial.clauses)


def _is_weak(partial: Partial) -> bool:
    """Whether names are matched only in part, or by words that are not theirs."""
    return any(name == "link:part" or (name == "link:weak" and value > _WEAK) for name, value in partial.features)


def _asked(heard: Heard, rest: str) -> str:
    """The words to be read: a group that was announced is one (``drill into months``)."""
    if "split" in heard.acts and not re.match(r"^\W*(?:by|per|for each|into|across)\b", rest, re.IGNORECASE):
        return f"by {rest}"
    return re.sub(r"^\W*into\b", "by", rest, flags=re.IGNORECASE)


def _missed(partial: Partial, lattice: Lattice) -> tuple[str, ...]:
    empty = load_discourse().empty
    return tuple(word for word in unread(partial, lattice) if word.lower() not in empty)


def _subject(heard: Heard, alone: Reading) -> float:
    """How much it says itself what it asks for; what is split, added to or taken away was there."""
    draft = alone.draft
    if draft is None or {"split", "remove", "keep"} & set(heard.acts) or not has_subject(heard.text, alone):
        return 0.0
    grouped = draft.dimensions or draft.grains or draft.grouped_entities or draft.conditions or draft.top
    if {"add", "replace", "instead", "correct"} & set(heard.acts):
        return _PART if grouped else 0.0
    return 1.0 if grouped or not heard.leans else _PART


def _points_out(heard: Heard) -> bool:
    within = _WITHIN.search(heard.text) is not None
    return not within and ("those" in heard.acts or _THOSE.search(heard.text) is not None)
