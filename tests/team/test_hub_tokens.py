"""User tokens for the people of a JupyterHub: what the small service asks, gives and refuses; and with a real Hub."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import svc_notebook as svc
from svc_notebook.client.wire.transport import Http
from svc_notebook.hub_tokens import HubPlace, Kind, TokenService, hub_app

from .served import CHAT, PATIENCE, Served, eventually, served

ROOT = Path(__file__).parents[2]
USES = "access:services!service=analytics"
PLACE = HubPlace("http://hub.local/hub/api", "analytics", "/services/analytics/")
WHOSE: dict[str, tuple[int, Any]] = {  # token -> what the Hub says of it
    "ana-s": (200, {"kind": "user", "name": "ana", "scopes": [USES], "groups": ["emea"]}),
    "ben-s": (200, {"kind": "user", "name": "ben", "scopes": ["access:services"]}),
    "Eve-s": (200, {"kind": "user", "name": "Eve", "scopes": [USES]}),
    "no-access": (200, {"kind": "user", "name": "dan", "scopes": ["access:services!service=other"]}),
    "a-service": (200, {"kind": "service", "name": "cull", "scopes": [USES]}),
    "strange": (200, ["ana"]),
    "gone": (403, {"message": "Forbidden"}),
}


async def _user(request: Request) -> Response:
    status, said = WHOSE.get(request.headers["authorization"].removeprefix("token "), (403, {}))
    return JSONResponse(said, status)


HUB = Starlette(routes=[Route("/hub/api/user", _user)])


@pytest.fixture(scope="module")
def analytics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("analytics")) as running:
        yield running


def asked(address: str, header: str | None, **more: Any) -> httpx.Response:
    """The answer to a notebook server that shows this header."""
    return asyncio.run(_asked(address, header, **more))


async def _asked(address: str, header: str | None, *, kind: Kind = "external", groups: bool = False) -> httpx.Response:
    hub = Http(client=httpx.AsyncClient(transport=httpx.ASGITransport(HUB)))
    async with svc.AsyncClient(address, "of-acme") as client:
        app = hub_app(TokenService(PLACE, client, kind=kind, groups=groups, http=hub))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://tokens.local") as http:
            headers = {} if header is None else {"Authorization": header}
            return await http.post("/services/analytics/token", headers=headers)


@pytest.mark.parametrize("header", ["token ana-s", "Bearer ana-s", "token ben-s"])
def test_whoever_the_hub_knows_gets_a_token_of_their_own(analytics: Served, header: str) -> None:
    answer = asked(analytics.address, header)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    name = header.split()[1].removesuffix("-s")
    chat_url = f"{analytics.address}{CHAT}"
    with svc.Client(analytics.address, token=answer.json()["token"], chat_api_url=chat_url) as client:
        chat = client.chat()
        chat.ask("how many orders")
    with svc.Client(analytics.address, "of-acme", chat_api_url=chat_url) as operator:
        assert chat.chat_id in [thread.chat_id for thread in operator.threads(external_id=name)]


@pytest.mark.parametrize(
    ("header", "status", "said"),
    [
        (None, 401, "JUPYTERHUB_API_TOKEN"),
        ("Basic ana-s", 401, "JUPYTERHUB_API_TOKEN"),
        ("token ", 401, "JUPYTERHUB_API_TOKEN"),
        ("token nobody", 401, "may have ended"),
        ("token gone", 401, "may have ended"),
        ("token no-access", 403, "access:services!service=analytics"),
        ("token a-service", 403, "for people"),
        ("token strange", 503, "cannot be read"),
        ("token Eve-s", 400, "'eve'"),
    ],
)
def test_everybody_else_is_told_why_not(analytics: Served, header: str | None, status: int, said: str) -> None:
    answer = asked(analytics.address, header)
    assert answer.status_code == status
    assert said in answer.json()["message"]
    assert "of-acme" not in answer.text


def test_groups_are_the_hubs_and_must_be_known(analytics: Served) -> None:
    answer = asked(analytics.address, "token ana-s", groups=True)
    assert (answer.status_code, "emea" in answer.json()["message"]) == (400, True)
    answer = asked(analytics.address, "token ben-s", groups=True)
    assert (answer.status_code, "read:users:groups" in answer.json()["message"]) == (403, True)


def test_internal_users_must_be_there_already(analytics: Served) -> None:
    answer = asked(analytics.address, "token ana-s", kind="internal")
    assert answer.status_code in {400, 503}
    assert "token" not in answer.json()


def test_a_service_that_is_away_is_told_without_its_key(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = asked(f"http://127.0.0.1:{taken.getsockname()[1]}", "token ana-s")
    assert answer.status_code == 503
    assert "'analytics' got no token for ana" in answer.json()["message"]


# With a Hub: its own environment, its proxy from npm; a program in place of the notebook server, which asks a question.

PROGRAM = """
import json, os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit
import svc_notebook as svc
with svc.Client() as client:
    chat = client.chat()
    answer = chat.ask("how many orders")
    told = {"text": answer.text, "thread": chat.chat_id, "key": "SVC_API_KEY" in os.environ}
with open(os.path.join(sys.argv[1], os.environ["JUPYTERHUB_USER"]), "w") as out:
    json.dump(told, out)
class Up(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
place = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
HTTPServer((place.hostname, place.port), Up).serve_forever()
"""
OF_THE_TEST = """
c.JupyterHub.bind_url, c.JupyterHub.hub_bind_url = "http://127.0.0.1:{0}", "http://127.0.0.1:{1}"
c.ConfigurableHTTPProxy.command, c.ConfigurableHTTPProxy.api_url = [{proxy!r}], "http://127.0.0.1:{2}"
c.JupyterHub.authenticator_class, c.JupyterHub.spawner_class = "dummy", "simple"
c.Authenticator.allow_all = True
c.Spawner.cmd = {command!r}
c.Spawner.environment["PYTHONPATH"] = {source!r}
c.JupyterHub.services[0]["environment"]["PYTHONPATH"] = {source!r}
c.JupyterHub.services.append({{"name": "operator", "api_token": "{key}"}})
c.JupyterHub.load_roles.append(
    {{"name": "operator", "scopes": ["admin:users", "admin:servers"], "services": ["operator"]}}
)
"""
KEY = "f" * 40


def ports(number: int) -> list[int]:
    probes = [socket.socket() for _ in range(number)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    found = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return found


@pytest.mark.newcomer
@pytest.mark.skipif(shutil.which("npm") is None, reason="JupyterHub's proxy comes from npm")
def test_the_people_of_a_real_hub_ask_as_themselves(analytics: Served, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "hub"], check=True)
    subprocess.run([tmp_path / "hub" / "bin" / "pip", "install", "-q", "jupyterhub"], check=True)
    subprocess.run(["npm", "install", "--silent", "--prefix", tmp_path, "configurable-http-proxy"], check=True)
    (tmp_path / "hub.key").write_text("of-acme\n")
    (tmp_path / "program.py").write_text(PROGRAM)
    public, inner, proxy, tokens = ports(4)
    recipe = (ROOT / "docs" / "recipes" / "jupyterhub_config.py").read_text("utf-8")
    for there, here in (
        ("https://analytics.example.com", analytics.address), ("/etc/svc-notebook/hub.key", str(tmp_path / "hub.key")),
        ("127.0.0.1:8082", f"127.0.0.1:{tokens}"),
        ('"svc-notebook", "hub"', f'"{sys.executable}", "-m", "svc_notebook.cli", "hub"'),
    ):  # fmt: skip
        assert there in recipe
        recipe = recipe.replace(there, here)
    more = OF_THE_TEST.format(
        public, inner, proxy, proxy=str(tmp_path / "node_modules" / ".bin" / "configurable-http-proxy"), key=KEY,
        command=[sys.executable, str(tmp_path / "program.py"), str(tmp_path)], source=str(ROOT / "src"),
    )  # fmt: skip
    (tmp_path / "config.py").write_text(recipe + more)
    log = tmp_path / "log"
    with log.open("wb") as out:
        hub = subprocess.Popen(
            [tmp_path / "hub" / "bin" / "jupyterhub", "-f", "config.py"], cwd=tmp_path, stdout=out, stderr=out,
            env={name: value for name, value in os.environ.items() if not name.startswith(("SVC_", "JUPYTER"))},
        )  # fmt: skip

    def alive() -> None:
        assert hub.poll() is None, log.read_text("utf-8")

    headers = {"Authorization": f"token {KEY}"}
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{public}/hub/api", headers=headers, timeout=PATIENCE) as http:
            eventually(lambda: "JupyterHub is now running" in log.read_text("utf-8"), alive)
            for name in ("ana", "ben"):
                assert http.post(f"/users/{name}").status_code == 201
                assert http.post(f"/users/{name}/server").status_code in {201, 202}, log.read_text("utf-8")
            eventually(lambda: (tmp_path / "ana").exists() and (tmp_path / "ben").exists(), alive)
        for name in ("ana", "ben"):
            told = json.loads((tmp_path / name).read_text())
            with svc.Client(analytics.address, "of-acme", chat_api_url=f"{analytics.address}{CHAT}") as operator:
                assert [thread.chat_id for thread in operator.threads(external_id=name, limit=1)] == [told["thread"]]
            assert not told["key"]
            assert "region" in told["text"]  # nobody has said where they sell: no rows, and why
    finally:
        hub.terminate()
        hub.wait(PATIENCE)
    assert "of-acme" not in log.read_text("utf-8")
