"""What askers were not served well with, and the model that learns from it: the owner's loop as data."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .client.errors import ConfigurationError
from .service.store.reviewing import turns_to_review
from .service.turns.review import Finding, findings

if TYPE_CHECKING:
    from .embedded_model import ModelDraft
    from .service.store import Store

__all__ = ["Review", "append_case"]

_DAY = 86_400


class _Owner(Protocol):
    """The client whose askers they are."""

    def sql(self, query: str) -> Any: ...


class Review:
    """Questions that were marked wrong, corrected, refused or asked back, grouped by likeness; and what they teach.

    Attributes
    ----------
    findings
        The groups, what weighs most first.
    draft
        The model that synonyms, defaults and certified questions are written into.
    cases
        The YAML list that cases for ``svc-notebook eval`` are appended to.
    """

    def __init__(
        self,
        client: _Owner,
        store: Store,
        draft: ModelDraft,
        days: float | None = None,
        cases: str | Path | None = None,
    ) -> None:
        self._client, self._store, self._days = client, store, days
        self.draft = draft
        self.cases = Path(cases) if cases is not None else draft.folder.parent / "questions.yml"
        self.findings: Sequence[Finding] = ()
        self.refresh()

    def refresh(self) -> Review:
        """Look again."""
        since = time.time() - _DAY * self._days if self._days is not None else 0.0
        self.findings = findings(self._store.read(turns_to_review, since))
        return self

    def add_synonym(self, word: str, member: str) -> list[Path]:
        """Have ``word`` name a member (``"sales.product"``) from now on; returns the files that were written."""
        return self._add(word, member, "synonyms")

    def add_default(self, word: str, member: str) -> list[Path]:
        """Have ``word`` mean a member where several could be meant and nothing else is said."""
        return self._add(word, member, "default_for")

    def _add(self, word: str, member: str, field: str) -> list[Path]:
        if not word.strip():
            raise ConfigurationError("Say which word it is.")
        known = next((entry for entry in self.draft.entries if entry.name == member), None)
        before = getattr(known, field, ())
        try:
            self.draft.change(member, **{field: [*before, word.strip()]})
        except ValueError as unfit:
            raise ConfigurationError(str(unfit)) from None
        return self.draft.save()

    def certify(self, question: str, sql: str) -> list[Path]:
        """Have ``question`` answered by ``sql`` from now on; the query is tried first."""
        if not sql.strip():
            raise ConfigurationError("Say which SQL over the data model answers it.")
        self.draft.certify(question, sql)
        return self.draft.save()

    def keep_case(self, question: str, sql: str) -> Path:
        """Keep ``question`` with ``sql`` as a case for ``svc-notebook eval``; the query is tried first."""
        if not question.strip():
            raise ConfigurationError("A case needs a question.")
        if not sql.strip():
            raise ConfigurationError("Say which SQL over the data model answers it.")
        self._client.sql(sql)
        return append_case(self.cases, question, sql)


def append_case(file: Path, question: str, sql: str) -> Path:
    """A question with its SQL, written behind those of a YAML list."""
    entry = f"- question: {_quoted(question)}\n  sql: {_quoted(sql)}\n"
    before = file.read_text(encoding="utf8") if file.exists() else ""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{before.rstrip()}\n{entry}" if before.strip() else entry, encoding="utf8")
    return file


def _quoted(text: str) -> str:
    # JSON strings are YAML's double-quoted ones: no word of a question can be read as anything else.
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
