"""The chat widget: one anywidget whose front end is ``static/chat.js``.

Traits hold only what a view needs before it can ask (its id); everything else travels as messages, see
:mod:`.conversation`. Showing the widget writes two outputs: the living widget, and a static transcript for the saved
file, see :mod:`.transcript`.
"""

from __future__ import annotations

import contextvars
import uuid
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from .conversation import Conversation
from .kernels import pin_reply_routing
from .transcript import transcript_bundle

__all__ = ["ChatWidget"]

_STATIC = Path(__file__).parent / "static"


@cache
def _renderer() -> bytes:
    return (_STATIC / "vega.js.gz").read_bytes()


class ChatWidget(anywidget.AnyWidget):
    """Chat with the data in a notebook: ask, watch the answer come, stop it, keep table and chart.

    Parameters
    ----------
    client_or_chat : Client or Chat
        A chat, or a client whose operator (or the user named by ``user``) asks.
    chat_id : str, optional
        An earlier conversation to go on with.
    height : str, optional
        Height of the conversation, as CSS (``"400px"``).
    **user
        ``external_id``, ``user_attributes``, … as for ``client.chat``.

    Examples
    --------
    >>> import svc_notebook as svc
    >>> svc.ChatWidget(svc.demo(), external_id="ana", user_attributes={"carrier": ["DL"]})  # doctest: +SKIP
    """

    _esm = _STATIC / "chat.js"
    _css = _STATIC / "chat.css"
    uid = traitlets.Unicode().tag(sync=True)
    height = traitlets.Unicode("").tag(sync=True)

    def __init__(self, client_or_chat: Any, *, chat_id: str | None = None, height: str = "", **user: Any) -> None:
        super().__init__(uid=uuid.uuid4().hex, height=height)
        pin_reply_routing(self)
        if hasattr(client_or_chat, "submit"):
            if user:
                raise TypeError("a chat has its user already: give a client to name another one")
            chat = client_or_chat if chat_id is None else client_or_chat.with_thread(chat_id)
        else:
            chat = client_or_chat.chat(**({"chat_id": chat_id} if chat_id else {}), **user)
        self._twins: list[Any] = []
        self._context = contextvars.copy_context()
        self.conversation = Conversation(
            chat, self._tell, renderer=_renderer, on_turns=lambda turns: self._update_twins(turns)
        )
        self.on_msg(self._heard)
        self.conversation.load()

    @property
    def chat(self) -> Any:
        """The chat that is shown now (another one after a change of thread)."""
        return self.conversation.chat

    def ask(self, question: str) -> None:
        """Ask as if it had been typed; returns at once."""
        self.conversation.ask(question)

    def stop(self) -> None:
        """Stop the running answer; what has come is kept."""
        self.conversation.stop()

    def close(self) -> None:
        """Stop what is running and take the widget down."""
        if self.conversation.busy:
            self.conversation.stop()
        super().close()

    def __repr__(self) -> str:
        who = getattr(self, "conversation", None) and self.conversation.chat.whoami
        return f"ChatWidget(as {who})" if who else "ChatWidget()"

    def _tell(self, message: dict[str, Any], buffers: list[bytes] | None) -> None:
        self.send(message, buffers)

    def _heard(self, _widget: Any, message: Any, _buffers: Any) -> None:
        self.conversation.handle(message)

    def _ipython_display_(self) -> None:
        """Two outputs: the widget, and its static twin for the saved file."""
        from IPython.display import display, publish_display_data

        shown = super()._repr_mimebundle_()
        if shown is not None:
            data, metadata = shown
            publish_display_data(data, metadata)
        twin = display(transcript_bundle([], self._who()), raw=True, display_id=True)
        if twin is not None:
            self._twins.append(twin)
            if self.conversation.turns:
                self._update_twins(self.conversation.turns)

    def _who(self) -> str:
        return str(self.conversation.chat.whoami or "")

    def _update_twins(self, turns: list[dict[str, Any]]) -> None:
        bundle = transcript_bundle(turns, self._who())
        for twin in self._twins:
            twin.update(bundle, raw=True)
