"""A PostgreSQL server of the tests' own: Debian's package, an unprivileged user, a free port, a temporary folder."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
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

    def __init__(self, port: int, programs: Path) -> None:
        self.port = port
        self.programs = programs

    def database(self) -> str:
        name = f"test{next(_databases)}_{os.getpid()}"
        import psycopg

        with psycopg.connect(f"postgresql://svc@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
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
        control = [programs / "pg_ctl", "-D", data, "-w", "-l", Path(folder) / "log"]
        subprocess.run([*control, "-o", settings, "start"], check=True, stdout=subprocess.DEVNULL, **user)
        try:
            yield Server(port, programs)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, stdout=subprocess.DEVNULL, **user)


def _unprivileged(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root: another user then, who owns the folder."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
