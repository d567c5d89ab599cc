"""What the recipes say is taken by what they are for: nginx, systemd, our own command line."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from svc_notebook.cli import make_parser

from .served import SLOW, Served, Worker, eventually, served

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "recipes"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def proxied(folder: Path, upstream: str, recipe: str) -> Iterator[str]:
    """Nginx with the recipe, on a port of its own."""
    assert NGINX is not None
    port = free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", folder / "svc-notebook.key", "-out", folder / "svc-notebook.crt"],
        check=True, capture_output=True,
    )  # fmt: skip
    site = recipe.replace("/etc/nginx/", f"{folder}/").replace("127.0.0.1:8080", upstream.removeprefix("http://"))
    site = site.replace("listen 443", f"listen 127.0.0.1:{port}")
    kept = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid; error_log {folder}/error.log; daemon off; events {{}}\n"
        f"http {{ access_log off;\n{kept}{site}\n}}\n"
    )
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    running = subprocess.Popen(command)
    try:
        eventually(lambda: _answers(port), lambda: _runs(running))
        yield f"https://127.0.0.1:{port}/analytics"
    finally:
        running.terminate()
        running.wait(30)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _runs(process: subprocess.Popen[bytes]) -> None:
    assert process.poll() is None, "nginx did not start"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("one")) as running:
        yield running


@pytest.mark.skipif(NGINX is None or not shutil.which("openssl"), reason="nginx is not installed here")
@pytest.mark.parametrize("buffering", ["off", "on"])
def test_lines_pass_nginx_as_they_come(one: Served, tmp_path: Path, buffering: str) -> None:
    """Below a prefix, over TLS; also where the proxy keeps everything back that does not forbid it."""
    recipe = (RECIPES / "nginx.conf").read_text("utf-8")
    assert "proxy_buffering off;" in recipe
    recipe = recipe.replace("proxy_buffering off;", f"proxy_buffering {buffering};")
    trust = ssl.create_default_context()
    with proxied(tmp_path, one.address, recipe) as address:
        trust.load_verify_locations(tmp_path / "svc-notebook.crt")
        trust.check_hostname = False
        with httpx.Client(
            base_url=address, headers={"Authorization": "Api-Key of-acme"}, verify=trust, timeout=120
        ) as http:
            asked = Worker(0, 0, http, http)
            with asked.streaming("ana", input=SLOW) as lines:
                chat_id = next(lines)["state"]["chatId"]  # came, though the answer is far from its end
                assert asked.abort("ana", chat_id) == 204
                assert [line.get("id") for line in lines][-2:] == ["__aborted__", "__usage__"]
            assert http.get("/livez").status_code == 200
            assert http.get("/metrics").status_code == 404


def test_the_unit_is_one_and_its_command_is_ours() -> None:
    text = (RECIPES / "svc-notebook.service").read_text("utf-8")
    command = re.search(r"^ExecStart=(.+)$", text, re.MULTILINE)
    assert command is not None
    words = shlex.split(command[1])
    assert (Path(words[0]).name, make_parser().parse_args(words[1:]).workers) == ("svc-notebook", 2)
    if shutil.which("systemd-analyze") and os.geteuid() == 0:
        said = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", RECIPES / "svc-notebook.service"],
            capture_output=True, text=True, check=False,
        ).stderr  # fmt: skip
        assert [line for line in said.splitlines() if "svc-notebook.service" in line and words[0] not in line] == []


def test_the_container_copies_what_there_is_and_starts_what_is_ours() -> None:
    lines = (RECIPES / "Containerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    steps = [line.partition(" ")[::2] for line in lines if line and not line.startswith("#")]
    assert steps[0][0] == "FROM"
    for kind, words in steps:
        for source in words.split()[:-1] if kind == "COPY" else ():
            assert (ROOT / source).exists(), source
    said = dict(steps)
    assert said["USER"] not in {"", "root", "0"}
    words = json.loads(said["CMD"])
    assert make_parser().parse_args(words[1:]).store.endswith(".sqlite")
    extras = re.search(r"\[([\w,]+)\]", said["RUN"])
    known = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert extras is not None
    assert set(extras[1].split(",")) <= set(known)
