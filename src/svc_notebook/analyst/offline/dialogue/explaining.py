"""Questions about the answer before: its SQL, what was assumed, and what its highest number is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....semantic.catalog import Catalog
from ...base import Turn
from ...readings.anchoring import anchored
from ..forms import Filter, Form, in_words
from ..forms.words import Words
from ..schema.metadata import Metadata
from ..suggestions import starting_questions
from .hearing import Heard
from .helping import Help
from .thread import Earlier, earlier

__all__ = ["explained"]


def explained(heard: Heard, turn: Turn, metadata: Metadata) -> Help | None:
    """What the answer before came from, where a turn asks for that."""
    if heard.wants not in ("sql", "assumed"):
        return None
    forms = earlier(turn, metadata.catalog)
    if not forms:
        return Help(("There is no answer yet that this could be about.",), tuple(starting_questions(metadata, 3)))
    if heard.wants == "sql":
        return Help((_sql_words(forms[0], metadata.catalog),))
    return Help((_origins(_anchored(forms, metadata.catalog), forms[0], metadata.catalog),))


def _anchored(forms: Sequence[Earlier], catalog: Catalog) -> Form:
    before = forms[1] if len(forms) > 1 else None
    known, message = (before.form, before.message) if before is not None else (None, "")
    return anchored(forms[0].form, forms[0].turn.question, catalog, known, message)


def _sql_words(before: Earlier, catalog: Catalog) -> str:
    """The SQL over the model that the answer came from, with what it says in words."""
    sql = str(before.turn.memory["reading"])
    return (
        f"“{before.turn.question}” was read as: {in_words(before.form, catalog)}. That is this query over the data "
        f"model; rows that you may not see are taken away before it runs:\n\n```sql\n{sql}\n```"
    )


def _origins(form: Form, before: Earlier, catalog: Catalog) -> str:
    """Each clause of the form with where it comes from; ``form`` has its anchors."""
    words = Words(catalog)
    kinds: dict[str, list[str]] = {"said": [], "kept": [], "assumed": []}
    for clause in (*form.measures, *form.columns):
        kinds[clause.anchor.origin].append(words.of(clause.expression))
    for clause in form.groups:
        kinds[clause.anchor.origin].append(f"by {words.of(clause.expression)}")
    for item in (*form.where, *form.having):
        kinds[item.anchor.origin].append(_condition(item, words))
    if form.limit is not None:
        kinds[form.limit.anchor.origin].append(f"the first {form.limit.count}")
    told = [f"“{before.turn.question}” was read as: {in_words(before.form, catalog)}."]
    labels = {"said": "In the question", "kept": "Kept from before", "assumed": "Assumed"}
    told += [f"\n- {labels[kind]}: {'; '.join(parts)}" for kind, parts in kinds.items() if parts]
    if not kinds["assumed"]:
        told.append("\n- Assumed: nothing")
    return "\n".join(told)


def _condition(item: Filter, words: Any) -> str:
    return f"where {words.condition(item.condition)}"
