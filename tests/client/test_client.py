"""Sessions, tenants, data API, keys; and both clients have the same face."""

from __future__ import annotations

import inspect
import json
import sys
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from starlette.responses import JSONResponse, Response

from svc_notebook import client as client_package
from svc_notebook.client import AsyncClient, Client, errors
from svc_notebook.client.chat import AsyncChat, Chat
from svc_notebook.client.chat_stream import AsyncChatStream, ChatStream
from svc_notebook.client.retries import Retries
from svc_notebook.client.sessions import AsyncSession, AsyncTenant, Session, Tenant
from svc_notebook.protocol.tools import Column

from ..loops import run
from .conftest import BASE, ScriptedService

SESSION = "/api/v1/embed/generate-session"
TENANT = "/api/v1/embed-tenants/acme-corp"
NOON = "2024-11-20T12:00:00Z"
DUNDERS = {"__aenter__": "__enter__", "__aexit__": "__exit__", "__aiter__": "__iter__", "__anext__": "__next__"}


def face(kind: type) -> dict[str, list[tuple[str, Any]]]:
    """Public methods and how they are called; the awaiting ones under the names of the blocking ones."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for name, member in inspect.getmembers(kind):
        if name.startswith("_") and name not in DUNDERS.keys() | DUNDERS.values():
            continue
        if callable(member):
            parameters = inspect.signature(member).parameters.values()
            found[DUNDERS.get(name, name)] = [(each.name, each.kind, each.default) for each in parameters]
        else:
            found[name] = []
    return found


@pytest.mark.parametrize(
    "blocking, awaiting",
    [
        (Client, AsyncClient),
        (Chat, AsyncChat),
        (ChatStream, AsyncChatStream),
        (Session, AsyncSession),
        (Tenant, AsyncTenant),
    ],
)
def test_the_blocking_and_the_awaiting_face_are_the_same(blocking: type, awaiting: type) -> None:
    assert face(blocking) == face(awaiting)


def test_the_public_list_is_sorted_and_there() -> None:
    assert client_package.__all__ == sorted(client_package.__all__)
    assert all(hasattr(client_package, name) for name in client_package.__all__)


def test_the_tree_of_errors_is_as_drawn() -> None:
    drawn = [line.split("──")[1].split()[0] for line in str(errors.__doc__).splitlines() if "──" in line]
    assert sorted(["SvcError", *drawn]) == sorted(name for name in errors.__all__ if name[0].isupper())
    assert all(issubclass(getattr(errors, name), errors.SvcError) for name in drawn)


def test_a_session_carries_what_was_given_and_nothing_else(service: ScriptedService, client: Client) -> None:
    service.answers = {SESSION: [JSONResponse({"sessionId": "ab" * 16})]}
    session = client.generate_session(
        deployment_id=7, external_id="ana", user_attributes={"region": ["EMEA"], "limit": 3, "city": None}, groups=["analysts"],
        creator_mode=True, embed_tenant_name="acme-corp", group_definitions=["analysts", {"name": "g", "description": "d"}],
        user_attribute_definitions=[{"name": "region", "type": "string_array", "displayName": "Region"}],
    )  # fmt: skip
    assert service.asked(SESSION) == [
        {
            "deploymentId": 7, "externalId": "ana", "embedTenantName": "acme-corp", "creatorMode": True, "groups": ["analysts"],
            "userAttributes": [
                {"name": "region", "value": ["EMEA"]}, {"name": "limit", "value": 3}, {"name": "city", "value": None},
            ],
            "groupDefinitions": [{"name": "analysts"}, {"name": "g", "description": "d"}],
            "userAttributeDefinitions": [{"name": "region", "type": "string_array", "displayName": "Region"}],
        }
    ]  # fmt: skip
    assert session.session_id == "ab" * 16
    assert session.embed_url("chat") == f"{BASE}/embed/d/7/chat?session={session.session_id}"
    assert session.embed_url("dashboard/x y").startswith(f"{BASE}/embed/d/7/dashboard/x%20y?session=")
    assert session.session_id not in repr(session)
    assert service.requests[0][3]["authorization"] == "Api-Key test-key-0123456789"


def test_groups_given_empty_are_sent_empty(service: ScriptedService, client: Client) -> None:
    service.answers = {SESSION: [JSONResponse({"sessionId": "s"})] * 2}
    client.generate_session(deployment_id=1, external_id="ana", groups=[])
    client.generate_session(deployment_id=1, external_id="ana")
    assert [body.get("groups") for body in service.asked(SESSION)] == [[], None]


def test_a_session_is_exchanged_and_revoked(service: ScriptedService, client: Client) -> None:
    service.answers = {
        SESSION: [JSONResponse({"sessionId": "s"})],
        "/api/v1/embed/session/token": [JSONResponse({"token": "t"}), JSONResponse({"message": "used"}, 401)],
        "/api/v1/embed/session/revoke": [Response(status_code=204)],
    }
    session = client.generate_session(deployment_id=1, external_id="ana")
    assert session.token() == "t"
    with pytest.raises(errors.AuthenticationFailed, match="used"):
        session.token()
    session.revoke()


def test_lists_are_read_page_after_page(service: ScriptedService, client: Client) -> None:
    pages = [
        {"items": [{"id": 1, "name": "a"}], "pageInfo": {"hasNextPage": True, "endCursor": "x"}},
        {"data": [{"id": 2, "name": "b", "userCount": 3, "new": "field"}], "pageInfo": {"hasNextPage": False}},
    ]
    service.answers = {f"{TENANT}/groups": [JSONResponse(page) for page in pages]}
    assert [(group.id, group.name, group.user_count) for group in client.tenant("acme-corp").groups()] == [
        (1, "a", 0),
        (2, "b", 3),
    ]


@pytest.mark.parametrize(("limit", "asked"), [(None, 3), (1, 1), (2, 1), (3, 2), (99, 3)])
def test_no_more_threads_are_fetched_than_wanted(
    service: ScriptedService, client: Client, limit: int | None, asked: int
) -> None:
    def page(number: int) -> JSONResponse:
        items = [{"chatId": f"{number}{at}", "title": "t", "createdAt": NOON, "updatedAt": NOON} for at in "ab"]
        return JSONResponse({"items": items, "pageInfo": {"hasNextPage": number < 2, "endCursor": f"c{number}"}})

    path = "/chat/threads"
    service.answers = {path: [page(number) for number in range(3)]}
    found = client.threads(limit, external_id="ana")
    assert [thread.chat_id for thread in found] == ["0a", "0b", "1a", "1b", "2a", "2b"][:limit]
    assert len(service.asked(path)) == asked


def test_a_limit_of_threads_is_one_or_more(client: Client) -> None:
    with pytest.raises(ValueError, match="limit is 0: give 1 or more"):
        client.threads(0, external_id="ana")


def test_a_list_whose_cursor_stands_still_ends(service: ScriptedService, client: Client) -> None:
    page = {"items": [{"id": 1, "name": "a", "type": "string"}], "pageInfo": {"hasNextPage": True, "endCursor": "x"}}
    service.answers = {f"{TENANT}/user-attributes": [JSONResponse(page)] * 5}
    assert len(client.tenant("acme-corp").user_attributes()) == 2


def test_deleting(service: ScriptedService, client: Client) -> None:
    service.answers = {
        f"{TENANT}/groups/4": [Response(status_code=204)],
        f"{TENANT}/user-attributes/5": [JSONResponse({"message": "no such attribute"}, 404)],
    }
    client.tenant("acme-corp").delete_group(4)
    with pytest.raises(errors.NotFound, match="no such attribute"):
        client.tenant("acme-corp").delete_user_attribute(5)


def test_sql_over_the_wire_as_lines_and_as_arrow(service: ScriptedService, client: Client) -> None:
    head = {
        "schema": [{"name": "n", "column_type": "Int64"}],
        "rowFilters": [{"cube": "c", "filter": "f"}],
        "notes": ["note"],
    }
    lines = f'{json.dumps(head)}\n{{"data":[["1"],[2]]}}\n{{"data":[]}}\n'
    sink = pa.BufferOutputStream()
    extras = {key: head[key] for key in ("rowFilters", "notes")} | {"user": "ana"}
    table = pa.table({"n": [1, 2]}).replace_schema_metadata({"svc": json.dumps(extras)})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    service.answers = {"/svc-api/v1/sql": [Response(lines), Response(bytes(sink.getvalue()))] * 2}
    for _ in range(2):
        assert client.query("SELECT n").schema == [Column("n", "Int64")]
    for frame in (client.sql("SELECT n", external_id="ana"), client.sql("SELECT n", external_id="ana")):
        assert frame["n"].tolist() == [1, 2]
        assert frame.attrs["row_filters"] == [{"cube": "c", "filter": "f"}]
        assert str(frame["n"].dtype) == "Int64"
        assert frame.attrs["notes"] == ["note"]
        assert frame.attrs["user"].startswith("ana")


def test_an_error_after_the_schema_raises(service: ScriptedService, client: Client) -> None:
    lines = '{"schema":[{"name":"n","column_type":"Int64"}]}\n{"data":[[1]]}\n{"error":"ran out of memory"}\n'
    service.answers = {"/svc-api/v1/sql": [Response(lines)]}
    with pytest.raises(errors.QueryFailed, match="ran out of memory"):
        client.sql("SELECT n", external_id="ana")


def test_a_service_that_asks_to_wait_is_asked_again(service: ScriptedService, client: Client) -> None:
    wait, rows = (
        Response('{"error":"Continue wait"}'),
        Response('{"schema":[{"name":"n","column_type":"Int64"}]}\n{"data":[[1]]}'),
    )
    service.answers = {"/svc-api/v1/sql": [wait, wait, rows]}
    assert client.sql("SELECT n")["n"].tolist() == [1]


@pytest.mark.parametrize(
    "body, message",
    [
        ({"message": "no"}, "no"), ({"error": "no"}, "no"), ({"message": ["a", {"message": "b"}]}, "a; b"),
        ({"error": {"code": 1, "message": "no"}}, "no"), ({"statusCode": 400, "error": "Bad Request", "message": "no"}, "no"),
    ],
)  # fmt: skip
def test_error_bodies_of_every_shape_are_read(
    service: ScriptedService, client: Client, body: Any, message: str
) -> None:
    service.answers = {"/svc-api/v1/meta": [JSONResponse(body, 400)]}
    with pytest.raises(errors.BadRequest) as caught:
        client.meta()
    assert str(caught.value) == f"{message} (HTTP 400)"


def test_an_error_object_in_a_200_raises(service: ScriptedService, client: Client) -> None:
    service.answers = {
        "/svc-api/v1/meta": [JSONResponse({"statusCode": 403, "error": "Forbidden", "message": "not you"})]
    }
    with pytest.raises(errors.PermissionDenied, match="not you"):
        client.meta()


def test_another_content_is_not_a_service(service: ScriptedService, client: Client) -> None:
    service.answers = {"/svc-api/v1/meta": [Response("<html>hello</html>")], "/svc-api/v1/sql": [Response("hello")]}
    with pytest.raises(errors.NotAService, match="check the URL"):
        client.meta()
    with pytest.raises(errors.NotAService, match="check the URL"):
        client.sql("SELECT 1")


def test_what_is_repeated_and_what_is_not(service: ScriptedService, client: Client) -> None:
    busy, gone = Response(status_code=503), Response(status_code=502)
    service.answers = {
        "/svc-api/v1/meta": [gone, JSONResponse({"cubes": []})],
        "/api/v1/embed/session/token": [gone],
        SESSION: [busy, JSONResponse({"sessionId": "s"})],
    }
    assert client.meta().cubes == []
    session = client.generate_session(deployment_id=1, external_id="ana")
    with pytest.raises(errors.ServerFailed):
        session.token()


@pytest.mark.parametrize("search", [None, "airlines"])
def test_what_is_searched_for_is_asked_with_no_more_than_a_name(search: str | None) -> None:
    library = pytest.importorskip("httpx")
    asked: list[dict[str, str]] = []

    def handler(request: Any) -> Any:
        asked.append(dict(request.url.params))
        return library.Response(200, json={"cubes": []})

    with Client(BASE, "key", http_client=library.AsyncClient(transport=library.MockTransport(handler))) as client:
        client.meta(search, external_id="ana")
    assert [one.get("searchQuery") for one in asked] == [search]


@pytest.mark.parametrize("end", ["", "/", "//"])
def test_a_stroke_at_the_end_of_the_address_is_none_of_its_path(end: str) -> None:
    library = pytest.importorskip("httpx")
    asked: list[str] = []

    def handler(request: Any) -> Any:
        asked.append(request.url.path)
        return library.Response(200, json={"cubes": []})

    with Client(
        f"{BASE}{end}", "key", http_client=library.AsyncClient(transport=library.MockTransport(handler))
    ) as client:
        client.meta()
    assert asked == ["/svc-api/v1/meta"]


def test_a_service_that_stays_busy_is_given_up(service: ScriptedService, client: Client) -> None:
    service.answers = {"/svc-api/v1/meta": [Response(status_code=429, headers={"retry-after": "0"})] * 9}
    with pytest.raises(errors.RateLimited):
        client.meta()
    assert len(service.requests) == 4


def test_a_wait_that_is_too_long_is_the_callers_to_decide(service: ScriptedService, client: Client) -> None:
    service.answers = {"/svc-api/v1/meta": [Response(status_code=429, headers={"retry-after": "7200"})]}
    with pytest.raises(errors.RateLimited) as caught:
        client.meta()
    assert caught.value.retry_after == 7200
    assert len(service.requests) == 1


def test_keys_come_from_the_environment_and_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_API_KEY", "secret-key-of-the-account")
    monkeypatch.setenv("SVC_BASE_URL", BASE)
    for made in (Client(), AsyncClient(), Client(BASE, token="token-of-a-user")):
        assert "secret-key" not in repr(made)
        assert "token-of-a-user" not in repr(made)
        assert "secret-key" not in repr(made._calls.address)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVC_API_KEY", raising=False)
    monkeypatch.delenv("SVC_BASE_URL", raising=False)
    for arguments, message in [
        ({}, "SVC_BASE_URL"), ({"base_url": BASE}, "SVC_API_KEY"), ({"base_url": "host", "api_key": "k"}, "http://"),
        ({"base_url": BASE, "api_key": "k\n"}, "no key has"), ({"base_url": BASE, "api_key": "k", "token": "t"}, "not both"),
    ]:  # fmt: skip
        with pytest.raises(errors.ConfigurationError, match=message):
            Client(**arguments)  # type: ignore[arg-type]


def test_an_async_client_works_on_any_loop(service: ScriptedService, async_client: AsyncClient) -> None:
    service.answers = {
        SESSION: [JSONResponse({"sessionId": "s"})] * 2,
        "/api/v1/embed/session/token": [JSONResponse({"token": "t"})] * 2,
        f"{TENANT}/groups": [JSONResponse({"items": []})] * 2,
        "/svc-api/v1/sql": [Response('{"schema":[{"name":"n","column_type":"Int64"}]}\n{"data":[[1]]}')] * 2,
    }

    async def use() -> list[int]:
        session = await async_client.generate_session(deployment_id=1, external_id="ana")
        assert await session.token() == "t"
        assert await async_client.tenant("acme-corp").groups() == []
        return (await async_client.sql("SELECT n"))["n"].tolist()

    assert [run(use()), run(use())] == [[1], [1]]


@pytest.mark.parametrize("name", ["httpx", "httpx2"])
def test_a_client_of_either_library_may_be_given(name: str) -> None:
    library = pytest.importorskip(name)

    class Tuned(library.AsyncClient):  # type: ignore[misc,name-defined]
        """As some libraries hand out."""

    def handler(request: Any) -> Any:
        if request.url.path == "/svc-api/v1/meta":
            return library.Response(307, headers={"location": "/moved"})
        if request.url.path == "/moved":
            return library.Response(200, json={"cubes": []})
        if request.url.path == "/svc-api/v1/sql":
            raise library.ReadTimeout("slow", request=request)
        if request.url.path.endswith("/chat/stream-chat-state"):
            raise TimeoutError("a wait of the library's own")
        raise library.ConnectError("nobody there", request=request)

    client = Client(
        BASE, "key", http_client=Tuned(transport=library.MockTransport(handler)), retries=Retries(attempts=1),
        chat_api_url=f"{BASE}/chat/stream-chat-state",
    )  # fmt: skip
    assert client.meta().cubes == []
    with pytest.raises(errors.RequestTimeout):
        client.sql("SELECT 1")
    with pytest.raises(TimeoutError, match="the library's own"):
        client.chat(external_id="ana").ask("x")
    with pytest.raises(errors.ConnectionFailed):
        client.explain("SELECT 1")


def test_a_key_may_lie_in_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    class KeyringError(Exception): ...

    stored = {("svc_notebook", BASE): "from-the-keyring"}

    def get_password(service: str, name: str) -> str | None:
        if name == "http://locked":
            raise KeyringError
        return stored.get((service, name))

    keyring = SimpleNamespace(get_password=get_password, errors=SimpleNamespace(KeyringError=KeyringError))
    monkeypatch.setitem(sys.modules, "keyring", keyring)  # type: ignore[arg-type]
    monkeypatch.delenv("SVC_API_KEY", raising=False)
    assert Client(BASE)._calls.address.api_key == "from-the-keyring"
    for other in ("http://locked", "http://unknown"):
        with pytest.raises(errors.ConfigurationError, match=r"keyring\.set_password"):
            Client(other)


def test_the_key_goes_to_another_host_only_with_a_word() -> None:
    chat = "https://ai.example.com/chat/stream-chat-state"
    with pytest.warns(
        UserWarning, match=r"key for example\.com goes to ai\.example\.com as well, as chat_api_url says"
    ):
        Client("https://example.com", "key", chat_api_url=chat)
    with pytest.warns(UserWarning, match=r"user token for .* as abort_url says"):
        Client("https://example.com", token="token", abort_url="https://other.example.com/abort")
    with pytest.raises(errors.ConfigurationError, match="in the clear"):
        Client("https://example.com", "key", chat_api_url="http://example.com/chat")
    Client("https://example.com", "key", chat_api_url="https://EXAMPLE.com/chat")  # no other host
