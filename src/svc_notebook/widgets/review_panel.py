"""What askers were not served well with, group by group, and what is done about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..front.modules import joined
from ..results.markdown import plain_text
from .base import STATIC, MessageWidget

if TYPE_CHECKING:
    from ..client.client import Client

__all__ = ["ReviewPanel"]

_MOST = 100
_FEW = 6


class ReviewPanel(MessageWidget):
    """Questions that were marked wrong, corrected, refused or asked back; each accepted as what it teaches.

    Parameters
    ----------
    client : EmbeddedClient
        As :func:`svc_notebook.embedded` or :func:`svc_notebook.demo` returns it.
    days
        Only of the last so many days.
    folder
        Where the model is written, as for :meth:`EmbeddedClient.edit_model`.
    cases
        The YAML list that cases are appended to; ``questions.yml`` beside the model.

    Attributes
    ----------
    review : Review
        The same, from Python.

    Examples
    --------
    >>> panel = svc.ReviewPanel(client, days=7, folder=folder / "model")
    """

    _esm = joined(STATIC / "panels" / "widget.js")
    _css = STATIC / "panels.css"

    def __init__(
        self,
        client: Client,
        days: float | None = None,
        folder: str | Path | None = None,
        cases: str | Path | None = None,
    ) -> None:
        review = getattr(client, "review", None)
        if review is None:
            raise TypeError(
                "ReviewPanel looks into the store of a service in this process: give it the client of svc.embedded() "
                "or svc.demo(), and use `svc-notebook review STORE` beside a service elsewhere"
            )
        self.review = review(days=days, folder=folder, cases=cases)
        super().__init__(kind="review")

    def do_sync(self, _message: Mapping[str, Any]) -> None:
        """Tell a new view what there is."""
        self._show()

    def do_refresh(self, _message: Mapping[str, Any]) -> None:
        """Look again."""
        self.review.refresh()
        self._show()

    def do_synonym(self, message: Mapping[str, Any]) -> None:
        """Have a word name a member."""
        word, member = _given(message, "word"), _given(message, "member")
        self.review.add_synonym(word, member)
        self._show(f"“{word}” names {member} from now on.", message)

    def do_default(self, message: Mapping[str, Any]) -> None:
        """Have a word mean a member where several could be meant."""
        word, member = _given(message, "word"), _given(message, "member")
        self.review.add_default(word, member)
        self._show(f"“{word}” means {member} where nothing else is said.", message)

    def do_certify(self, message: Mapping[str, Any]) -> None:
        """Have a question answered by a query."""
        question = _given(message, "question")
        self.review.certify(question, _given(message, "sql"))
        self._show(f"Certified: {question}", message)

    def do_case(self, message: Mapping[str, Any]) -> None:
        """Keep a question with its query as a case."""
        file = self.review.keep_case(_given(message, "question"), _given(message, "sql"))
        self._show(f"Kept in {file}: svc-notebook eval {file} runs it.", message)

    def _show(self, done: str = "", message: Mapping[str, Any] | None = None) -> None:
        found = self.review.findings
        self.tell(
            {
                "t": "findings",
                "findings": [_row(finding) for finding in found[:_MOST]],
                "more": max(0, len(found) - _MOST),
                "members": [e.name for e in self.review.draft.entries if e.kind in ("dimension", "measure")],
                "done": plain_text(done),
                "of": str((message or {}).get("of", "")),
            }
        )


def _given(message: Mapping[str, Any], name: str) -> str:
    return str(message.get(name) or "").strip()


def _row(finding: Any) -> dict[str, Any]:
    others = [question for question in finding.questions if question != finding.question]
    return {
        "kind": finding.kind,
        "count": finding.count,
        "question": plain_text(finding.question),
        "others": [plain_text(question) for question in others[:_FEW]],
        "unknown": [plain_text(word) for word in finding.unknown[:_FEW]] if finding.kind == "refused" else [],
        "why": [plain_text(why) for why in finding.why[:_FEW]],
        "readings": [{"question": plain_text(words), "sql": sql} for words, sql in finding.readings[:_FEW]],
    }
