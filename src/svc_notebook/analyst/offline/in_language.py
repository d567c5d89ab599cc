"""What an answer says and shows, in the language of its question where that has words for all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import replace as struct_replace

from ...protocol.tools import SqlInput, SqlResult
from .analyses import Analysis, Found
from .asking import asked_or_none
from .assembly.row_keys import undrawn
from .dialogue import Help, Option
from .forms import Form
from .languages import (
    Abroad,
    Phrases,
    axes_in,
    found_in,
    heading_in,
    offers_in,
    rules_of,
    said_in,
    sentences_in,
    title_in,
    told_in,
    voice,
)
from .plans.picture import draw
from .plans.plan import Plan
from .plans.sql import write_sql
from .plans.statement import Statement
from .telling import Outcome, Telling, drawn_columns, outcome_of, subtitle_of, tell
from .understanding import form_of
from .understood import Understood

if TYPE_CHECKING:
    import pyarrow as pa

    from ..toolbox import Toolbox

__all__ = ["also_in", "form_abroad", "found_abroad", "helped", "options_in", "spoken", "titled", "told_of"]


def helped(seen: Understood, told: Help) -> tuple[list[str], list[str]]:
    """What is told without a query, and questions to go on with, in the language of the question."""
    sentences, offers = list(told.sentences), list(told.offers)
    if seen.heard is None:
        return sentences, offers
    listed = {f"- {offer}" for offer in offers}
    lines = ["\n".join(line for line in text.split("\n") if line not in listed).strip() for text in sentences]
    said = sentences_in(seen.heard.language.code, [line for line in lines if line], seen.metadata)
    if said is None:
        return sentences, offers
    offers = offers_in(seen.heard, offers, seen.metadata)
    asked = ["\n".join(f"- {offer}" for offer in offers)] if any("- " in text for text in sentences) else []
    return ["\n\n".join([said[0], *asked, *said[1:]])], offers


def told_of(
    seen: Understood, plan: Plan, statement: Statement, result: SqlResult, table: pa.Table, toolbox: Toolbox
) -> tuple[Telling, dict[str, Any] | None, Abroad | None]:
    """What a plan's result says, its picture, and both in the language of the question where that has the phrases."""
    outcome = outcome_of(plan, statement, table, seen.metadata, partial(asked_or_none, toolbox))
    form = form_of(statement.sql, seen.metadata) if seen.heard is not None else None
    abroad = form_abroad(seen, form, outcome, result) if form is not None else None
    told = tell(outcome) if abroad is None else abroad.telling
    title = told.headline or outcome.what
    if abroad is None and (code := spoken(seen, told=not _noted(result))):
        below = subtitle_of(outcome, title)
        abroad = said_in(code, told, outcome.what, outcome.columns, below, seen.metadata)
    if abroad is not None and plan.notes and also_in(seen, abroad, plan.notes) == list(plan.notes):
        abroad, told = None, tell(outcome)
    if abroad is not None:
        columns = drawn_columns(replace(outcome, columns=abroad.columns))
        title = abroad.telling.headline
        spec = axes_in(
            draw(undrawn(plan, seen.metadata), columns, title, f"{abroad.title}.", abroad.subtitle), voice(seen.heard)
        )
        return abroad.telling, spec, abroad
    shown = undrawn(plan, seen.metadata)
    return told, draw(shown, drawn_columns(outcome), title, f"{outcome.what}.", subtitle_of(outcome, title)), None


def _noted(result: SqlResult) -> bool:
    return result.notes is not UNSET and bool(result.notes)


def also_in(seen: Understood, abroad: Abroad | None, sentences: Sequence[str]) -> list[str]:
    """Sentences beside an answer, in its language where that has words for all of them."""
    said = sentences_in(seen.heard.language.code, list(sentences), seen.metadata) if abroad and seen.heard else None
    return list(sentences) if said is None else said


def found_abroad(seen: Understood, analysis: Analysis, found: Found) -> Found | None:
    """What an analysis found, in the language of the question; None where that is English or has no words for it."""
    if seen.heard is None:
        return None
    form = form_of(write_sql(analysis.plan, seen.metadata).sql, seen.metadata) if analysis.where else None
    rules = rules_of(seen.heard.language.code, form, seen.metadata) if form is not None else ""
    if analysis.where and not rules:
        return None
    return found_in(seen.heard.language.code, found, seen.metadata, rules)


def form_abroad(seen: Understood, form: Form, outcome: Outcome, result: SqlResult) -> Abroad | None:
    """An answer in the language of its question; None where that is English, or has no phrase for a part of it."""
    if seen.heard is None or _noted(result):
        return None
    return told_in(seen.heard.language.code, form, outcome, seen.metadata)


def titled(request: SqlInput, result: SqlResult, seen: Understood, abroad: Abroad | None) -> tuple[SqlInput, SqlResult]:
    """A call and its result by the title in the language of the question."""
    if abroad is None or seen.heard is None:
        return request, result
    said = {"query_title": abroad.title, "description": f"{abroad.title}."}
    return struct_replace(request, **said, language=seen.heard.language.code), struct_replace(result, **said)


def spoken(seen: Understood, told: object) -> str | None:
    """The language an answer is told in, where that is not English."""
    return seen.heard.language.code if seen.heard is not None and told else None


def options_in(options: Sequence[Option], words: Phrases, seen: Understood, *, told: str = "") -> tuple[Option, ...]:
    """Readings in the language that an answer is told in; in English where one of them has no phrase.

    ``told``: what the first of them shows, where that is answered and the others are told beside it.
    """
    if seen.heard is None:
        return tuple(options)
    code, metadata = seen.heard.language.code, seen.metadata
    titles = [title_in(words, o.form, metadata) or heading_in(code, o.question, metadata) for o in options]
    titles[:1] = [titles[0] or told] if titles else []
    if not all(titles):
        return tuple(options)
    return tuple(replace(o, question=title) for o, title in zip(options, titles, strict=True))
