"""One question, two users, two answers: row-level security that one can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import traitlets

from ..front.modules import CHAT_STYLE, chat_module
from ..front.renderer import packed_renderer
from .base import MessageWidget
from .conversation import Conversation
from .sql_cells import sql_cell
from .transcript import BUDGET, transcript_bundle

if TYPE_CHECKING:
    from ..client.chat import Chat
    from ..client.client import Client

__all__ = ["CompareUsers"]


class CompareUsers(MessageWidget):
    """Ask as several users at once and read the answers side by side.

    Parameters
    ----------
    client : Client
        With the account's key.
    *users : mapping
        Who asks, each as the keyword arguments of ``client.chat``; ``label`` is the heading.

    Examples
    --------
    >>> svc.CompareUsers(
    ...     client,
    ...     {"external_id": "dora", "user_attributes": {"carrier": ["DL"]}},
    ...     {"external_id": "uwe", "user_attributes": {"carrier": ["UA"]}},
    ... )  # doctest: +SKIP
    """

    _esm = chat_module("widget")
    _css = CHAT_STYLE
    sides = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, client: Client, *users: Mapping[str, Any]) -> None:
        if len(users) < 2:
            raise TypeError("CompareUsers wants at least two users, each as a mapping of chat()'s arguments")
        chats = [client.chat(**{key: value for key, value in user.items() if key != "label"}) for user in users]
        labels = [str(user.get("label") or chat.whoami) for user, chat in zip(users, chats, strict=True)]
        super().__init__(kind="compare", sides=labels)
        self._twin: Any = None
        self.conversations = [
            Conversation(
                chat,
                self._teller(side),
                renderer=packed_renderer,
                on_turns=self._turns_changed,
                cell=self._celler(chat),
            )
            for side, chat in enumerate(chats)
        ]
        for conversation in self.conversations:
            conversation.load()

    def _teller(self, side: int) -> Callable[[dict[str, Any], list[bytes] | None], None]:
        return lambda message, buffers: self.tell({**message, "side": side}, buffers)

    def _celler(self, chat: Chat) -> Callable[[str], dict[str, str]]:
        return lambda sql: {**sql_cell(sql, chat, whom=str(chat.whoami)), "model_id": str(self.model_id)}

    def ask(self, question: str) -> None:
        """Ask all of them."""
        for conversation in self.conversations:
            conversation.ask(question)

    def stop(self) -> None:
        """Stop all of them."""
        for conversation in self.conversations:
            conversation.stop()

    def _heard(self, _widget: Any, message: Any, _buffers: Any) -> None:
        side = message.get("side") if isinstance(message, Mapping) else None
        if isinstance(side, int) and 0 <= side < len(self.conversations):
            self.conversations[side].handle(message)

    def __repr__(self) -> str:
        return f"CompareUsers({' | '.join(self.sides)})"

    def _bundle(self) -> dict[str, Any]:
        share = BUDGET // len(self.conversations)
        parts = [
            transcript_bundle(c.turns, label, pictures=c.pictures.of, budget=share)
            for c, label in zip(self.conversations, self.sides, strict=True)
        ]
        html = "".join(part["text/html"] for part in parts)
        return {"text/html": f"<div>{html}</div>", "text/plain": "\n\n".join(part["text/plain"] for part in parts)}

    def _turns_changed(self, _turns: list[dict[str, Any]]) -> None:
        if self._twin is not None:
            self._twin.update(self._bundle(), raw=True)

    def _ipython_display_(self) -> None:
        from IPython.display import display, publish_display_data

        if (shown := super()._repr_mimebundle_()) is not None:
            publish_display_data(*shown)
        self._twin = display(self._bundle(), raw=True, display_id=True)
