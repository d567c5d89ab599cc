"""What can go wrong for a caller.

::

    SvcError
    ├── ConfigurationError        something is missing or contradictory before a request is made
    ├── TransportError            no answer was had
    │   ├── ConnectionFailed      the service could not be reached, or the connection broke
    │   ├── RequestTimeout        it did not answer in time
    │   └── RedirectRefused       it pointed to another host; the key is not carried there
    ├── ApiError                  an answer that says no: .status, .message, .body
    │   ├── BadRequest            400
    │   ├── AuthenticationFailed  401
    │   ├── PermissionDenied      403
    │   ├── NotFound              404
    │   ├── RateLimited           429, .retry_after
    │   └── ServerFailed          5xx
    ├── NotAService               an answer, but not from such a service (an HTML page, another content)
    ├── QueryFailed               the data API accepted the query and then failed
    ├── ChatRefused               the chat answered 200 and then nothing but an error
    └── StreamError               a stream that could not be read to its end
        ├── LineTooLong           one line is over the cap
        ├── StreamSilent          nothing came for longer than the patience allowed
        └── StreamBroken          the connection ended in the middle

Examples
--------
>>> try:
...     client.sql("SELECT nothing FROM flights")
... except svc.errors.BadRequest as error:
...     print(error.status)
400
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ApiError", "AuthenticationFailed", "BadRequest", "ChatRefused", "ConfigurationError", "ConnectionFailed",
    "LineTooLong", "NotAService", "NotFound", "PermissionDenied", "QueryFailed", "RateLimited", "RedirectRefused",
    "RequestTimeout", "ServerFailed", "StreamBroken", "StreamError", "StreamSilent", "SvcError", "TransportError",
    "api_error",
]  # fmt: skip


class SvcError(Exception):
    """Root of the client's errors; ``message`` says what was wrong and what to do next."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(SvcError):
    """Something is missing or contradictory; no request was made."""


class TransportError(SvcError):
    """No answer was had."""


class ConnectionFailed(TransportError):
    """The service could not be reached, or the connection broke."""


class RequestTimeout(TransportError):
    """The service did not answer in time."""


class RedirectRefused(TransportError):
    """The service pointed to another host; the key is not carried there."""


class ApiError(SvcError):
    """The service's answer to a request it did not fulfil.

    Attributes
    ----------
    status
        HTTP status.
    body
        The decoded error body, or its text.
    retry_after
        Seconds the service asked to wait, if it did.
    """

    def __init__(self, message: str, *, status: int, body: Any = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body = body
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.message} (HTTP {self.status})"


class BadRequest(ApiError):
    """400: the message says what was wrong and what to write instead."""


class AuthenticationFailed(ApiError):
    """401: no key, a key that is not valid, a session or token that has ended."""


class PermissionDenied(ApiError):
    """403: the key or the user may not do this."""


class NotFound(ApiError):
    """404: no such deployment, agent, account, thread, user or id, or none for this asker."""


class RateLimited(ApiError):
    """429: as many external users as the account may have, or too many requests."""


class ServerFailed(ApiError):
    """5xx: the service failed or has no room; its log says why."""


class NotAService(SvcError):
    """An answer, but not from such a service: an HTML page, another content."""


class QueryFailed(SvcError):
    """The data API accepted the query and then failed."""


class ChatRefused(SvcError):
    """The chat answered 200 and then nothing but an error."""


class StreamError(SvcError):
    """A stream that could not be read to its end."""


class LineTooLong(StreamError):
    """One line of the stream is over the cap."""


class StreamSilent(StreamError):
    """Nothing came for longer than the patience allowed."""


class StreamBroken(StreamError):
    """The connection ended in the middle of the stream."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: AuthenticationFailed,
    403: PermissionDenied,
    404: NotFound,
    422: BadRequest,
    429: RateLimited,
}


def api_error(status: int, message: str, body: Any = None, retry_after: float | None = None) -> ApiError:
    """The error class for ``status``, made."""
    kind = _BY_STATUS.get(status, ServerFailed if status >= 500 else ApiError)
    return kind(message, status=status, body=body, retry_after=retry_after)
