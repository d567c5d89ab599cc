"""A data model as a table to write in; what is saved are the lines of its files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..front.modules import joined
from ..results.markdown import plain_text
from .base import STATIC, MessageWidget

if TYPE_CHECKING:
    from ..client.client import Client

__all__ = ["ModelEditor"]


class ModelEditor(MessageWidget):
    """Titles, synonyms, units, default aggregation, hidden columns and certified questions of a data model.

    Parameters
    ----------
    client : EmbeddedClient
        As :func:`svc_notebook.embedded` or :func:`svc_notebook.demo` returns it.
    folder
        Where the model is written, as for :meth:`EmbeddedClient.edit_model`.

    Attributes
    ----------
    draft : ModelDraft
        The same, from Python.

    Examples
    --------
    >>> editor = svc.ModelEditor(client, folder / "model")
    >>> editor.draft.changes
    []
    """

    _esm = joined(STATIC / "panels" / "widget.js")
    _css = STATIC / "panels.css"

    def __init__(self, client: Client, folder: str | Path | None = None) -> None:
        edit = getattr(client, "edit_model", None)
        if edit is None:
            raise TypeError(
                "ModelEditor edits the files of a model beside its service: give it the client of svc.embedded() or "
                "svc.demo(), and edit the model of a service elsewhere where its files lie"
            )
        self.draft = edit(folder)
        super().__init__(kind="model")

    def do_sync(self, _message: Mapping[str, Any]) -> None:
        """Tell a new view what there is."""
        self._show()

    def do_change(self, message: Mapping[str, Any]) -> None:
        """Say something else of a member; a refusal is explained and everything stays."""
        self.draft.change(str(message.get("name")), **{str(message.get("field")): message.get("value")})
        self._show()

    def do_certify(self, message: Mapping[str, Any]) -> None:
        """Try a query and certify it."""
        self.draft.certify(str(message.get("question", "")), str(message.get("sql", "")))
        self._show(certified_now=True)

    def do_withdraw(self, message: Mapping[str, Any]) -> None:
        """Certify a question no longer."""
        self.draft.withdraw(str(message.get("question", "")))
        self._show()

    def do_discard(self, _message: Mapping[str, Any]) -> None:
        """Forget what is not saved."""
        self.draft.discard()
        self._show("Read again.")

    def do_save(self, _message: Mapping[str, Any]) -> None:
        """Write what has changed."""
        written = self.draft.save()
        names = ", ".join(path.name for path in written[:3]) + (f" and {len(written) - 3} more" if written[3:] else "")
        self._show(f"Saved: {names}. Answers use it from now on.")

    def _show(self, done: str = "", *, certified_now: bool = False) -> None:
        self.tell(
            {
                "t": "model",
                "folder": str(self.draft.folder),
                "entries": [_row(entry) for entry in self.draft.entries],
                "changes": [plain_text(str(change)) for change in self.draft.changes],
                "certified": [[plain_text(asked), sql] for asked, sql in self.draft.certified.items()],
                "certifiedNow": certified_now,
                "done": done,
            }
        )


def _row(entry: Any) -> dict[str, Any]:
    relation, _, member = entry.name.partition(".")
    return {
        "name": entry.name,
        "relation": relation,
        "kind": entry.kind,
        "type": entry.type,
        "shown": (member or relation).replace("_", " ").capitalize(),
        "title": entry.title,
        "description": entry.description,
        "synonyms": ", ".join(entry.synonyms),
        "unit": entry.unit,
        "aggregate": entry.aggregate,
        "hidden": entry.hidden,
        "fields": list(entry.fields),
    }
