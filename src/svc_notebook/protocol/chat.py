"""The Chat API: request bodies and the frames of the stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from .reading import Reading
from .sessions import UserAttribute

__all__ = [
    "ABORTED", "AGENT_PATH", "CUTOFF", "FINAL_PATH", "STATE", "TOOLS_PATH", "USAGE", "AbortRequest",
    "AbortSessionSettings", "ChatRequest", "FeedbackRequest", "Message", "RenameThreadRequest", "SessionSettings",
    "SuggestionsResponse",
    "Thread", "ToolCall", "Verdict",
]  # fmt: skip

CUTOFF = "__cutoff__"
STATE = "__state__"
ABORTED = "__aborted__"
USAGE = "__usage__"

AGENT_PATH = ["svc_data_analyst_agent"]
TOOLS_PATH = ["svc_data_analyst_agent", "tools"]
FINAL_PATH = ["final"]

Verdict = Literal["right", "wrong"]


class SessionSettings(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    external_id: str | None | UnsetType = UNSET
    internal_id: str | None | UnsetType = UNSET
    email: str | None | UnsetType = UNSET
    user_attributes: list[UserAttribute] | None | UnsetType = UNSET
    groups: list[str] | None | UnsetType = UNSET
    security_context: dict[str, Any] | None | UnsetType = UNSET
    roles: list[str] | None | UnsetType = UNSET
    is_ephemeral: bool | None | UnsetType = UNSET
    ephemeral_ttl_seconds: int | float | None | UnsetType = UNSET
    timezone: str | None | UnsetType = UNSET


class ChatRequest(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    """Body of the chat endpoint. Without ``input`` the thread ``chat_id`` is replayed (and followed while it runs)."""

    session_settings: SessionSettings | None | UnsetType = UNSET  # required with a key; a user token names its user
    input: str | None | UnsetType = UNSET
    reading: Reading | None | UnsetType = UNSET  # asked as it is; ``input`` is then the edit in words
    chat_id: str | None | UnsetType = UNSET
    after: int | None | UnsetType = UNSET  # number of the turn that input follows; 0: none; omitted: the newest
    active_branch_name: str | None | UnsetType = UNSET
    is_default_branch: bool | None | UnsetType = UNSET
    images: list[Any] | None | UnsetType = UNSET  # some services take them; this one refuses them in words
    attachments: list[Any] | None | UnsetType = UNSET


class FrameState(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    """What a frame's ``state`` holds, each where it applies; other keys pass through as they are."""

    chat_id: str | UnsetType = UNSET
    is_streaming: bool | UnsetType = UNSET
    user: str | UnsetType = UNSET
    suggestions: list[str] | UnsetType = UNSET
    turns: list[dict[str, Any]] | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    outcome_detail: str | UnsetType = UNSET
    elapsed_ms: int | UnsetType = UNSET
    progress: float | UnsetType = UNSET


class AbortSessionSettings(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    external_id: str | None | UnsetType = UNSET
    internal_id: str | None | UnsetType = UNSET


class AbortRequest(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    chat_id: str
    session_settings: AbortSessionSettings | None | UnsetType = UNSET


class ToolCall(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    """A tool call; ``input`` and ``result`` are JSON strings, ``result`` only when the call is complete."""

    name: str
    input: str
    result: str | UnsetType = UNSET


class Message(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    """One frame, that is one line of the stream. Every field but a frame's own is omitted, so all default to UNSET."""

    id: str | UnsetType = UNSET
    role: str | UnsetType = UNSET
    content: str | UnsetType = UNSET
    thinking: str | UnsetType = UNSET
    tool_call: ToolCall | UnsetType = UNSET
    graph_path: list[str] | UnsetType = UNSET
    is_delta: bool | UnsetType = UNSET
    is_in_process: bool | UnsetType = UNSET
    sort: int | float | UnsetType = UNSET
    state: dict[str, Any] | UnsetType = UNSET
    type: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    choices: list[Any] | UnsetType = UNSET  # of the final message: the readings offered, each question and reading
    error: Any = UNSET
    usage: dict[str, Any] | UnsetType = UNSET


class Thread(msgspec.Struct, rename="camel", frozen=True):
    """A thread in its owner's list."""

    chat_id: str
    title: str
    created_at: datetime
    updated_at: datetime
    branch: str = ""
    is_streaming: bool = False


class RenameThreadRequest(msgspec.Struct, rename="camel", frozen=True):
    title: str


class FeedbackRequest(msgspec.Struct, rename="camel", frozen=True):
    """What the asker thinks of an answer; ``verdict`` null takes it back."""

    verdict: Verdict | None
    why: str | None | UnsetType = UNSET


class SuggestionsResponse(msgspec.Struct, rename="camel", frozen=True):
    suggestions: list[str]
