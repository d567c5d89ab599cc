"""Talking to a service: requests, streams, answers, errors. Needs neither the service nor an engine."""

from ..results.answer import Answer
from .chat import AsyncChat, Chat
from .chat_stream import AsyncChatStream, ChatStream
from .client import AsyncClient, Client
from .errors import SvcError
from .sessions import AsyncSession, AsyncTenant, Session, Tenant

__all__ = [
    "Answer", "AsyncChat", "AsyncChatStream", "AsyncClient", "AsyncSession", "AsyncTenant", "Chat", "ChatStream",
    "Client", "Session", "SvcError", "Tenant",
]  # fmt: skip
