"""The analyst as a persona of JupyterLab's chat (extra ``chat``): a thin file over the client.

Who asks is decided where the Jupyter server is started, never in the chat: a service named by ``SVC_CHAT_API_URL`` and
``SVC_BASE_URL`` is asked with the user token in ``SVC_TOKEN``, or with the account key in ``SVC_API_KEY`` as the
external user ``SVC_EXTERNAL_ID``; on a
JupyterHub with a service for it, as who the Hub says. Without these it is the demo.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_ai_persona_manager import BasePersona, PersonaDefaults

from .client.client import AsyncClient
from .client.errors import SvcError
from .client.turn import NotStarted

if TYPE_CHECKING:
    from .client.chat import AsyncChat, Chat

HEARTBEAT = 0.1
"""Seconds between two looks at a growing answer."""

__all__ = ["AnalystPersona", "Reply", "open_chat"]


def open_chat(environ: Mapping[str, str] = os.environ) -> AsyncChat | Chat:
    """The conversation that the environment names.

    Raises
    ------
    ConfigurationError
        A service is named, and neither a token nor a key and a user.
    """
    url = environ.get("SVC_CHAT_API_URL")
    if url is None:
        from .embedded import demo

        return demo().chat()
    token = environ.get("SVC_TOKEN")
    base = environ.get("SVC_BASE_URL") or url.partition("/api/")[0]
    client = AsyncClient(base, None if token else environ.get("SVC_API_KEY"), token=token, chat_api_url=url)
    return client.chat() if client.is_user else client.chat(external_id=environ.get("SVC_EXTERNAL_ID"))


class Reply:
    """One answer as pieces of Markdown: the text as it comes, then the rows it rests on and the SQL behind them."""

    def __init__(self, chat: AsyncChat | Chat, question: str) -> None:
        self._handle = chat.submit(question)

    async def abort(self) -> None:
        """Stop the turn at the service; the pieces end with what had come."""
        await asyncio.wrap_future(self._handle.abort())

    async def pieces(self) -> AsyncIterator[str]:
        shown = ""
        reading = asyncio.ensure_future(self._handle.wait_async())
        try:
            while not reading.done():
                await asyncio.wait({reading}, timeout=HEARTBEAT)
                text = self._handle.answer.text
                if text.startswith(shown) and text != shown:
                    yield text[len(shown) :]
                    shown = text
            answer = reading.result()
        except (SvcError, NotStarted) as error:
            yield f"\n\n{error}"
            return
        finally:
            reading.cancel()
        if answer.text != shown:  # the service took back what it had begun to say
            yield f"\n\n{answer.text}"
        if answer.status != "complete":
            yield f"\n\n*{answer.error or 'Stopped.'}*"
        if answer.df is not None:
            yield f"\n\n{_table(answer.df)}"
        if answer.sql:
            yield f"\n\n```sql\n{answer.sql}\n```"


def _table(frame: Any, rows: int = 20) -> str:
    names = [str(name) for name in frame.columns]
    body = [[_cell(value) for value in row] for row in frame.head(rows).astype(object).itertuples(index=False)]
    lines = [names, ["---"] * len(names), *body]
    more = f"\n\n{len(frame):,} rows in all" if len(frame) > rows else ""
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines) + more


def _cell(value: Any) -> str:
    """Text of a value that stays within its cell."""
    return " ".join(str(value).replace("\\|", "|").replace("|", "\\|").split())


class AnalystPersona(BasePersona):  # type: ignore[misc]  # its package comes with the extra and carries no types
    """Answers questions about the data; each chat of JupyterLab is a thread of its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._conversation: AsyncChat | Chat | None = None
        self._reply: Reply | None = None

    @property
    def defaults(self) -> Any:
        return PersonaDefaults(
            name="Analyst",
            description="Answers questions about the governed data model, with rows and SQL.",
            avatar_path=str(Path(__file__).with_name("persona.svg")),
            system_prompt="",
        )

    async def process_message(self, message: Any) -> None:
        """Ask what the message says and write the answer as it comes."""
        question = message.body.replace(f"@{self.as_user().mention_name}", "").strip()
        self._conversation = self._conversation or open_chat()
        self._reply = reply = Reply(self._conversation, question)
        await self.stream_message(reply.pieces())

    async def cancel_response(self) -> None:
        """Stop the turn at the service."""
        if self._reply is not None:
            await self._reply.abort()
