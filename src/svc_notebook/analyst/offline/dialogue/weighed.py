"""What a turn may be in its thread, weighed: every edit of an earlier form, and the question that it is by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from .... import patterns as re
from ....records import dataclass
from ...base import Turn
from ..budget import Budget
from ..grammar.clauses import Shown
from ..grammar.compose import partials
from ..grammar.partial import Partial
from ..linking import link
from ..linking.lattice import Lattice
from ..ranking.model import load_ranking
from ..reading.reading import ENOUGH, Reading
from ..schema.metadata import Metadata
from ..words.leads import LEAD
from .flags import flagged
from .grouping import looked_at
from .heard_over import heard_over
from .hearing import Heard, hear
from .listing_them import dated, lists_them
from .pictures import wished_picture
from .proposing import (
    Facts,
    Proposing,
    counts_alone,
    facts_of_turn,
    pointed,
    ranks_alone,
    speaks_of_those,
    stands_for_shown,
)
from .said_of_shown import asked_of_shown, time_asked
from .shown import counts_shown, judged, only_conditions, ranks_shown, rows_of
from .thread import Earlier, turned_away
from .weighing import Anew, Ranked, evidence, likely, load_weights, ranked

__all__ = ["SURE_ANEW", "Weighed", "partials_of", "weigh"]

SURE_ANEW = 0.4  # and a turn that leans on others, read as a question of its own
_OF_THOSE = re.compile(r"\b(?:of|among|from) (?:them|those|these)\W*$", re.IGNORECASE)
_FROM_YEAR = re.compile(r"^\W*(?:(?:the|those|these)\s+)?(?:\w+\s+)?from\s+((?:19|20)\d\d)\W*$", re.IGNORECASE)
_PUT_TOGETHER = re.compile(
    r"^\W*(?:(?:and|now|the|show|give|me|please|ok|okay)\s+)*(?:totals?|sums?|averages?|avg|means?|medians?|maximum|minimum|max|min)\s+"
    r"(?:per|by|for (?:each|every)|across|over)\s+\S+(?:\s+\S+)?\W*$",
    re.IGNORECASE,
)  # "total per region": of what, was said before
_GROUPED = re.compile(r"^\W*(?:by|per|for (?:each|every)|into|across)\b", re.IGNORECASE)
_AMONG = re.compile(
    r"^\W*(?:(?:please|show|give|see|have|me|us|the|all|over|up|along|among|amongst|between|with|on|out|further|again)\b\W*)+",
    re.IGNORECASE,
)  # "split it between the agents", "show the agents separately"
_WHICH_ONE = re.compile(
    LEAD + r"(?:which|what) (?:ones?|of (?:them|those|these))\b", re.IGNORECASE
)  # of the rows that were listed
_LOOKS = re.compile(r"\b(?:does|do|did)\s+(?:it|that|this)\s+(?:all\s+)?look\b", re.IGNORECASE)
_FIRST = re.compile(r"\s+first\W*$", re.IGNORECASE)
_PARTIALS = 40


@dataclass(frozen=True, slots=True)
class Weighed:
    """The readings of one turn, the likeliest first, and what else decides between them."""

    heard: Heard
    readings: Sequence[Ranked]
    turn: Facts
    anew: Anew
    unfit: Sequence[str]
    mark: str
    lost: bool  # nothing that can be answered is said when the turn stands alone
    either: bool = False  # it may be of what was shown as well as of all there is
    of_them: bool = False  # what stands for those that were shown is what it is about

    @property
    def sure(self) -> float:
        """The probability that the first reading is what was meant."""
        return likely(load_weights().sure, self.readings[0], evidence(self.readings, self.turn, self.anew))

    @property
    def sure_itself(self) -> float:
        """The probability that the first reading is the right edit, whether or not it is one of what was meant."""
        best = self.readings[0]
        return self.sure / best.before if best.before else 0.0


def weigh(
    turn: Turn, forms: Sequence[Earlier], metadata: Metadata, alone: Reading, now: datetime, year: int | None,
    fiscal: int, budget: Budget, anew: Callable[[], Anew],
) -> Weighed:  # fmt: skip
    """All that a turn may be in its thread."""
    heard = heard_over(turn.question, forms, metadata)
    asked = asked_of_shown(heard, forms[0].form, metadata)
    those = bool(asked) or speaks_of_those(heard, forms[0]) or counts_shown(heard, forms[0])
    either = ranks_shown(heard, alone, forms[0])
    plain = judged(heard, forms[0], metadata) or heard.rest
    mark, rest = wished_picture(_of_those(heard, alone, asked, metadata) if those else plain)
    if "stack" in heard.acts:
        mark = " ".join(dict.fromkeys([*(mark or "bar").split(), "stacked"]))
    few = looked_at(forms[0]) if those else None
    if few is not None and not _adds_columns(forms[0], mark, rest, metadata, now, year, fiscal, budget):
        few = replace(few, form=rows_of(few.form)) if counts_shown(heard, forms[0]) else few
        forms, heard = (few,), replace(heard, points=True)
    heard = replace(heard, points=heard.points or either or _points_at_few(turn, forms[0]))
    rest = flagged(rest, forms[0].form, metadata)
    if lists := lists_them(heard.text, forms[0].form, metadata):
        rest = dated(rest, forms[0].form, metadata)
        rest = _FIRST.sub("", rest)  # "heaviest first": the end that they begin with
    lattice, said = partials_of(_asked(heard, rest), metadata, now, year, fiscal, budget)
    proposing = Proposing(heard, alone, metadata, lattice, said, mark, turned_away(turn), those, either)
    fresh = anew()
    edits = proposing.proposals(forms)
    readings = ranked(edits, fresh, load_weights().rank)
    theirs = those or only_conditions(alone) or _OF_THOSE.search(heard.text) is not None or ranks_alone(heard)
    theirs = theirs or counts_alone(heard) or lists or bool(forms[0].form.columns and _WHICH_ONE.match(heard.text))
    theirs = theirs or bool(forms[0].form.measures) and _PUT_TOGETHER.match(heard.text) is not None
    if theirs and any(not edit.unread for edit in edits):
        readings = [one for one in readings if one.proposal is not None]
    facts = facts_of_turn(heard, alone, either)
    own = not set(heard.acts) - {"lead", "every"} and not (theirs or facts["points"] or facts["those"])
    read = own and fresh.sure >= SURE_ANEW and not fresh.unread
    if read:
        readings = [one for one in readings if one.proposal is None or not _keeps_rows_alone(one.proposal.facts)]
    if read or any(one.proposal is not None and not one.proposal.unread for one in readings):
        readings = [one for one in readings if one.proposal is None or not one.proposal.unread]
    lost = alone.plan is None or alone.plan.confidence < ENOUGH
    return Weighed(heard, readings, facts, fresh, proposing.unfit, mark, lost, either, stands_for_shown(heard))


def _keeps_rows_alone(facts: Facts) -> bool:
    """Whether an edit puts another number in the place of the one before, and tells it apart by what nothing was told
    apart by: of the answer before it has nothing but which rows, and nobody says those again.
    """
    return bool(facts.get("plain measures~") and facts.get("plain groups+") and facts.get("plain order"))


def _of_those(heard: Heard, alone: Reading, asked: str, metadata: Metadata) -> str:
    """What is asked of those that were shown."""
    return asked or time_asked(heard, alone, metadata) or pointed(heard)


def _adds_columns(
    before: Earlier, mark: str, rest: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int,
    budget: Budget,
) -> bool:  # fmt: skip
    """Whether a turn wants more columns of a list: ``show their connector, too``."""
    if not before.form.columns or mark:
        return False
    _, said = partials_of(rest, metadata, now, year, fiscal, budget)
    return bool(said and said[0].clauses) and all(isinstance(clause, Shown) for clause in said[0].clauses)


def partials_of(
    text: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, budget: Budget
) -> tuple[Lattice, list[Partial]]:
    """All that some words may say, the likeliest first."""
    lattice = link(text, metadata, now, year, fiscal, budget)
    return lattice, partials(lattice, metadata, load_ranking().weights, budget)[:_PARTIALS]


def _asked(heard: Heard, rest: str) -> str:
    """The words to be read: a group that was announced is one (``drill into months``)."""
    if "split" in heard.acts and _GROUPED.match(rest) is None:
        return f"by {_AMONG.sub('', rest)}"
    plain = rest.strip(" ?!.").lower()
    if plain == "may":
        return "in may"
    if {"only", "keep"} & set(heard.acts) and (year := _FROM_YEAR.match(rest)) is not None:  # "the ones from 2023"
        return f"in {year[1]}"
    return re.sub(r"^\W*into\b", "by", rest, flags=re.IGNORECASE)


def _points_at_few(turn: Turn, before: Earlier) -> bool:
    """``how many is that per month`` of the top three; what it looks like points at nothing."""
    return before.form.limit is not None and not _LOOKS.search(turn.asked) and hear(turn.asked).points
