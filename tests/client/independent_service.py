"""A service written from the specification alone: the standard library, nothing of this project, its own conventions.

Where the specification is silent it chooses otherwise than this project does: ids are texts, lists are edges, answers
of the admin endpoints are 200 with a body. What a chat streams is handed in, byte for byte.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

KEY = "a-key-of-another-house"
CHAT = "/eu-1/acme/agents/7/stream-chat-state"


class Independent:
    """The state of the service, and what its chat says next."""

    def __init__(self) -> None:
        self.groups = {f"g-{n}": {"id": f"g-{n}", "name": f"group {n}"} for n in range(1, 6)}
        self.attributes = {
            "a/1": {"id": "a/1", "name": "city", "type": "string", "displayName": "City"},
            "a/2": {"id": "a/2", "name": "since", "type": "date"},
        }
        self.sessions: list[dict[str, Any]] = []
        self.chats: list[dict[str, Any]] = []
        self.aborted: list[dict[str, Any]] = []
        self.stream: list[bytes] = []
        self.status = 200
        self.page_size = 2

    def page(self, records: dict[str, Any], query: dict[str, list[str]]) -> dict[str, Any]:
        names = list(records)
        begin = names.index(query["after"][0].removeprefix("c:")) + 1 if "after" in query else 0
        shown = names[begin : begin + self.page_size]
        edges = [{"cursor": f"c:{name}", "node": records[name]} for name in shown]
        return {"edges": edges, "pageInfo": {"hasNextPage": begin + self.page_size < len(names)}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    house: Independent

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        path, query = self._where()
        if self._known():
            found = {"groups": self.house.groups, "user-attributes": self.house.attributes}.get(path[-1])
            self._json(200, self.house.page(found, query)) if found is not None else self._json(404, {"error": "?"})

    def do_DELETE(self) -> None:
        path, _ = self._where()
        if self._known():
            records = self.house.groups if path[-2] == "groups" else self.house.attributes
            gone = records.pop(unquote(path[-1]), None)
            self._json(200, {"deleted": gone}) if gone else self._json(404, {"error": {"message": "no such record"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path, _ = self._where()
        if not self._known():
            return
        if path[-1] == "generate-session":
            self.house.sessions.append(body)
            self._json(201, {"sessionId": f"s{len(self.house.sessions)}", "note": "more than was promised"})
        elif path[-1] == "abort":
            self.house.aborted.append(body)
            self.send_response(204)
            self.end_headers()
        else:
            self.house.chats.append(body)
            self._stream()

    def _stream(self) -> None:
        self.send_response(self.house.status)
        self.send_header("content-type", "text/plain")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in self.house.stream:
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _where(self) -> tuple[list[str], dict[str, list[str]]]:
        parts = urlsplit(self.path)
        return parts.path.split("/"), parse_qs(parts.query)

    def _known(self) -> bool:
        if self.headers["authorization"] == f"Api-Key {KEY}":
            return True
        self._json(401, {"message": ["this key", "opens nothing"]})
        return False

    def _json(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def independent_service() -> Iterator[tuple[Independent, str]]:
    """A running one, and its address."""
    house = Independent()
    handler = type("Handler", (_Handler,), {"house": house})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield house, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
