"""The OpenAPI 3.1 document, made from the wire models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...protocol import access, admin, chat, data, errors, freshness, sessions
from ...protocol.spelling import spelled
from ..web.responses import json_response

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["build_document", "document"]

_TENANT = {
    "name": spelled(sessions.GenerateSessionRequest, "embed_tenant_name"), "in": "path", "required": True,
    "schema": {"type": "string", "pattern": "^[a-z][a-z0-9-]{3,34}[a-z0-9]$", "minLength": 5, "maxLength": 36},
}  # fmt: skip
_ENTRY = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "format": "int64", "minimum": 1}}
_ACCOUNT = {"name": "accountName", "in": "path", "required": True, "schema": {"type": "string"}}
_AGENT = {"name": "agentId", "in": "path", "required": True, "schema": {"type": "string"}}
_THREAD = {"name": spelled(chat.ChatRequest, "chat_id"), "in": "path", "required": True, "schema": {"type": "string"}}
_TURN = {"name": "turn", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
_PAGING = [
    {"name": "first", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
    {"name": "after", "in": "query", "schema": {"type": "string", "minLength": 1}},
]
_USER = [
    {"name": spelled(chat.SessionSettings, "external_id"), "in": "query", "schema": {"type": "string", "minLength": 1}},
    {"name": spelled(chat.SessionSettings, "internal_id"), "in": "query", "schema": {"type": "string", "minLength": 1}},
]
_SEARCH = {"name": spelled(data.MetaRequest, "search_query"), "in": "query", "schema": {"type": "string"}}
_MODELS: list[Any] = [
    sessions.GenerateSessionRequest, sessions.GenerateSessionResponse, sessions.SessionTokenRequest,
    sessions.SessionTokenResponse, sessions.RevokeSessionRequest, admin.Page[admin.Group],
    admin.Page[admin.UserAttributeRecord], admin.Page[chat.Thread], chat.ChatRequest, chat.AbortRequest, chat.Message,
    chat.RenameThreadRequest, chat.FeedbackRequest, chat.SuggestionsResponse, data.SqlRequest, data.LoadRequest,
    data.LoadResponse,
    data.LoadResults, data.ExplainResponse, data.MetaRequest, data.MetaResponse, access.AccessRequest,
    access.AccessResponse,
    freshness.Freshness, freshness.Readiness, data.SchemaLine, data.DataLine, data.ErrorLine, errors.ErrorBody,
]  # fmt: skip
_KEY: list[Any] = [{"apiKey": []}]
_EITHER: list[Any] = [{"apiKey": []}, {"userToken": []}]
_CHAT = "/api/v1/public/{accountName}/agents/{agentId}/chat"
_EMBED = "/api/v1/embed-tenants/{embedTenantName}"


async def document(service: Service, _request: Request) -> Response:
    """``GET /openapi.json``."""
    return json_response(build_document(service.config.base_url))


def build_document(base_url: str) -> dict[str, Any]:
    """The whole description; schemas carry the names of the models in ``protocol``."""
    schemas, components = msgspec.json.schema_components(_MODELS, ref_template="#/components/schemas/{name}")
    refs = {_name(model): schema for model, schema in zip(_MODELS, schemas, strict=True)}
    refs["LoadAnswer"] = {"anyOf": [refs["LoadResponse"], refs["LoadResults"]]}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Embedded analytics service", "version": "1",
            "description": "Sessions for embedding, embed-tenant administration, streaming chat, and the data API.",
        },
        "servers": [{"url": base_url}],
        "paths": _paths(refs),
        "components": {
            "schemas": components,
            "securitySchemes": {
                "apiKey": {
                    "type": "apiKey", "in": "header", "name": "Authorization", "description": "`Api-Key <account key>`",
                },
                "userToken": {"type": "http", "scheme": "bearer", "description": "from /api/v1/embed/session/token"},
            },
        },
    }  # fmt: skip


def _name(model: Any) -> str:
    return str(getattr(model, "__name__", None) or model.__origin__.__name__) + "".join(
        f"_{item.__name__}" for item in getattr(model, "__args__", ())
    )


def _paths(refs: dict[str, Any]) -> dict[str, Any]:
    def operation(
        name: str, summary: str, *, security: list[Any], body: str = "", answer: str = "", stream: str = "",
        status: int = 200, parameters: list[Any] | None = None, fails: tuple[int, ...] = (), bare: tuple[int, ...] = (),
    ) -> dict[str, Any]:  # fmt: skip
        content: dict[str, Any] = {}
        if answer:
            content["application/json"] = {"schema": refs[answer]}
        if stream:
            content["application/x-ndjson"] = {"schema": {"type": "string", "description": stream}}
        if name == "runSql":
            content[data.ARROW_STREAM] = {"schema": {"type": "string", "format": "binary"}}
        good: dict[str, Any] = {"description": summary}
        if content:
            good["content"] = content
        error = {"application/json": {"schema": refs["ErrorBody"]}}
        responses: dict[str, Any] = {str(status): good}
        common = (400, 401, 408, 413, 415, 431, 500, 503) if body else (400, 401, 431, 500, 503)
        for code in (*common, *fails):
            responses[str(code)] = {"description": errors.phrase(code)} | ({} if code in bare else {"content": error})
        result: dict[str, Any] = {"operationId": name, "summary": summary, "responses": responses, "security": security}
        if parameters:
            result["parameters"] = parameters
        if body:
            result["requestBody"] = {"required": True, "content": {"application/json": {"schema": refs[body]}}}
        return result

    agent = [_ACCOUNT, _AGENT]
    abort = operation(
        "abortChat", "Stop the running turn of a thread", security=_EITHER, body="AbortRequest", status=204,
        parameters=agent, fails=(403, 404), bare=(403, 404),
    )  # fmt: skip
    frames = "one frame (schema Message) per line"
    return {
        "/api/v1/embed/generate-session": {
            "post": operation(
                "generateSession", "A session for an external or internal user", security=_KEY,
                body="GenerateSessionRequest", answer="GenerateSessionResponse", fails=(403, 404, 429),
            )
        },
        "/api/v1/embed/session/token": {
            "post": operation(
                "exchangeSession", "A user token for a session id, once", security=[], body="SessionTokenRequest",
                answer="SessionTokenResponse",
            )
        },
        "/api/v1/embed/session/revoke": {
            "post": operation(
                "revokeSession", "End a session and its token", security=[], body="RevokeSessionRequest", status=204
            )
        },
        f"{_EMBED}/groups": {
            "get": operation(
                "listGroups", "Groups of an embed tenant", security=_KEY, answer="Page_Group",
                parameters=[_TENANT, *_PAGING], fails=(403, 404),
            )
        },
        f"{_EMBED}/groups/{{id}}": {
            "delete": operation(
                "deleteGroup", "Delete a group without members", security=_KEY, status=204,
                parameters=[_TENANT, _ENTRY], fails=(403, 404),
            )
        },
        f"{_EMBED}/user-attributes": {
            "get": operation(
                "listUserAttributes", "User attributes of an embed tenant", security=_KEY,
                answer="Page_UserAttributeRecord", parameters=[_TENANT, *_PAGING], fails=(403, 404),
            )
        },
        f"{_EMBED}/user-attributes/{{id}}": {
            "delete": operation(
                "deleteUserAttribute", "Delete an attribute with its values", security=_KEY, status=204,
                parameters=[_TENANT, _ENTRY], fails=(403, 404),
            )
        },
        f"{_CHAT}/stream-chat-state": {
            "post": operation(
                "chat", "Ask, or replay a thread", security=_EITHER, body="ChatRequest", stream=frames,
                parameters=agent, fails=(403, 404, 429),
            )
        },
        f"{_CHAT}/stream-chat-state/abort": {"post": abort},
        f"{_CHAT}/abort": {"post": {**abort, "operationId": "abortChatShort"}},
        f"{_CHAT}/suggestions": {
            "get": operation(
                "suggestions", "Questions this user could start with", security=_EITHER, answer="SuggestionsResponse",
                parameters=[*agent, *_USER], fails=(403, 404),
            )
        },
        f"{_CHAT}/threads": {
            "get": operation(
                "listThreads", "The user's threads, latest first", security=_EITHER, answer="Page_Thread",
                parameters=[*agent, *_USER, *_PAGING], fails=(403, 404),
            )
        },
        f"{_CHAT}/threads/{{chatId}}": {
            "patch": operation(
                "renameThread", "Rename a thread", security=_EITHER, body="RenameThreadRequest", status=204,
                parameters=[*agent, _THREAD, *_USER], fails=(403, 404),
            ),
            "delete": operation(
                "deleteThread", "Delete a thread", security=_EITHER, status=204,
                parameters=[*agent, _THREAD, *_USER], fails=(403, 404),
            ),
        },
        f"{_CHAT}/threads/{{chatId}}/turns/{{turn}}/feedback": {
            "put": operation(
                "giveFeedback", "Whether an answer is right, and why", security=_EITHER, body="FeedbackRequest",
                status=204, parameters=[*agent, _THREAD, _TURN, *_USER], fails=(403, 404),
            )
        },
        "/api/v1/reload": {
            "post": operation(
                "reload", "Read data, model and configuration again; for account keys with admin access", security=_KEY,
                answer="Freshness", fails=(403, 409),
            )
        },
        "/api/v1/freshness": {
            "get": operation(
                "freshness", "What is answered from, and what is held back; for account keys with admin access",
                security=_KEY, answer="Freshness", fails=(403,),
            )
        },
        "/readyz": {
            "get": operation("readyz", "Whether the service answers, and from what", security=[], answer="Readiness")
        },
        "/svc-api/v1/sql": {
            "post": operation(
                "runSql", "Rows of a query over the data model", security=_EITHER, body="SqlRequest",
                stream="a line SchemaLine, then lines DataLine; ErrorLine when it breaks off", fails=(403, 404, 429),
            )
        },
        "/svc-api/v1/sql/explain": {
            "post": operation(
                "explainSql", "The compiled SQL and the row filters", security=_EITHER, body="SqlRequest",
                answer="ExplainResponse", fails=(403, 404, 429),
            )
        },
        "/svc-api/v1/access": {
            "post": operation(
                "access", "What a user sees, and why; for account keys with admin access", security=_KEY,
                body="AccessRequest", answer="AccessResponse", fails=(403, 404, 429),
            )
        },
        "/svc-api/v1/load": {
            "post": operation(
                "loadJson", "Rows of a JSON query", security=_EITHER, body="LoadRequest", answer="LoadAnswer",
                fails=(403, 404, 429),
            )
        },
        "/svc-api/v1/meta": {
            "get": operation(
                "meta", "Members the user may see", security=_EITHER, answer="MetaResponse",
                parameters=[*_USER, _SEARCH], fails=(403, 404),
            ),
            "post": operation(
                "metaAs", "The same for a user whose attributes and groups come along", security=_EITHER,
                body="MetaRequest", answer="MetaResponse", fails=(403, 404, 429),
            ),
        },
    }  # fmt: skip
