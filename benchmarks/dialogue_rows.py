"""Turns of the dialogue sets with all their readings, and which of those are right, for training the dialogue's choice.

Each turn is looked at twice: behind the gold queries of the turns before it, and behind what the analyst itself made
of them. A reading is right where its rows are those of the gold query (exactly its columns; at most two more where no
reading has exactly those).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from svc_notebook.analyst.base import AnswerDone, PastTurn, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.asking import given
from svc_notebook.analyst.offline.budget import Budget
from svc_notebook.analyst.offline.dialogue import earlier, hear
from svc_notebook.analyst.offline.dialogue.pictures import wished_picture
from svc_notebook.analyst.offline.dialogue.weighed import weigh
from svc_notebook.analyst.offline.dialogue.weighing import Anew
from svc_notebook.analyst.offline.forms import CannotWrite, Form, Names, NoForm, from_sql, to_sql
from svc_notebook.analyst.offline.forms.names import column_names
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reader import choose
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.understanding import data_year
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.catalog import Catalog
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import SemanticError
from svc_notebook.semantic.layer import SemanticLayer

from .conversations import FILES, NOW, dialogues, layer_of, rows_of_sql
from .question_models import build_layer
from .reader_expressible import model_names
from .strangers import clock_of, columns_of, opened, read_domain
from .strangers import rows_of_sql as stranger_sql
from .strangers.conversations import dialogues as strangers_dialogues
from .strangers.conversations import held

__all__ = ["DialogueRow", "own_rows", "rows_of", "stranger_rows"]

_NOW = "2025-06-18"
_MOST_ROWS = 3000
_POINTED = 20
_OPERATOR = SecurityContext.operator()

Rows = list[list[Any]]
Features = tuple[tuple[str, float], ...]


@dataclass
class DialogueRow:
    """One turn: features and labels of its readings (the last is the question anew), and the facts of the turn."""

    set: str
    id: str
    database: str
    behind_gold: bool
    features: list[Features]
    labels: list[bool]
    contained: list[bool]  # right with at most two columns more
    turn: dict[str, float]
    anew_sure: float
    before_sure: list[float]
    words: str = ""


def rows_of(
    folder: Path, name: str, described: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], scorer: ModuleType
) -> Iterator[DialogueRow]:
    """The rows of one database's dialogues; ``cases`` holds one line for each turn."""
    layer = build_layer(folder / name, described, as_files=name == "everyday")
    with contextlib.closing(layer):
        database = _Database(name, layer, model_names(layer, described), scorer)
        for case in cases:
            if len(case.get("turns") or ()) > 1 and case["gold"].get("rows") is not None:
                yield from database.rows(case, cases)


def own_rows(scorer: ModuleType) -> Iterator[DialogueRow]:
    """The rows of the conversations that lie beside this module."""
    for name in FILES:
        layer = layer_of(name)
        database = _Database("own", layer, layer.catalog(_OPERATOR), scorer)
        cases = list(_own_cases(name, layer))
        for case in cases:
            if case["turn"] and case["gold"].get("rows") is not None:
                yield from database.rows(case, cases)


def stranger_rows(scorer: ModuleType) -> Iterator[DialogueRow]:
    """The rows of conversations of strangers, over the domains that are open."""
    for name in held():
        described = read_domain(name)
        if described.get("closed"):
            continue
        clock = clock_of(described)[:10]
        with opened(name) as layer:
            tables = [{"name": t, "columns": [{"name": c} for c in columns]} for t, columns in columns_of(name).items()]
            names = model_names(layer, {"tables": tables})
            database = _Database("strangers", layer, names, scorer)
            cases = list(_stranger_cases(name, clock))
            for case in cases:
                if case["turn"] and case["gold"].get("rows") is not None:
                    yield from database.rows(case, cases)


def _stranger_cases(name: str, clock: str) -> Iterator[dict[str, Any]]:
    for number, dialogue in enumerate(strangers_dialogues(name)):
        turns = [str(said["ask"]) for said in dialogue]
        for place, said in enumerate(dialogue):
            golds = [{"sql": sql, "rows": stranger_sql(name, sql)} for sql in _golds(said)]
            yield {
                "id": f"{name}-{number}-{place}", "model": name, "utterance": turns[place], "turns": turns[: place + 1],
                "dialog": number, "turn": place, "as_of": clock,
                "gold": {**(golds[0] if golds else {}), "dialect": "duckdb", "alts": golds[1:], "ordered": said.get("ordered", False)},
            }  # fmt: skip


def _own_cases(name: str, layer: SemanticLayer) -> Iterator[dict[str, Any]]:
    for number, dialogue in enumerate(dialogues(name)):
        turns = [str(said["ask"]) for said in dialogue]
        for place, said in enumerate(dialogue):
            golds = [{"sql": sql, "rows": rows_of_sql(layer, sql)} for sql in _golds(said)]
            yield {
                "id": f"{name}-{number}-{place}", "model": name, "utterance": turns[place], "turns": turns[: place + 1],
                "dialog": number, "turn": place, "as_of": f"{NOW:%Y-%m-%d}",
                "gold": {**(golds[0] if golds else {}), "dialect": "svc", "alts": golds[1:], "ordered": said.get("ordered", False)},
            }  # fmt: skip


def _golds(said: Mapping[str, Any]) -> list[str]:
    return [str(sql) for sql in (said["sql"], *said.get("or", ()))] if "sql" in said else []


class _Database:
    """One database's dialogues, each turn asked once."""

    def __init__(self, name: str, layer: SemanticLayer, names: Names | Catalog, scorer: ModuleType) -> None:
        self._name, self._layer, self._names, self._scorer = name, layer, names, scorer
        self._asked: dict[tuple[str, ...], tuple[PastTurn, ...]] = {}
        self._ran: dict[str, Rows | None] = {}

    def rows(self, case: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> Iterator[DialogueRow]:
        """A turn behind gold queries, and behind the analyst's own answers where those differ."""
        own = self._own(tuple(case["turns"][:-1]), case)
        gold = self._gold(case, cases)
        for history, behind_gold in ((gold, True), (own, False)):
            row = self._row(case, history, behind_gold) if history else None
            if row is not None:
                yield row

    def _row(self, case: Mapping[str, Any], history: tuple[PastTurn, ...], behind_gold: bool) -> DialogueRow | None:
        toolbox = Toolbox(self._layer, _OPERATOR)
        metadata, now = load_metadata(toolbox), _now(case)
        question, year, budget = str(case["utterance"]), data_year(metadata, _now(case)), Budget(10_000_000)
        turn = Turn(question, history, now=now.replace(tzinfo=UTC))
        forms = earlier(turn, metadata.catalog)
        heard = hear(question)
        if not forms or heard.wants or not wished_picture(heard.rest)[1].strip():
            return None
        reading = read(question, metadata, now, (), year, budget=budget)
        decided = choose(question, metadata, now, year, 1, reading, budget, partial(given, toolbox))
        said = decided.plan is not None or decided.form is not None
        anew = Anew(decided.sure if said else 0.0, len(decided.unread))
        weighed = weigh(turn, forms, metadata, reading, now, year, 1, budget, lambda: anew)
        features, labels, contained, sures = [], [], [], []
        for one in weighed.readings:
            if one.proposal is not None:
                sql = _sql(one.proposal.form)
            else:
                sql = write_sql(decided.plan, metadata).sql if decided.plan is not None else _sql(decided.form)
            exact, more = self._right(case, sql)
            features.append(tuple(one.facts.items()))
            labels.append(exact)
            contained.append(more)
            sures.append(one.proposal.of.sure if one.proposal is not None else 1.0)
        if not any(labels):
            labels = list(contained)
        return DialogueRow(
            self._name, str(case["id"]), str(case["model"]), behind_gold, features, labels, contained,
            dict(weighed.turn), anew.sure, sures, f"{history[-1].question} | {question}",
        )  # fmt: skip

    def _right(self, case: Mapping[str, Any], sql: str | None) -> tuple[bool, bool]:
        rows = self._run(sql) if sql else None
        if rows is None:
            return False, False
        golds = [{**case["gold"], **other} for other in [{}, *(case["gold"].get("alts") or [])]]
        found = [g for g in golds if g.get("rows") is not None]
        match = self._scorer.match_columns
        exact = any(
            match(rows, g["rows"], g.get("kinds"), ordered=bool(g.get("ordered")), order_keys=g.get("order_keys"))
            for g in found
        )
        return exact, exact or any(match(rows, g["rows"], g.get("kinds"), extra=True) for g in found)

    def _run(self, sql: str) -> Rows | None:
        if sql not in self._ran:
            self._ran[sql] = None
            with contextlib.suppress(SemanticError):
                table = self._layer.query(_OPERATOR, sql).table
                if table.num_rows <= _MOST_ROWS:
                    columns = [column.to_pylist() for column in table.columns]
                    self._ran[sql] = [[_plain(v) for v in row] for row in zip(*columns, strict=True)]
        return self._ran[sql]

    # ---- what was said before ----

    def _gold(self, case: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> tuple[PastTurn, ...]:
        past: list[PastTurn] = []
        for before in cases:
            if before.get("dialog") == case.get("dialog") and before["turn"] < case["turn"]:
                past.append(PastTurn(str(before["utterance"]), memory=self._remembered(before["gold"])))
        return tuple(past) if past and "reading" in past[-1].memory else ()

    def _remembered(self, gold: Mapping[str, Any]) -> dict[str, Any]:
        try:
            form = from_sql(str(gold["sql"]), self._names, str(gold.get("dialect") or "sqlite"))
        except (NoForm, KeyError):
            return {}
        sql = _sql(form) if isinstance(form, Form) else None
        if sql is None or not isinstance(form, Form):
            return {}
        rows = self._run(sql) if form.limit is not None else None
        if not rows or len(rows) > _POINTED or not (form.groups or form.columns):
            return {"reading": sql}
        return {"reading": sql, "focus": [[column_names(form.shown)[0], [row[0] for row in rows]]]}

    def _own(self, turns: tuple[str, ...], case: Mapping[str, Any]) -> tuple[PastTurn, ...]:
        if not turns:
            return ()
        if turns not in self._asked:
            history = self._own(turns[:-1], case)
            self._asked[turns] = (*history, asyncio.run(self._answered(turns[-1], history, _now(case))))
        return self._asked[turns]

    async def _answered(self, question: str, history: tuple[PastTurn, ...], now: datetime) -> PastTurn:
        toolbox = Toolbox(self._layer, _OPERATOR)
        turn = Turn(question, history, now=now.replace(tzinfo=UTC))
        async for event in OfflineAnalyst().answer(turn, toolbox, toolbox.cancel):
            if isinstance(event, AnswerDone):
                return PastTurn(question, event.text, memory=event.memory)
        return PastTurn(question)


def _now(case: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(str(case.get("as_of") or _NOW))


def _sql(form: Form | None) -> str | None:
    try:
        return to_sql(form) if form is not None else None
    except CannotWrite:
        return None


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return float(value) if type(value).__name__ == "Decimal" else value
