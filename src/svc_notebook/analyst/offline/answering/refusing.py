"""What is said where nothing is answered: why, what near it can be, which readings there are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from ....protocol.reading import Choice
from ...base import AnswerDone, Event, Turn, Working
from ..checks.leftover import sayable
from ..dialogue import Unmet, choices_of, hear, kept_options, numbered, question_back
from ..in_language import options_in
from ..languages import Phrases, as_typed, offers_in, phrases_of, refused, voice
from ..reading.followups import has_subject
from ..reading.reading import Reading
from ..suggestions import questions_near, starting_questions
from ..understood import Understood
from .piecewise import pieces, stream
from .remarks import not_theirs

if TYPE_CHECKING:
    from ...toolbox import Toolbox

__all__ = ["ask_back", "refuse"]

_WHOLE = 5  # words that say more than a piece of a question


async def refuse(turn: Turn, toolbox: Toolbox, seen: Understood) -> AsyncIterator[Event]:
    """Why a question is not answered, with readings that leave something out, or questions near it."""
    metadata, reading = seen.metadata, seen.reading
    if seen.too_long:
        offers = await toolbox.prepare(starting_questions, metadata, 3)
        yield Working("The question is too long.")
        # A long text is kept in short: it is only told as what was left out.
        async for event in stream([seen.too_long], offers, {"failed": turn.question[:400]}):
            yield event
        return
    scope = reading.plan.scope if reading.plan else ()
    offers = await toolbox.prepare(questions_near, metadata, scope, 3)
    unmet = seen.unmet or Unmet()
    # Six words: more are no help in asking again.
    unread = sayable(list(dict.fromkeys(unmet.unread or (*reading.unread, *reading.missed))))[:6]
    sentences = [_why_not(seen, unread, turn.question)]
    kept: dict[str, Any] = {"pending": turn.question, **({"unread": unread} if unread else {})}
    choices: tuple[Choice, ...] = ()
    if seen.options:
        options = options_in(seen.options, voice(seen.heard), seen) if seen.heard is not None else seen.options
        choices, offers = choices_of(options, metadata.catalog), []
        kept |= {"choices": kept_options(seen.options), "left": list(seen.left)}
        # Told in English only where the readings are, since they have no phrase in the language asked in.
        english = seen.heard is not None and options == tuple(seen.options)
        lead = refused(seen.heard, "without_english" if english else "without_words", _left_out(seen))
        sentences.append(f"{lead}\n\n{numbered(options)}")
    elif offers:
        known, offers = offers, offers_in(seen.heard, offers, metadata)
        english = seen.heard is not None and any(offer in known for offer in offers)
        lead = refused(seen.heard, "offers_english" if english else "offers")
        sentences.append(f"{lead}\n\n" + "\n".join(f"- {offer}" for offer in offers))
    yield Working(voice(seen.heard).say("unreadable"))
    heard = hear(turn.question)
    # What leans on an answer before begins no thread of its own.
    if not (heard.leans or heard.points or heard.wants) and _is_whole(turn.question, reading):
        kept["topic"] = True
    async for event in stream(sentences, offers, kept, "refused", choices):
        yield event


def _left_out(seen: Understood) -> list[str]:
    """What the readings that are offered leave out: little words too, where there is nothing else."""
    return sayable(list(seen.left)) or list(seen.left)


def _why_not(seen: Understood, unread: Sequence[str], question: str) -> str:
    """Why there is no answer, in the sentence that says most."""
    reading, unmet = seen.reading, seen.unmet or Unmet()
    if not seen.metadata.catalog.relations:
        return refused(seen.heard, "empty")
    if unmet.reason and not (reading.missed and not _is_of_thread(question)):
        return voice(seen.heard).say("unmet", reason=unmet.reason)
    if unread:
        return refused(seen.heard, "unread", unread)
    if whose := not_theirs(seen):
        return whose
    return refused(seen.heard, "lost", seen.lost[:6]) if seen.lost else refused(seen.heard, "nothing")


async def ask_back(seen: Understood) -> AsyncIterator[Event]:
    """Offer readings to choose from."""
    catalog = seen.metadata.catalog
    words = voice(seen.heard)
    yield Working(words.say("many_readings"))
    options = options_in(seen.options, words, seen) if seen.heard is not None else seen.options
    told_in = words if options != seen.options or seen.heard is None else phrases_of("en")
    text = question_back(options, told_in, _lead_of(seen, told_in))
    text = f"{whose} {text}" if (whose := not_theirs(seen)) else text
    async for event in pieces(text):
        yield event
    memory: dict[str, Any] = {"choices": kept_options(seen.options)}
    if seen.between is not None:
        known = {"chart": seen.between.chart, "left": list(seen.between.left), "answered": seen.between.answered}
        memory |= {name: value for name, value in known.items() if value}
    choices = choices_of(options, catalog)
    yield AnswerDone(text, (), memory, choices, "asked_back")


def _lead_of(seen: Understood, words: Phrases) -> str:
    """What is said before readings of a turn behind one that was not answered."""
    between = seen.between
    if between is not None and between.left:
        return words.say("still_without", words=", ".join(f"“{word}”" for word in as_typed(seen.heard, between.left)))
    if between is not None and between.answered:
        return words.say("of_answered", question=between.answered[:80])
    return ""


def _is_of_thread(question: str) -> bool:
    """Whether a turn can only be about what was asked before: its words say nothing alone."""
    heard = hear(question)
    return bool(heard.wants or {"back", "compare"} & set(heard.acts))


def _is_whole(question: str, reading: Reading) -> bool:
    """Whether a question has a subject of its own, as far as can be told where it was not read."""
    known = any(item.kind in ("name", "value") for item in reading.items)
    return has_subject(question, reading) or known and len(question.split()) >= _WHOLE
