"""The offline analyst: from a turn to events, without a language model, the same bytes for the same question."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from ...cancellation import CancellationToken
from ...protocol.reading import Choice
from ...protocol.tools import META_TOOL, SQL_TOOL, MetaInput, SqlInput, SqlResult, ToolError, dump
from ...semantic.errors import SemanticError
from ..base import AnswerDelta, AnswerDone, Event, Thinking, ToolFinished, ToolStarted, Turn, Working
from ..charts import drawn, headed
from .analyses import Analysis, Found, answered
from .asking import asked, asked_or_none, given, holds_nothing, is_quick
from .budget import Budget, ReadingTooLong
from .calendar.fiscal import month_number
from .checks.leftover import sayable
from .checks.whose import borrowed
from .dialogue import (
    Option,
    Unmet,
    also_read,
    choices_of,
    dropped,
    hear,
    kept_options,
    numbered,
    passed_over,
    question_back,
    still_left_out,
)  # fmt: skip
from .forms import Form, in_words
from .in_language import also_in, form_abroad, found_abroad, helped, options_in, spoken, titled, told_of
from .languages import (
    Abroad,
    Phrases,
    as_typed,
    axes_in,
    heading_in,
    in_english,
    offers_in,
    periods_in,
    phrases_of,
    quoted,
    read_as,
    refused,
    rules_in,
    sentences_in,
    voice,
)
from .open_ends import open_ends
from .plans.phrases import condition_words, describe, title_of
from .plans.picture import chart_columns, draw
from .plans.plan import Condition, Plan, to_memory
from .plans.sql import write_sql
from .plans.statement import Statement
from .ranking.outcome import UNKNOWN
from .ranking.outcome import Outcome as Given
from .reader import relations_of
from .reading.followups import has_subject
from .reading.reading import Reading
from .remembering import left_over, remembered, shown_few, sure_of
from .schema.knowledge import load_metadata
from .schema.nouns import lowered
from .suggestions import next_questions, questions_near, starting_questions
from .telling import Formed, Telling, extent_of
from .ties import cut_of, level_with
from .understanding import Understood, understand
from .why import explain

if TYPE_CHECKING:
    from ..toolbox import Toolbox

__all__ = ["OfflineAnalyst", "PlanDraft"]


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """A reading without its result: in words, how sure it is, and its SQL; ``plan`` is None where no plan says it.

    ``options``: the readings there are, where more than one is near; alone (no ``sql``) where none is sure enough.
    """

    plan: Plan | None
    words: str
    confidence: float
    sql: str
    options: tuple[Option, ...] = ()


class OfflineAnalyst:
    """Answers data questions from the model's metadata and values alone.

    Parameters
    ----------
    least_confidence
        Readings below this (0 to 1) are not answered: the analyst says what it did not understand. Where it is not
        given, what was measured on questions like people's own decides.
    fiscal_year_start
        The month a fiscal year begins in (number or name) where the model's ``meta.fiscal_year_start`` does not say.
    """

    name = "offline"

    def __init__(self, *, least_confidence: float | None = None, fiscal_year_start: int | str = 1) -> None:
        fiscal = month_number(fiscal_year_start)
        if fiscal is None:
            raise ValueError(f"fiscal_year_start is {fiscal_year_start!r}: give a month as 1 to 12 or by name")
        self._least = least_confidence
        self._fiscal = fiscal

    async def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        """The events of one turn."""
        yield Thinking("Looking for the measures, groups and values this question names.")
        search = MetaInput(search_query=turn.question[:400])
        yield ToolStarted("meta", META_TOOL, dump(search))
        await asyncio.sleep(0)
        found = await toolbox.meta(search)
        yield ToolFinished("meta", META_TOOL, dump(search), dump(found))
        cancel.raise_if_cancelled()
        seen = await toolbox.prepare(self._understand, turn, toolbox, cancel)
        turn = seen.turn or turn
        cancel.raise_if_cancelled()
        if seen.analysis is not None:
            found_out, asked = await self._analysed(toolbox, seen.analysis)
            if found_out is not None or seen.analysis.recipe is None:
                async for event in self._tell_analysis(turn, toolbox, seen, seen.analysis, found_out, asked):
                    yield event
                return
            seen = await toolbox.prepare(self._understand, turn, toolbox, cancel, analyses=False)
        if seen.told is not None:
            kept = {"reset": True} if seen.told.reset else {"told": True}
            async for event in _stream(*await toolbox.think(helped, seen, seen.told), kept):
                yield event
            return
        if seen.options and seen.plan is None and seen.form is None and not seen.left:
            async for event in _ask_back(seen):
                yield event
            return
        if seen.form is not None and seen.plan is None:
            async for event in self._tell_form(turn, toolbox, seen, seen.form):
                yield event
            return
        if seen.plan is None or seen.statement is None:
            async for event in self._refuse(turn, toolbox, seen):
                yield event
            return
        if seen.group is not None and seen.before is not None:
            async for event in self._why(turn, toolbox, seen, seen.before, seen.group):
                yield event
            return
        words = _words(seen, seen.plan)
        lead = _lead(turn, seen)
        yield Working(f"{lead}{words}.")
        await asyncio.sleep(0)
        request = SqlInput(
            sql_query=seen.statement.sql, query_title=title_of(seen.plan, seen.metadata),
            description=words[:1].upper() + words[1:] + ".", user_request=turn.asked,
        )  # fmt: skip
        yield ToolStarted("sql", SQL_TOOL, dump(request))
        await asyncio.sleep(0)
        result = await toolbox.sql_api(request)
        told: Telling | None = None
        abroad: Abroad | None = None
        if isinstance(result, SqlResult):
            table = toolbox.table(result.uuid)
            told, spec, abroad = await toolbox.prepare(told_of, seen, seen.plan, seen.statement, result, table, toolbox)
            columns = abroad.columns if abroad else chart_columns(seen.plan, seen.statement, seen.metadata)
            request, result = drawn(*titled(request, headed(result, columns, spoken(seen, abroad)), seen, abroad), spec)
        yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
        async for event in self._tell(turn, toolbox, seen, seen.plan, seen.statement, result, told, abroad):
            yield event

    async def suggestions(self, toolbox: Toolbox, limit: int = 4) -> list[str]:
        """Questions this asker could start with."""
        metadata = await toolbox.prepare(load_metadata, toolbox)
        return await toolbox.prepare(starting_questions, metadata, limit)

    async def warm(self, toolbox: Toolbox) -> None:
        """Prepare the metadata of this asker ahead of the first question."""
        await toolbox.prepare(load_metadata, toolbox)

    async def draft(self, turn: Turn, toolbox: Toolbox) -> PlanDraft | None:
        """The reading of a question without running it, or None when it cannot be read."""
        seen = await toolbox.prepare(self._understand, turn, toolbox)
        if seen.plan is None and seen.form is not None:
            formed = Formed(seen.form, seen.metadata.catalog)
            return PlanDraft(None, formed.words, seen.sure, formed.sql)
        if seen.plan is None or seen.statement is None:
            return PlanDraft(None, "", 0.0, "", seen.options) if seen.options else None
        words, sure = describe(seen.plan, seen.metadata), 1.0 if seen.taken is not None else seen.plan.confidence
        return PlanDraft(seen.plan, words, sure, seen.statement.sql, seen.options)

    # ---- reading ----

    def _understand(
        self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken | None = None, *, analyses: bool = True
    ) -> Understood:
        metadata = load_metadata(toolbox)
        budget = Budget(cancel=cancel)
        turn, heard = in_english(turn, metadata)
        try:
            rows_of = cache(partial(given, toolbox)) if is_quick(metadata) else _not_run
            called = partial(periods_in, heard.language.code, metadata=metadata) if heard is not None else str
            understood = understand(
                turn, metadata, budget, rows_of, least=self._least, fiscal_start=self._fiscal, analyses=analyses,
                called=called,
            )  # fmt: skip
            return replace(understood, turn=turn, heard=heard)
        except ReadingTooLong as long:
            nothing = Reading(turn.question, (), (), None, None, ())
            return Understood(metadata, nothing, None, False, too_long=str(long), turn=turn, heard=heard)

    # ---- analyses ----

    async def _analysed(self, toolbox: Toolbox, analysis: Analysis) -> tuple[Found | None, int]:
        """What an analysis found; None where the rows it is about cannot be asked so."""
        if analysis.recipe is None:
            return None, 0
        try:
            return await answered(analysis.recipe, toolbox)
        except SemanticError:
            return None, 0

    async def _tell_analysis(
        self, turn: Turn, toolbox: Toolbox, seen: Understood, analysis: Analysis, found: Found | None, asked: int
    ) -> AsyncIterator[Event]:
        """Show what an analysis found, and say what was run."""
        metadata = seen.metadata
        code = spoken(seen, told=True)
        words = (heading_in(code, analysis.words, metadata) if code else "") or analysis.words
        if found is None:
            offers = await toolbox.prepare(next_questions, analysis.plan, metadata)
            refusal = [analysis.refusal]
            if code and (said := sentences_in(code, refusal, metadata)) is not None:
                refusal, offers = said, offers_in(seen.heard, offers, metadata)
            yield Working(voice(seen.heard).say("reading", words=words))
            async for event in _stream(refusal, offers, {"pending": turn.question}, "refused"):
                yield event
            return
        yield Working(voice(seen.heard).say("analysing", words=words, asked=asked))
        offers = list(found.offers)
        abroad = await toolbox.think(found_abroad, seen, analysis, found)
        if abroad is not None:
            found, offers = abroad, offers_in(seen.heard, offers, metadata)
        caveats: list[str] = []
        for place, shown in enumerate(reversed(found.shown)):  # what is asked for last: it is the answer's result
            request = SqlInput(
                sql_query=shown.sql, query_title=shown.title, description=f"{shown.title}.", user_request=turn.asked,
                language=spoken(seen, abroad) or UNSET,
            )  # fmt: skip
            call = "sql" if place == 0 else f"sql{place + 1}"
            yield ToolStarted(call, SQL_TOOL, dump(request))
            await asyncio.sleep(0)
            result = await toolbox.sql_api(request)
            if isinstance(result, SqlResult):
                result = headed(result, shown.columns, spoken(seen, abroad))
                request, result = drawn(request, result, shown.spec)
                noted = _caveats(result, len(result.data), (), voice(seen.heard if abroad else None))
                caveats += [text for text in noted if text not in caveats]
            yield ToolFinished(call, SQL_TOOL, dump(request), dump(result))
        memory = {
            "plan": to_memory(analysis.kept),
            "reading": write_sql(analysis.kept, metadata).sql,
            "version": metadata.catalog.version,
        }
        sentences = list(found.sentences)
        if analysis.where and abroad is None:
            sentences[0] = f"Where {analysis.where}: {_inside(sentences[0])}"
        told_as = words if abroad is not None else ""
        async for event in _stream([*sentences, *caveats, *read_as(seen.heard, told_as)], offers, memory):
            yield event

    async def _why(
        self, turn: Turn, toolbox: Toolbox, seen: Understood, before: Plan, group: Condition
    ) -> AsyncIterator[Event]:
        """Look for the dimension that explains most, show its breakdown, say what differs."""
        metadata = seen.metadata
        yield Working(f"Comparing {condition_words(group, metadata)} with the other groups, dimension by dimension.")
        await asyncio.sleep(0)

        found = await toolbox.prepare(explain, before, group, metadata, partial(asked, toolbox))
        if found is None:
            text = "No dimension with few enough values is left to explain the difference by."
            yield AnswerDelta(text)
            yield AnswerDone(
                text,
                tuple(starting_questions(metadata, 3)),
                {"plan": to_memory(before), "reading": write_sql(before, metadata).sql},
            )
            return
        statement = write_sql(found.plan, metadata)
        title = title_of(found.plan, metadata)
        spec = draw(found.plan, chart_columns(found.plan, statement, metadata), title, f"{title}.")
        request = SqlInput(sql_query=statement.sql, query_title=title, description=describe(found.plan, metadata) + ".",
                           user_request=turn.asked, vega_spec=dump(spec) if spec is not None else UNSET)  # fmt: skip
        yield ToolStarted("sql", SQL_TOOL, dump(request))
        await asyncio.sleep(0)
        result = await toolbox.sql_api(request)
        if isinstance(result, SqlResult):
            result = headed(result, chart_columns(found.plan, statement, metadata))
        yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
        offers = next_questions(found.plan, metadata)
        async for event in _stream(
            list(found.sentences), offers, {"plan": to_memory(found.plan), "reading": statement.sql}
        ):
            yield event

    # ---- telling ----

    async def _tell(
        self,
        turn: Turn,
        toolbox: Toolbox,
        seen: Understood,
        plan: Plan,
        statement: Statement,
        result: SqlResult | ToolError,
        told: Telling | None,
        abroad: Abroad | None,
    ) -> AsyncIterator[Event]:
        if isinstance(result, ToolError) or told is None:
            text = (
                f"The query could not be run: {result.error if isinstance(result, ToolError) else 'no rows came back'}"
            )
            yield AnswerDelta(text)
            await asyncio.sleep(0)
            yield AnswerDone(text, tuple(starting_questions(seen.metadata, 3)), {"failed": turn.question})
            return
        table = toolbox.table(result.uuid)
        sentences = _denied(result) if holds_nothing(table) else []
        sentences = sentences or list((abroad.telling if abroad else told).sentences)
        words = voice(seen.heard if abroad else None)
        sentences.extend(_caveats(result, table.num_rows, as_typed(seen.heard, plan.unread), words))
        sentences.extend(also_in(seen, abroad, [*plan.notes, *open_ends(plan, seen.metadata)]))
        sentences.extend(await _level(plan, toolbox, seen, words))
        sentences.extend(read_as(seen.heard, abroad.title if abroad else ""))
        sentences.extend(_passed_over(turn, seen, words))
        options = options_in(seen.options, words, seen, told=abroad.title) if abroad else seen.options
        if options:
            sentences.append(also_read(options, words))
        near = [f"{words[:1].upper()}{words[1:]}" for words in plan.near if not seen.options]
        offers = await toolbox.prepare(next_questions, plan, seen.metadata, near)
        offers = offers_in(seen.heard, offers, seen.metadata) if abroad else offers
        memory = {
            "plan": to_memory(plan),
            "version": seen.metadata.catalog.version,
            **remembered(seen, statement, table),
            **left_over(turn, seen, plan.unread),
        }
        if seen.fragments:
            memory["fragments"] = seen.fragments
        choices = choices_of(options, seen.metadata.catalog)
        async for event in _stream(sentences, offers, memory, choices=choices):
            yield event

    async def _tell_form(self, turn: Turn, toolbox: Toolbox, seen: Understood, form: Form) -> AsyncIterator[Event]:
        """An answer straight from a form that no plan can say."""
        formed = Formed(form, seen.metadata.catalog)
        if formed.time is not None:
            formed = replace(formed, extent=extent_of(formed.time.path, seen.metadata))
        yield Working(f"{_lead(turn, seen)}{formed.words[:1].lower()}{formed.words[1:]}.")
        await asyncio.sleep(0)
        chart = seen.followed.chart if seen.followed is not None else None
        request = SqlInput(
            sql_query=formed.sql, query_title=formed.title, description=f"{formed.words}.", user_request=turn.asked
        )
        yield ToolStarted("sql", SQL_TOOL, dump(request))
        await asyncio.sleep(0)
        result = await toolbox.sql_api(request)
        abroad: Abroad | None = None
        if isinstance(result, SqlResult):
            table = toolbox.table(result.uuid)
            outcome = formed.outcome(table) if seen.heard is not None else None
            abroad = form_abroad(seen, form, outcome, result) if outcome is not None else None
            formed = formed.said_as(table, abroad.telling, abroad.columns, abroad.subtitle) if abroad else formed
            spec = await toolbox.think(formed.picture, table, chart or None)
            spec = axes_in(spec, voice(seen.heard)) if abroad else spec
            columns = abroad.columns if abroad else formed.columns
            request, result = drawn(*titled(request, headed(result, columns, spoken(seen, abroad)), seen, abroad), spec)
        yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
        if isinstance(result, ToolError):
            sentences = [f"The query could not be run: {result.error}"]
            memory: dict[str, Any] = {"failed": turn.question}
        else:
            table = toolbox.table(result.uuid)
            sentences = list((await toolbox.think(formed.told, table)).sentences)
            words = voice(seen.heard if abroad else None)
            sentences.extend(_caveats(result, table.num_rows, as_typed(seen.heard, seen.unread), words))
            sentences.extend(also_in(seen, abroad, open_ends(form, seen.metadata)))
            sentences.extend(await _level(form, toolbox, seen, words))
            sentences.extend(_passed_over(turn, seen, words))
            sentences.extend(read_as(seen.heard, abroad.title if abroad else ""))
            memory = {
                "reading": formed.sql,
                "version": seen.metadata.catalog.version,
                **sure_of(seen.followed, seen.sure),
            }
            memory |= left_over(turn, seen, seen.unread)
            memory |= shown_few(formed.form, table)
            if seen.followed is not None and seen.followed.undo:
                memory["undo"] = True
            if seen.taken is not None and not seen.again:
                memory["took"] = True
            if seen.options:
                options = options_in(seen.options, words, seen, told=abroad.title) if abroad else seen.options
                sentences.append(also_read(options, words))
                memory["choices"] = kept_options(seen.options)
        offers = await toolbox.prepare(questions_near, seen.metadata, relations_of(formed.form), 3)
        offers = offers_in(seen.heard, offers, seen.metadata) if abroad else offers
        choices = choices_of(seen.options, seen.metadata.catalog)
        async for event in _stream(sentences, offers, memory, choices=choices):
            yield event

    async def _refuse(self, turn: Turn, toolbox: Toolbox, seen: Understood) -> AsyncIterator[Event]:
        metadata, reading = seen.metadata, seen.reading
        if seen.too_long:
            offers = await toolbox.prepare(starting_questions, metadata, 3)
            yield Working("The question is too long.")
            async for event in _stream([seen.too_long], offers, {"failed": turn.question[:400]}):
                yield event
            return
        scope = reading.plan.scope if reading.plan else ()
        offers = await toolbox.prepare(questions_near, metadata, scope, 3)
        unmet = seen.unmet or Unmet()
        unread = sayable(list(dict.fromkeys(unmet.unread or (*reading.unread, *reading.missed))))[:6]
        if not metadata.catalog.relations:
            sentences = [refused(seen.heard, "empty")]
        elif unmet.reason and not (reading.missed and not _is_of_thread(turn.question)):
            sentences = [voice(seen.heard).say("unmet", reason=unmet.reason)]
        elif unread:
            sentences = [refused(seen.heard, "unread", unread)]
        elif whose := _not_theirs(seen):
            sentences = [whose]
        elif seen.lost:
            sentences = [refused(seen.heard, "lost", seen.lost[:6])]
        else:
            sentences = [refused(seen.heard, "nothing")]
        kept: dict[str, Any] = {"pending": turn.question, **({"unread": unread} if unread else {})}
        choices: tuple[Choice, ...] = ()
        if seen.options:
            options = options_in(seen.options, voice(seen.heard), seen) if seen.heard is not None else seen.options
            choices, offers = choices_of(options, metadata.catalog), []
            kept["choices"] = kept_options(seen.options)
            english = seen.heard is not None and options == tuple(seen.options)
            lead = refused(seen.heard, "without_english" if english else "without_words", sayable(list(seen.left)))
            sentences.append(f"{lead}\n\n{numbered(options)}")
        elif offers:
            known, offers = offers, offers_in(seen.heard, offers, metadata)
            english = seen.heard is not None and any(offer in known for offer in offers)
            lead = refused(seen.heard, "offers_english" if english else "offers")
            sentences.append(f"{lead}\n\n" + "\n".join(f"- {offer}" for offer in offers))
        yield Working(voice(seen.heard).say("unreadable"))
        heard = hear(turn.question)
        if not (heard.leans or heard.points or heard.wants) and _is_whole(turn.question, reading):
            kept["topic"] = True
        async for event in _stream(sentences, offers, kept, "refused", choices):
            yield event


async def _stream(
    sentences: list[str],
    suggestions: list[str],
    memory: Mapping[str, Any],
    outcome: str = "",
    choices: tuple[Choice, ...] = (),
) -> AsyncIterator[Event]:
    """The answer sentence by sentence, each in a few pieces, then whole."""
    text = _paragraphs(sentences)
    async for event in _pieces(text):
        yield event
    yield AnswerDone(text, tuple(suggestions), memory, choices, outcome)


def _paragraphs(sentences: Sequence[str]) -> str:
    """Sentences in a row; what follows a list begins anew."""
    text = ""
    for sentence in sentences:
        listed = text.rpartition("\n")[2].startswith("- ")
        text += f"{chr(10) * 2 if listed else ' ' if text else ''}{sentence}"
    return text


def _inside(sentence: str) -> str:
    """A sentence behind a colon."""
    word, space, rest = sentence.partition(" ")
    return f"{lowered(word)}{space}{rest}"


def _caveats(result: SqlResult, rows: int, unread: Sequence[str], words: Phrases | None = None) -> list[str]:
    phrases = words or phrases_of("en")
    notes = list(result.notes) if result.notes is not UNSET and result.notes else []
    unset = any("not set" in note for note in notes)
    said = [
        phrases.say("policy", rows=row.filter)
        for row in (result.row_filters if result.row_filters is not UNSET and result.row_filters else [])
        if rows and not unset
    ]
    said += [note if note.endswith(".") else note + "." for note in notes if rows]
    if rows > len(result.data):
        shown = {"shown": f"{len(result.data):,}", "rows": f"{rows:,}"}
        said.append(phrases.say("first_rows", **{k: phrases.locale.digits(v) for k, v in shown.items()}))
    if unread:
        said.append(phrases.say("left_out", words=", ".join(f"“{word}”" for word in unread[:5])))
    return said


async def _level(shown: Plan | Form, toolbox: Toolbox, seen: Understood, words: Phrases) -> list[str]:
    """What a list was cut off beside: of two that are as long, one is not the longest."""
    cut = cut_of(shown, seen.metadata) if is_quick(seen.metadata) else None
    names = await toolbox.prepare(level_with, cut, partial(asked_or_none, toolbox)) if cut is not None else []
    if cut is None or not names:
        return []
    more = [words.say("besides", count=len(names) - _LEVEL)] if len(names) > _LEVEL else []
    return [words.say("tied" if cut.limit == 1 else "tied_last", names=words.joined([*names[:_LEVEL], *more]))]


_LEVEL = 4  # names that are told


def _denied(result: SqlResult) -> list[str]:
    """Why there are no rows, where an attribute of the asker's is missing."""
    notes = list(result.notes) if result.notes is not UNSET and result.notes else []
    missing = next((note for note in notes if "not set" in note or "attribute" in note), "")
    return [f"No rows: {missing.removesuffix('.')}."] if missing else []


def _passed_over(turn: Turn, seen: Understood, words: Phrases) -> list[str]:
    """That what was asked in between is no part of an answer which builds upon an earlier one."""
    if seen.followed is None:
        return []
    gone = () if seen.followed.undecided else passed_over(turn)
    still = still_left_out(turn, seen.followed.of)
    told = [words.say("builds", questions=quoted(gone, words))] if gone else []
    if away := dropped(seen.followed, turn.question, seen.metadata):
        told.append(words.say("dropped", rules=rules_in(words, away, seen.metadata)))
    return [*told, *([words.say("still", questions=quoted(still, words))] if still else [])]


def _lead(turn: Turn, seen: Understood) -> str:
    """How the reading is announced."""
    if seen.taken is not None:
        return f"Read as {seen.again}: " if seen.again else "Taken: "
    return f"Refining {_which_question(turn)}: " if seen.refined else "I read this as: "


def _not_run(_sql: str) -> Given:
    return UNKNOWN


async def _ask_back(seen: Understood) -> AsyncIterator[Event]:
    """Offer readings to choose from."""
    catalog = seen.metadata.catalog
    words = voice(seen.heard)
    yield Working(words.say("many_readings"))
    options = options_in(seen.options, words, seen) if seen.heard is not None else seen.options
    text = question_back(options, words if options != seen.options or seen.heard is None else phrases_of("en"))
    text = f"{whose} {text}" if (whose := _not_theirs(seen)) else text
    async for event in _pieces(text):
        yield event
    memory = {"choices": kept_options(seen.options)}
    choices = choices_of(options, catalog)
    yield AnswerDone(text, (), memory, choices, "asked_back")


def _not_theirs(seen: Understood) -> str:
    """What there is of another thing only, where that was asked for."""
    reading = seen.reading
    path = borrowed(reading.plan, reading.draft) if reading.plan is not None and reading.draft is not None else None
    if path is None:
        return ""
    member, owner = seen.metadata.member(path).title, seen.metadata.relation(path.split(".", 1)[0]).title
    return voice(seen.heard).say("other", member=lowered(member), owner=lowered(owner))


async def _pieces(text: str) -> AsyncIterator[Event]:
    for piece in re.findall(r"\S+(?:\s+\S+){0,3}\s*", text):
        yield AnswerDelta(piece)
        await asyncio.sleep(0)


def _words(seen: Understood, plan: Plan) -> str:
    if seen.followed is not None and (plan.calculations or plan.hidden):
        return in_words(seen.followed.form, seen.metadata.catalog)
    return describe(plan, seen.metadata)


_WHOLE = 5  # words that say more than a piece of a question


def _is_of_thread(question: str) -> bool:
    """Whether a turn can only be about what was asked before: its words say nothing alone."""
    heard = hear(question)
    return bool(heard.wants or {"back", "compare"} & set(heard.acts))


def _is_whole(question: str, reading: Reading) -> bool:
    """Whether a question has a subject of its own, as far as can be told where it was not read."""
    known = any(item.kind in ("name", "value") for item in reading.items)
    return has_subject(question, reading) or known and len(question.split()) >= _WHOLE


def _which_question(turn: Turn) -> str:
    """What is refined: the question before, or an earlier one where that was not answered."""
    refused = turn.history and turn.history[-1].memory and "plan" not in turn.history[-1].memory
    return "the last question that was answered" if refused else "the last question"
