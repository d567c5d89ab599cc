"""A form over Generate Session: every field, checked while typing, with the same call as Python and curl."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..front.modules import joined
from ..results.markdown import plain_text
from .base import STATIC, MessageWidget
from .session_draft import as_curl, as_python, check, client_arguments, request_body

if TYPE_CHECKING:
    from ..client.client import Client

__all__ = ["SessionForm"]

LIFETIME_SECONDS = 300


class SessionForm(MessageWidget):
    """Mint sessions for embedding.

    Parameters
    ----------
    client : Client
        With the account's key.
    deployment_id : int
        What the form starts with.

    Attributes
    ----------
    session : Session or None
        The latest session made here, for the next cell.

    Examples
    --------
    >>> form = svc.SessionForm(client)
    >>> form.session  # until somebody has pressed the button
    """

    _esm = joined(STATIC / "panels" / "widget.js")
    _css = STATIC / "panels.css"

    def __init__(self, client: Client, *, deployment_id: int = 1) -> None:
        self.client = client
        self.session: Any = None
        self._sessions: dict[str, Any] = {}
        self._recent: list[dict[str, Any]] = []
        self._deployment = deployment_id
        super().__init__(kind="session")

    def do_sync(self, _message: Mapping[str, Any]) -> None:
        """Tell a new view where it stands."""
        self.tell({"t": "start", "deployment": self._deployment, "base_url": str(self.client.base_url)})
        self._tell_recent()

    def do_check(self, message: Mapping[str, Any]) -> None:
        """Check what has been typed, and write it as code."""
        values = message.get("values") or {}
        errors = check(values)
        try:
            body = request_body(values)
        except ValueError:
            body = None
        self.tell({
            "t": "checked",
            "errors": errors,
            "python": as_python(body) if body else "",
            "curl": as_curl(body, str(self.client.base_url)) if body else "",
        })  # fmt: skip

    def do_create(self, message: Mapping[str, Any]) -> None:
        """Mint the session."""
        values = message.get("values") or {}
        if errors := check(values):
            self.tell({"t": "checked", "errors": errors, "python": "", "curl": ""})
            return
        body = request_body(values)
        session = self.client.generate_session(**client_arguments(body))
        self.session = session
        self._sessions[session.session_id] = session
        place = str(values.get("place") or "chat")
        made = {
            "id": session.session_id,
            "user": plain_text(str(values.get("user"))),
            "url": session.embed_url(place),
            "until": time.time() + LIFETIME_SECONDS,
        }
        self._recent = [made, *self._recent][:10]
        self.tell({"t": "created", **made})
        self._tell_recent()

    def do_revoke(self, message: Mapping[str, Any]) -> None:
        """End a session made here, and its token."""
        if (session := self._sessions.pop(str(message.get("session")), None)) is not None:
            session.revoke()
            self._recent = [made for made in self._recent if made["id"] != session.session_id]
        self._tell_recent()

    def _tell_recent(self) -> None:
        now = time.time()
        recent = [{**made, "left": max(0, made["until"] - now)} for made in self._recent]
        self.tell({"t": "recent", "items": recent})
