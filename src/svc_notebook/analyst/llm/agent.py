"""The analyst that lets a language model do the reasoning."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..base import (
    Analyst,
    AnswerDelta,
    AnswerDone,
    AnswerReset,
    Event,
    Thinking,
    ToolFinished,
    ToolStarted,
    Turn,
    Working,
)
from ..certified import CertifiedQuery
from ..errors import AnalystUnavailable
from ..offline.dialogue import question_back
from ..prompts import render
from .aids import Aids
from .disclosure import checked_sends, literals_said
from .ends import CapReached, Ending, cut, ending_of, held_back
from .examples import like
from .history import history_messages
from .limits import Caps, Meter, Prices, public_prices
from .memory import remembered
from .models import resolve_model
from .reading import EventReader
from .settings import checked_accepted, checked_hand_over, checked_settings
from .tools import TurnTools

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.models import Model

    from ...cancellation import CancellationToken
    from ...semantic.catalog import Catalog, Member
    from ..offline.agent import PlanDraft
    from ..offline.dialogue import Option
    from ..toolbox import Toolbox

__all__ = ["LanguageModelAnalyst"]

_log = logging.getLogger(__name__)

_LISTED_MEMBERS = 200


class LanguageModelAnalyst:
    """Answers with a language model, and with the offline analyst when the model cannot be reached.

    Parameters
    ----------
    model
        What :func:`~svc_notebook.analyst.llm.models.resolve_model` understands.
    instructions
        The operator's own words, added to the prompt.
    caps
        What one turn may spend.
    fallback
        Serves alone when the provider fails, and offers its reading as a draft; the offline analyst by default.
    api_key, base_url
        Passed to the provider.
    retries
        Times a request is sent again that the provider did not take (a rate limit, an overload), waiting as it asks.
    check
        Whether figures and names in its answers are looked up in the results.
    settings
        ``thinking``, ``temperature``, ``max_tokens``, ``cache`` and others, passed to the provider.
    prices
        US dollars for a million tokens (``input``, ``output``) where the model's own are not known.
    sends
        What of the data it is sent: ``"full"``, ``"rows"`` (so many of each result as ``caps`` says) or ``"names"``.
    aids
        Whether it has tools for earlier results, values and drafts besides the two for metadata and SQL.
    examples
        Certified queries; those most like a question are shown to it.
    hand_over
        From which confidence on (0 to 1) the offline reader answers alone and no model is asked; None: never.
    accepted
        Whose answers that were marked right are examples too: the asker's ``"own"``, those of ``"everyone"`` in the
        account, or ``"off"``.
    """

    def __init__(
        self,
        model: str | Model,
        *,
        instructions: str = "",
        caps: Caps | None = None,
        fallback: Analyst | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        retries: int = 2,
        check: bool = True,
        settings: Mapping[str, Any] | None = None,
        prices: Prices | None = None,
        sends: str = "rows",
        aids: bool = True,
        examples: Sequence[CertifiedQuery] = (),
        hand_over: float | None = None,
        accepted: str = "own",
    ) -> None:
        self._accepted = checked_accepted(accepted)
        self._aids, self._examples, self._hand_over = aids, tuple(examples), checked_hand_over(hand_over)
        self._check, self._retries, self._prices = check, retries, prices
        self._settings: Any = checked_settings(settings)
        self._sends = checked_sends(sends)
        self._connect = partial(resolve_model, model, api_key=api_key, base_url=base_url)
        self._model: Model[Any] | None = self._connect()
        self._instructions = instructions
        self._caps = caps or Caps()
        self._fallback = fallback or _offline()
        named = model if isinstance(model, str) else getattr(model, "model_name", "language model")
        self.name = named.rpartition("#")[2]  # without the address of the provider
        self._known = not named.startswith(("http://", "https://", "ollama:"))
        if self._caps.cost is not None and prices is None and not (self._known and public_prices(self.name)):
            raise AnalystUnavailable(
                f"caps.cost cannot be kept: no prices are known of {self.name!r}. "
                "Write prices: {input: …, output: …}, US dollars for a million tokens (0 for a model of your own)"
            )

    async def aclose(self) -> None:
        """Close the connections to the provider; a later turn opens new ones."""
        client = getattr(self._model, "client", None)
        if client is not None:
            self._model = None
            await client.close()

    async def suggestions(self, toolbox: Toolbox, limit: int = 4) -> list[str]:
        return await self._fallback.suggestions(toolbox, limit)

    async def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        from pydantic_ai.exceptions import AgentRunError, ModelAPIError

        draft = await self._draft(turn, toolbox)
        if self._is_sure(draft):
            yield Thinking("The offline reader is sure of this question; no model is asked.\n")
            async for event in self._fallback.answer(turn, toolbox, cancel):
                yield event
            return
        read = getattr(self._fallback, "draft", None)
        aids = Aids(toolbox, turn, read, names_only=self._names_only) if self._aids else None
        tools = TurnTools(toolbox, self._caps, turn.question, turn.history, self._sends, aids)
        certified = await like(turn.question, self._examples, toolbox)
        accepted = await like(turn.question, await self._right_before(toolbox), toolbox)
        prompt = self._prompt(turn, toolbox, draft, {"examples": certified, "accepted": accepted})
        reader = EventReader(tools)
        meter = Meter(self.name, self._caps, self._prices, self._sends, known=self._known)
        suggestions = tuple(await self._fallback.suggestions(toolbox, 3))
        try:
            stream = self._stream(turn, tools, reader, cancel, meter, prompt)
            async with contextlib.aclosing(stream) as events:
                async for event in events:
                    if isinstance(event, AnswerDone):
                        options = draft.options if draft is not None else ()
                        ran = [] if tools.choices else tools.queries
                        memory, choices = remembered(ran, tools.choices or options, toolbox.catalog)
                        event = replace(event, suggestions=suggestions, memory=memory, choices=choices)
                    yield event
            return
        except (AgentRunError, CapReached, UnicodeDecodeError, ValueError) as error:
            ending = self._ending(error)
            apology = _why(error) if isinstance(error, ModelAPIError) else "its reply could not be read"
            if ending is None and not isinstance(error, ModelAPIError):
                apology = apology if reader.anything else "its reply was empty"
                _log.warning("a reply could not be read: %r", error)
        yield meter.news()
        for event in reader.close(f"{ending.detail if ending is not None else apology}; the call did not run"):
            yield event
        if ending is not None:
            yield AnswerDelta(ending.text)
            yield AnswerDone(ending.text, suggestions, outcome=ending.outcome, detail=ending.detail)
            return
        async with contextlib.aclosing(self._serve_alone(turn, toolbox, cancel, apology)) as events:
            async for event in events:
                yield event

    def _ending(self, error: Exception) -> Ending | None:
        """How the turn ended, where that is an end of the model's; None where it could not be used."""
        from pydantic_ai import exceptions as known

        if isinstance(error, known.RunTimedOut | known.UsageLimitExceeded | CapReached):
            reached = self._reached(error)
            words = f"I stopped here: {reached}. What was found so far is above; a narrower question may fit."
            return Ending("capped", reached, words)
        if isinstance(error, known.ContentFilterError):
            return held_back(error)
        if isinstance(error, known.OutputTokenLimitExceeded | known.IncompleteToolCall):
            return cut()
        return None

    async def _stream(
        self,
        turn: Turn,
        tools: TurnTools,
        reader: EventReader,
        cancel: CancellationToken,
        meter: Meter,
        prompt: str,
    ) -> AsyncGenerator[Event, None]:
        from .patience import with_notes

        notes: asyncio.Queue[Any] = asyncio.Queue()
        agent: Agent[None, str] = self._agent(tools, reader, meter, notes)
        run = agent.run_stream_events(
            turn.question,
            message_history=history_messages(turn.history, self._caps.history_tokens, names_only=self._names_only),
            instructions=prompt,
            usage=meter.spent,
            usage_limits=self._caps.usage_limits(),
            timeout=self._caps.seconds,
        )
        async with contextlib.aclosing(with_notes(run, notes)) as events:
            event: Any
            async for event in events:
                cancel.raise_if_cancelled()
                if getattr(event, "event_kind", "") == "agent_run_result":
                    for ours in _whole(event.result, reader, tools.doubted, tools.beside if self._names_only else ""):
                        yield meter.news() if isinstance(ours, AnswerDone) else ours
                        if isinstance(ours, AnswerDone):
                            yield ours
                    return
                beside = isinstance(event, Thinking | ToolStarted | ToolFinished)
                for ours in (event,) if beside else reader.read(event):
                    yield ours
                    if isinstance(ours, AnswerDelta | Working | Thinking):
                        meter.wrote(ours.text)
                    elif isinstance(ours, ToolFinished):
                        meter.wrote(ours.input + ours.result)
                        yield meter.news()
                        meter.check()
                if tools.choices:
                    for ours in _asked_back(reader, tools.choices):
                        yield ours
                    return

    @property
    def _names_only(self) -> bool:
        return self._sends == "names"

    def _agent(
        self, tools: TurnTools, reader: EventReader, meter: Meter, notes: asyncio.Queue[Any]
    ) -> Agent[None, str]:
        from pydantic_ai import Agent, ModelRetry

        from .patience import PatientModel, put_and_wait

        async def tell(sentence: str) -> None:
            await put_and_wait(notes, Thinking(sentence))

        self._model = self._model or self._connect()
        patient = PatientModel(self._model, self._retries, meter, tell)
        agent: Agent[None, str] = Agent(
            patient, output_type=str, tools=tools.tools(), model_settings=self._settings,
            retries={"tools": 2, "output": 5},  # empty replies, figures found nowhere, calls that are only written
        )  # fmt: skip
        told = not self._check or self._names_only  # what is in a result is not told by doubting what is not

        @agent.output_validator
        async def founded(text: str) -> str:
            """A call that was written down is made; figures and names found nowhere are told to the model once."""
            nonlocal told
            if (written := await tools.called_in_text(text)) is not None:
                for event in written[:2]:
                    await put_and_wait(notes, event)
                reader.again = True
                raise ModelRetry(render("written_call", tool=written[0].name, result=written[2]))
            tools.doubted = tools.unfounded(text) if self._check else []
            if tools.doubted and not told and meter.spent.requests < self._caps.requests:
                told = reader.again = True
                raise ModelRetry(render("doubted", claims="; ".join(tools.doubted)))
            return text

        return agent

    async def _draft(self, turn: Turn, toolbox: Toolbox) -> PlanDraft | None:
        """What the offline analyst makes of the turn in its thread; a reading that was chosen is one."""
        draft = getattr(self._fallback, "draft", None)
        return await draft(turn, toolbox) if draft is not None else None

    def _is_sure(self, draft: PlanDraft | None) -> bool:
        """Whether the offline reader's own answer is as good as a model's."""
        if self._hand_over is None or draft is None or not draft.sql:
            return False
        return draft.confidence >= self._hand_over and len(draft.options) < 2

    async def _right_before(self, toolbox: Toolbox) -> Sequence[CertifiedQuery]:
        """Answers that were marked right; where nothing of the data is sent, what others asked is not either."""
        if self._accepted == "off" or (self._accepted == "everyone" and self._names_only):
            return ()
        return await toolbox.accepted(everyone=self._accepted == "everyone")

    def _prompt(
        self, turn: Turn, toolbox: Toolbox, reading: PlanDraft | None, examples: Mapping[str, Sequence[CertifiedQuery]]
    ) -> str:
        parts = [render("analyst"), render("relations", relations=_relations(toolbox.catalog))]
        if turn.now is not None:
            parts.append(f"The time now is {turn.now:%Y-%m-%d %H:%M} ({turn.timezone}).")
        if self._names_only:
            parts.append(render("names_only"))
            said = [turn.question, *(past.question for past in turn.history)]
            reading = reading if reading is not None and literals_said(reading.sql, said) else None
            examples = {
                kind: [each for each in found if literals_said(each.sql, said)] for kind, found in examples.items()
            }
        if reading is not None and reading.sql:
            confidence = f"{reading.confidence:.0%}"
            parts.append(render("draft", reading=reading.words, confidence=confidence, sql=reading.sql))
        if reading is not None and reading.options and not self._names_only:
            readings = "\n".join(f"{place}. {option.question}" for place, option in enumerate(reading.options, 1))
            parts.append(render("choices", readings=readings))
        for kind, found in examples.items():
            if found:
                shown = "\n\n".join(f"Question: {each.question}\n```sql\n{each.sql}\n```" for each in found)
                parts.append(render(kind, examples=shown))
        if self._instructions:
            parts.append("# Instructions of the operator\n" + self._instructions)
        return "\n\n".join(parts)

    async def _serve_alone(
        self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken, why: str
    ) -> AsyncGenerator[Event, None]:
        note = f"*The language model could not be used: {why}. The offline analyst answers instead.*\n\n"
        yield Working(note)
        said = False
        async for event in self._fallback.answer(turn, toolbox, cancel):
            if isinstance(event, AnswerDelta | AnswerDone) and not said:
                said = True
                yield AnswerDelta(note)
            if isinstance(event, AnswerDone):
                yield replace(event, text=note + event.text, outcome="provider_failed", detail=why)
            else:
                yield event

    def _reached(self, error: Exception) -> str:
        """Which limit it was."""
        from pydantic_ai.exceptions import RunTimedOut

        if isinstance(error, CapReached):
            return str(error)
        if isinstance(error, RunTimedOut):
            return f"the time limit of {self._caps.seconds:g} seconds was reached"
        if "tool_calls_limit" in str(error):
            return f"the limit of {self._caps.tool_calls} tool calls for one question was reached"
        return f"the limit of {self._caps.requests} model calls for one question was reached"


def _whole(result: Any, reader: EventReader, doubted: Sequence[str], beside: str) -> Iterator[Event]:
    """What is still to be told of a reply that has come to its end, and how it ended; ``beside``: our own words."""
    text, ending = str(result.output), ending_of(result.response)
    if beside:
        text += f"\n\n{beside}"
    if doubted:
        text += f"\n\n*Not found in the results: {'; '.join(doubted)}.*"
    if ending is not None:
        text += ending.text
    if not text.startswith(reader.begun):
        yield AnswerReset("")
        reader.begun = ""
    if reader.begun != text:
        yield AnswerDelta(text[len(reader.begun) :])
    yield AnswerDone(text) if ending is None else AnswerDone(text, outcome=ending.outcome, detail=ending.detail)


def _asked_back(reader: EventReader, options: Sequence[Option]) -> Iterator[Event]:
    """The end of a turn that asks which reading is meant."""
    yield from reader.close("the asker is asked first; the call did not run")
    text = question_back(options)
    yield AnswerDelta(text)
    yield AnswerDone(text, outcome="asked_back", detail=f"it can be read in {len(options)} ways")


def _offline() -> Analyst:
    from ..offline import OfflineAnalyst

    return OfflineAnalyst()


def _why(error: Exception) -> str:
    """A reason in our own words: a provider's text may quote a key."""
    from pydantic_ai import exceptions as known

    if any(word in str(getattr(error, "body", "")) for word in ("enable-auto-tool-choice", "--jinja")):
        return (
            "its server takes no tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser …; llama.cpp: --jinja)"
        )

    reasons: list[tuple[type[Exception], str]] = [
        (known.ModelAuthenticationError, "the provider refused the key"),
        (known.ModelNotFoundError, "the provider does not know this model"),
        (known.ModelQuotaExceededError, "the provider's quota is used up"),
        (known.ModelRateLimitError, "the provider's rate limit was reached"),
        (known.ModelContextWindowExceededError, "the conversation is too long for this model"),
        (known.ModelUnavailableError, "the provider is overloaded or unavailable"),
        (known.ModelConnectionError, "the provider could not be reached or the connection broke"),
    ]
    wished = getattr(error, "retry_after", None)
    asks = f" and it asks to wait {wished:,.0f} seconds" if wished and wished >= 1 else ""
    for kind, text in reasons:
        if isinstance(error, kind):
            return text + asks
    status = getattr(error, "status_code", None)
    return f"the provider answered with status {status}" if status else "the provider's answer ended with an error"


def _relations(catalog: Catalog) -> str:
    """The visible relations; with their members while these are few, by name alone in a large model."""
    listed = sum(len(relation.members) for relation in catalog.relations.values()) <= _LISTED_MEMBERS
    lines: list[str] = []
    for relation in catalog.relations.values():
        lines.append(f"- {relation.name} ({relation.kind}): {relation.description or relation.title}")
        if listed:
            lines.extend(f"  - {_member(member)}" for member in relation.members.values())
        else:
            lines.append(f"  - {len(relation.members)} members; use svcMeta")
    return "\n".join(lines) or "(none)"


def _member(member: Member) -> str:
    mark = {"measure": " (m)", "segment": " (s)"}.get(member.kind, " (t)" if member.type == "time" else "")
    text = member.description or member.title
    return f"{member.name}{mark}: {text}" if text and text != member.name else f"{member.name}{mark}"
