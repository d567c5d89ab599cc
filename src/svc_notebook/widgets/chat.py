"""The chat widget: one anywidget whose front end is ``static/chat/``.

Traits hold only what a view needs before it can ask (its id); everything else travels as messages, see
:mod:`.conversation`. Showing the widget writes two outputs: the living widget, and a static transcript for the saved
file, see :mod:`.transcript`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from ..client.client import Client
from ..front.modules import CHAT_STYLE, chat_module
from ..front.renderer import packed_renderer
from .base import MessageWidget
from .cell_threads import cell_key, recall, remember
from .conversation import Conversation
from .sql_cells import sql_cell
from .transcript import transcript_bundle

if TYPE_CHECKING:
    from ..client.chat import Chat

__all__ = ["ChatWidget"]


class ChatWidget(MessageWidget):
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

    _esm = chat_module("widget")
    _css = CHAT_STYLE
    height = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, client_or_chat: Client | Chat, *, chat_id: str | None = None, height: str = "", **user: Any
    ) -> None:
        self._cell: tuple[str, ...] | None = None
        earlier = chat_id
        if isinstance(client_or_chat, Client):
            self._cell = cell_key("chat", user) if chat_id is None else None
            earlier = chat_id or recall(self._cell)
            chat = client_or_chat.chat(chat_id=earlier or None, **user)
        elif user:
            raise TypeError("a chat has its user already: give a client to name another one")
        else:
            chat = client_or_chat if chat_id is None else client_or_chat.with_thread(chat_id)
        super().__init__(kind="chat", height=height)
        self._twins: list[Any] = []
        self.conversation = Conversation(
            chat,
            self.tell,
            renderer=packed_renderer,
            on_turns=self._update_twins,
            cell=self._sql_cell,
            may_be_gone=earlier != chat_id,
        )
        self.conversation.load()

    @property
    def chat(self) -> Chat:
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
        # ipywidgets closes what is freed, also a widget whose __init__ has raised.
        if hasattr(self, "conversation") and self.conversation.busy:
            self.conversation.stop()
        super().close()

    def __repr__(self) -> str:
        who = getattr(self, "conversation", None) and self.conversation.chat.whoami
        return f"ChatWidget(as {who})" if who else "ChatWidget()"

    def _heard(self, _widget: Any, message: Any, _buffers: Any) -> None:
        self.conversation.handle(message)

    def _ipython_display_(self) -> None:
        """Two outputs: the widget, and its static twin for the saved file."""
        from IPython.display import display, publish_display_data

        shown = super()._repr_mimebundle_()
        if shown is not None:
            data, metadata = shown
            publish_display_data(data, metadata)
        # An output of its own: what stands in the widget's own bundle is frozen when it is displayed.
        twin = display(transcript_bundle([], self._who()), raw=True, display_id=True)
        if twin is not None:
            self._twins.append(twin)
            if self.conversation.turns:
                self._update_twins(self.conversation.turns)

    def _sql_cell(self, sql: str) -> dict[str, str]:
        return {**sql_cell(sql, self, self.chat, whom=self._who()), "model_id": str(self.model_id)}

    def _who(self) -> str:
        return str(self.conversation.chat.whoami or "")

    def _update_twins(self, turns: list[dict[str, Any]]) -> None:
        remember(self._cell, self.chat.chat_id)
        left = len(self.conversation.past) - len(turns)
        bundle = transcript_bundle(turns, self._who(), pictures=self.conversation.pictures.of, left=left)
        for twin in self._twins:
            twin.update(bundle, raw=True)
