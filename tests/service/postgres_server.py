"""A PostgreSQL server of the tests' own: Debian's package, an unprivileged user, a free port, a temporary folder."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["find_programs", "server"]

_databases = itertools.count(1)


def find_programs() -> Path | None:
    """The folder with ``initdb`` and ``pg_ctl``; installs Debian's package where that is possible."""
    found = _installed()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "postgresql"], env=environment, capture_output=True, check=False
        )
        found = _installed()
    return found


def _installed() -> Path | None:
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (folder for folder in candidates if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None
    )


class Server:
    """A running cluster; each :meth:`database` is new and empty."""

    def __init__(self, port: int, programs: Path, control: Callable[..., None], data: Path) -> None:
        self.port = port
        self.programs = programs
        self._control = control
        self._data = data

    def start(self) -> None:
        self._control("start")

    def stop(self) -> None:
        """End it as an administrator in a hurry does: every connection is cut."""
        self._control("-m", "immediate", "stop")

    @contextmanager
    def down(self) -> Iterator[None]:
        """While the block runs there is no server."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """While the block runs the server holds its connections and says nothing."""
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        family = [first, *_children(first)]
        for pid in family:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in family:
                os.kill(pid, signal.SIGCONT)

    def database(self, options: str = "") -> str:
        """A new one; ``options`` of CREATE DATABASE."""
        name = f"test{next(_databases)}_{os.getpid()}"
        import psycopg

        with psycopg.connect(f"postgresql://svc@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}{options}")  # type: ignore[arg-type]
        return f"postgresql+psycopg://svc@127.0.0.1:{self.port}/{name}"


@contextmanager
def server(programs: Path) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="svc-pg-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        data = Path(folder) / "data"
        user = _unprivileged(Path(folder))
        run = {"check": True, "capture_output": True, "text": True, **user}
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "svc", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], **run
        )
        settings = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off -c max_connections=60"
        command = [programs / "pg_ctl", "-D", data, "-w", "-l", Path(folder) / "log", "-o", settings]

        def control(*words: str) -> None:
            subprocess.run([*command, *words], check=True, stdout=subprocess.DEVNULL, **user)

        control("start")
        try:
            yield Server(port, programs, control, data)
        finally:
            control("-m", "immediate", "stop")


def _children(pid: int) -> list[int]:
    """Every process below that one; PostgreSQL has one for each connection."""
    direct = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [each for child in direct for each in (child, *_children(child))]


def _unprivileged(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root: another user then, who owns the folder."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
