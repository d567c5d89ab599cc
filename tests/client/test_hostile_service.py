"""A service on a real socket that does everything wrong: clear errors, bounded waiting, and the key stays at home."""

from __future__ import annotations

import gzip
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from svc_notebook.client import Client, errors
from svc_notebook.client.retries import Retries
from svc_notebook.client.wire import stream

from .conftest import ANSWER, CUTOFF, QUESTION, final, no_sleep

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
ONCE = Retries(attempts=1, sleep=no_sleep)
Script = Callable[[socket.socket], None]


class Server:
    """Answers each connection with a script that has the bare socket; keeps what was asked."""

    def __init__(self, script: Script) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._script = script
        self.asked: list[bytes] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):  # the client has gone, or asks nothing: that is what some tests want
            connection.settimeout(10)
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(65536)
            head, _, body = request.partition(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
            )
            while len(body) < length:
                body += connection.recv(65536)
            self.asked.append(head + b"\r\n\r\n" + body)
            self._script(connection)

    def close(self) -> None:
        self._listener.close()


@contextmanager
def serving(script: Script, **options: object) -> Iterator[tuple[Server, Client]]:
    server = Server(script)
    given = {"chat_api_url": f"{server.url}/stream-chat-state", "retries": ONCE, "timeout": 5.0, **options}
    try:
        with Client(server.url, "the-secret-key", **given) as client:  # type: ignore[arg-type]
            yield server, client
    finally:
        server.close()


def lines(*frames: object) -> bytes:
    return b"".join(json.dumps(frame, ensure_ascii=False).encode() + b"\n" for frame in frames)


def sending(*pieces: bytes | float) -> Script:
    def script(connection: socket.socket) -> None:
        for piece in pieces:
            if isinstance(piece, bytes):
                connection.sendall(piece)
            else:
                time.sleep(piece)

    return script


def status(code: int, body: bytes = b"", *headers: bytes) -> bytes:
    head = [b"HTTP/1.1 %d X" % code, b"Content-Length: %d" % len(body), b"Connection: close", *headers]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def test_every_byte_alone_and_characters_split() -> None:
    text = "naïve 🛫 – größer\u2028ok"
    wire = lines(CUTOFF, QUESTION, final(text, 2), final(text, 3, delta=False), ANSWER[-2])
    with serving(sending(OK, *(wire[at : at + 1] for at in range(len(wire))))) as (_, client):
        assert client.chat(external_id="ana").ask("x").text == text


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"", b"\n\n\n"])
def test_line_ends_of_every_kind(end: bytes) -> None:
    wire = lines(*ANSWER).replace(b"\n", b"\r\n" if end == b"\r\n" else b"\n").rstrip() + end
    with serving(sending(OK, wire)) as (_, client):
        assert client.chat(external_id="ana").ask("x").status == "complete"


@pytest.mark.parametrize("kind", [b"text/html", b"application/json", b"text/event-stream", b"", b"\xff"])
def test_the_content_type_does_not_matter(kind: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\nConnection: close\r\n\r\n"
    with serving(sending(head, lines(*ANSWER))) as (_, client):
        assert client.chat(external_id="ana").ask("x").status == "complete"


def test_a_line_without_end_is_cut_off() -> None:
    sent = 0

    def flood(connection: socket.socket) -> None:
        nonlocal sent
        connection.sendall(OK + b'{"id":"a","content":"')
        while True:
            sent += connection.send(b"x" * 65536)

    with serving(flood) as (_, client), pytest.raises(errors.LineTooLong, match="67,108,864 bytes"):
        client.chat(external_id="ana").ask("x")
    assert sent < 2 * stream.MAX_LINE


def test_silence_before_the_answer_times_out() -> None:
    with serving(sending(10.0), timeout=0.3) as (_, client), pytest.raises(errors.RequestTimeout):
        client.meta()


def trickling(connection: socket.socket) -> None:
    connection.sendall(OK)
    while True:
        connection.sendall(b" ")
        time.sleep(0.02)


def flooding(connection: socket.socket) -> None:
    connection.sendall(OK)
    while True:
        connection.sendall(b" " * 65536)


def test_an_answer_that_never_gets_whole_has_a_limit_in_time_and_in_size() -> None:
    with serving(trickling, timeout=0.5) as (_, client), pytest.raises(errors.RequestTimeout, match=r"0\.5 s"):
        client.generate_session(deployment_id=1, external_id="ana")
    with serving(flooding, timeout=60) as (_, client), pytest.raises(errors.NotAService, match="67,108,864 bytes"):
        client.tenant("acme-corp").groups()


def test_a_chat_that_never_begins_to_answer_times_out() -> None:
    with (
        serving(sending(10.0), stream_timeout=0.3) as (_, client),
        pytest.raises(errors.RequestTimeout, match=r"0\.3 s"),
    ):
        client.chat(external_id="ana").ask("x")


@pytest.mark.parametrize("code", [b"200 OK", b"500 X"])
def test_a_small_answer_that_unpacks_to_a_huge_one_is_given_up(code: bytes) -> None:
    packed = gzip.compress(bytes(128 * 1024 * 1024))
    head = b"HTTP/1.1 %s\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % (code, len(packed))
    with serving(sending(head, packed), timeout=60) as (_, client), pytest.raises(errors.NotAService, match="larger"):
        client.generate_session(deployment_id=1, external_id="ana")


def test_a_list_without_end_is_given_up() -> None:
    page = json.dumps({"items": [], "pageInfo": {"hasNextPage": True, "endCursor": None}})
    numbers = itertools.count()

    def next_page(connection: socket.socket) -> None:
        connection.sendall(status(200, page.replace("null", f'"{next(numbers)}"').encode()))

    with serving(next_page) as (_, client), pytest.raises(errors.NotAService, match="1,000 pages"):
        client.tenant("acme-corp").groups()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"\xff\xff\xff\xff\x10\0\0\0" + bytes(200), "neither rows nor an Arrow stream"),
        (b'{"schema":[{"name":"a"}]}\n{"data":{"x":1}}\n', "holds no rows"),
        (b'{"schema":[{"name":"a"}]}\n{"data":[[1', "cannot be read"),
    ],
)
def test_rows_that_are_none(body: bytes, message: str) -> None:
    with serving(sending(status(200, body))) as (_, client), pytest.raises(errors.NotAService, match=message):
        client.sql("SELECT 1", external_id="ana")


def test_records_of_another_shape_are_no_records() -> None:
    answer = status(200, b'{"items":[{"id":"x"}],"pageInfo":null}')
    with serving(sending(answer)) as (_, client), pytest.raises(errors.NotAService, match="not what this endpoint"):
        client.tenant("acme-corp").groups()
    with serving(sending(status(200, b'{"items":null,"pageInfo":null}'))) as (_, client):
        assert client.tenant("acme-corp").groups() == []


@pytest.mark.parametrize("when", [b"soon", b"Fri, 31 Dec 99999 23:59:59 GMT", b"-5", b"nan"])
def test_a_time_to_wait_that_says_nothing_is_a_refusal_like_any(when: bytes) -> None:
    refusal = status(429, b"{}", b"Retry-After: " + when)
    with serving(sending(refusal)) as (_, client), pytest.raises(errors.RateLimited):
        client.generate_session(deployment_id=1, external_id="ana")


def test_silence_within_the_answer_keeps_what_has_come() -> None:
    script = sending(OK, lines(CUTOFF, QUESTION, final("Two ", 2)), 10.0)
    with serving(script, stream_timeout=0.3) as (_, client):
        answer = client.chat(external_id="ana").ask("x")
    assert (answer.status, answer.text) == ("failed", "Two ")


def test_blank_lines_keep_a_slow_stream_alive() -> None:
    pauses: list[bytes | float] = [piece for _ in range(6) for piece in (0.1, b"\n")]
    script = sending(OK, lines(CUTOFF, QUESTION), *pauses, lines(*ANSWER[2:]))
    with serving(script, stream_timeout=0.4) as (_, client):
        assert client.chat(external_id="ana").ask("x").status == "complete"


def test_a_connection_that_breaks_keeps_what_has_come() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    wire = lines(CUTOFF, QUESTION, final("Two ", 2))
    with serving(sending(head, b"%x\r\n%b\r\n" % (len(wire), wire))) as (_, client):
        answer = client.chat(external_id="ana").ask("x")
    assert (answer.status, answer.text) == ("failed", "Two ")
    assert "broke off" in str(answer.error)


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "nonsense://127.0.0.1:1"])
def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", proxy)
    with Client("http://example.invalid", "the-secret-key") as client, pytest.raises(errors.SvcError) as failed:
        client.meta()
    assert "socks" in str(failed.value) if "socks" in proxy else "nonsense" in str(failed.value)


def test_nobody_there() -> None:
    server = Server(sending())
    server.close()
    client = Client(server.url, "the-secret-key", retries=ONCE)
    with pytest.raises(errors.ConnectionFailed, match=r"Check its URL|connection failed"):
        client.meta()


@pytest.mark.parametrize("answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"])
def test_what_is_no_http_is_a_failed_connection(answer: bytes) -> None:
    with serving(sending(answer)) as (_, client), pytest.raises(errors.ConnectionFailed):
        client.meta()


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_never_carries_the_key_to_another_host(code: int) -> None:
    elsewhere = Server(sending(status(200, b'{"cubes":[]}')))
    location = b"Location: " + elsewhere.url.replace("127.0.0.1", "localhost").encode() + b"/x"
    with serving(sending(status(code, b"", location))) as (_, client):
        for call in (client.meta, lambda: client.chat(external_id="ana").ask("x")):
            with pytest.raises(errors.RedirectRefused, match="not carried to another host"):
                call()
    elsewhere.close()
    assert elsewhere.asked == []


def test_another_port_is_another_host() -> None:
    elsewhere = Server(sending(status(200, b'{"cubes":[]}')))
    with serving(sending(status(307, b"", b"Location: " + elsewhere.url.encode()))) as (_, client):
        with pytest.raises(errors.RedirectRefused):
            client.meta()
    elsewhere.close()
    assert elsewhere.asked == []


def test_a_redirect_within_the_service_is_followed_with_its_body() -> None:
    answers = iter([status(307, b"", b"Location: /moved"), status(200, b'{"sessionId":"s"}')])
    with serving(lambda connection: connection.sendall(next(answers))) as (server, client):
        assert client.generate_session(deployment_id=1, external_id="ana").session_id == "s"
    first, second = server.asked
    assert first.partition(b"\r\n\r\n")[2] == second.partition(b"\r\n\r\n")[2] != b""
    assert second.startswith(b"POST /moved ")
    assert b"Api-Key the-secret-key" in second


def test_a_redirect_in_a_circle_ends() -> None:
    with serving(sending(status(307, b"", b"Location: /again"))) as (_, client):
        with pytest.raises(errors.RedirectRefused, match="circle"):
            client.meta()


@pytest.mark.parametrize(
    "body",
    [
        b"<html><h1>502 Bad Gateway</h1></html>",
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"message":{"a":[{"b":null}]}}',
        b"null",
        b"[]",
    ],
)
def test_error_pages_of_every_kind_are_errors_with_a_text(body: bytes) -> None:
    with serving(sending(status(500, body))) as (_, client), pytest.raises(errors.ServerFailed) as caught:
        client.meta()
    assert 0 < len(str(caught.value)) < 400


def test_the_key_is_in_no_error() -> None:
    for answer in (status(401, b'{"message":"bad key"}'), b"nonsense\r\n\r\n", status(200, b"<html>")):
        with serving(sending(answer)) as (_, client), pytest.raises(errors.SvcError) as caught:
            client.meta()
        assert "the-secret-key" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_a_body_that_is_wrongly_compressed_is_a_failed_connection() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!"
    with serving(sending(head)) as (_, client), pytest.raises(errors.TransportError):
        client.meta()


def test_numbers_that_json_cannot_hold_are_read() -> None:
    frame = b'{"id":"f","role":"assistant","graphPath":["final"],"content":"ok","isDelta":false,"isInProcess":false,"sort":NaN}\n'
    huge = b'{"id":"z","sort":1e999,"state":{"n":' + b"9" * 5_000 + b"}}\n"
    with serving(sending(OK, lines(CUTOFF, QUESTION), frame, huge, lines(ANSWER[-2]))) as (_, client):
        assert client.chat(external_id="ana").ask("x").text == "ok"
