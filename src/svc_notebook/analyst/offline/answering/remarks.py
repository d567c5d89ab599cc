"""What is said beside an answer: what a policy or a cut leaves out, words left over, turns passed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from ....protocol.tools import SqlResult
from ...base import Turn
from ..asking import asked_or_none, is_quick
from ..checks.whose import borrowed
from ..dialogue import dropped, passed_over, still_left_out
from ..forms import Form
from ..languages import Phrases, phrases_of, quoted, rules_in, voice
from ..plans.plan import Plan
from ..schema.metadata import Metadata
from ..schema.nouns import lowered
from ..ties import cut_of, level_with
from ..understood import Understood
from ..walk.own_nouns import own_nouns
from ..words.text import tokenize

if TYPE_CHECKING:
    from ...toolbox import Toolbox

__all__ = ["announced", "caveats_of", "denied", "level", "not_theirs", "of_no_pie", "of_own_nouns", "said_of_before"]

_LEVEL = 4  # names that are told


def caveats_of(result: SqlResult, rows: int, unread: Sequence[str], words: Phrases | None = None) -> list[str]:
    """What of the rows was left out or is not all: by a policy, by a cut, by words that were not read."""
    phrases = words or phrases_of("en")
    notes = list(result.notes) if result.notes is not UNSET and result.notes else []
    unset = any("not set" in note for note in notes)
    said = [
        phrases.say("policy", rows=row.filter)
        for row in (result.row_filters if result.row_filters is not UNSET and result.row_filters else [])
        # Where an attribute is missing its note says all there is to say.
        if rows and not unset
    ]
    said += [note if note.endswith(".") else note + "." for note in notes if rows]
    if rows > len(result.data):
        shown = {"shown": f"{len(result.data):,}", "rows": f"{rows:,}"}
        said.append(phrases.say("first_rows", **{k: phrases.locale.digits(v) for k, v in shown.items()}))
    if unread:
        said.append(phrases.say("left_out", words=", ".join(f"“{word}”" for word in unread[:5])))
    return said


async def level(shown: Plan | Form, toolbox: Toolbox, seen: Understood, words: Phrases) -> list[str]:
    """What a list was cut off beside: of two that are as long, one is not the longest."""
    cut = cut_of(shown, seen.metadata) if is_quick(seen.metadata) else None
    names = await toolbox.prepare(level_with, cut, partial(asked_or_none, toolbox)) if cut is not None else []
    if cut is None or not names:
        return []
    more = [words.say("besides", count=len(names) - _LEVEL)] if len(names) > _LEVEL else []
    return [words.say("tied" if cut.limit == 1 else "tied_last", names=words.joined([*names[:_LEVEL], *more]))]


def denied(result: SqlResult) -> list[str]:
    """Why there are no rows, where an attribute of the asker's is missing."""
    notes = list(result.notes) if result.notes is not UNSET and result.notes else []
    missing = next((note for note in notes if "not set" in note or "attribute" in note), "")
    return [f"No rows: {missing.removesuffix('.').removesuffix(': no rows')}."] if missing else []


def of_no_pie(wished: str | None, spec: Mapping[str, Any] | None, words: Phrases) -> list[str]:
    """That a pie was wished for and bars are drawn."""
    if spec is None or "arc" not in (wished or "").split():
        return []
    mark = spec.get("mark")
    return [words.say("no_pie")] if (mark.get("type") if isinstance(mark, Mapping) else mark) == "bar" else []


def of_own_nouns(question: str, metadata: Metadata, words: Phrases) -> list[str]:
    """Which word of the question was taken for the rows, though nothing is called so."""
    known = own_nouns(tokenize(question), metadata)
    rows = {noun.said: lowered(metadata.relation(noun.relation).title) for noun in known}
    return [words.say("own_noun", word=said, rows=title) for said, title in list(rows.items())[:1]]


def said_of_before(turn: Turn, seen: Understood, words: Phrases) -> list[str]:
    """That what was asked in between is no part of an answer which builds upon an earlier one."""
    if seen.followed is None:
        return []
    gone = passed_over(turn, undecided=seen.followed.undecided)
    still = still_left_out(turn, seen.followed.of)
    told = [words.say("builds", questions=quoted(gone, words))] if gone else []
    if away := dropped(seen.followed, turn.question, seen.metadata):
        told.append(words.say("dropped", rules=rules_in(words, away, seen.metadata)))
    return [*told, *([words.say("still", questions=quoted(still, words))] if still else [])]


def announced(turn: Turn, seen: Understood) -> str:
    """How the reading is announced."""
    if seen.taken is not None:
        return f"Read as {seen.again}: " if seen.again else "Taken: "
    return f"Refining {_which_question(turn)}: " if seen.refined else "I read this as: "


def _which_question(turn: Turn) -> str:
    """What is refined: the question before, or an earlier one where that was not answered."""
    refused = turn.history and turn.history[-1].memory and "plan" not in turn.history[-1].memory
    return "the last question that was answered" if refused else "the last question"


def not_theirs(seen: Understood) -> str:
    """What there is of another thing only, where that was asked for."""
    reading = seen.reading
    path = borrowed(reading.plan, reading.draft) if reading.plan is not None and reading.draft is not None else None
    if path is None:
        return ""
    member, owner = seen.metadata.member(path).title, seen.metadata.relation(path.split(".", 1)[0]).title
    return voice(seen.heard).say("other", member=lowered(member), owner=lowered(owner))
