"""Which service runs a turn, and whether it is still there: several may share one store, and any may be killed."""

from __future__ import annotations

import os
import secrets
import socket

__all__ = ["new_runner", "retire", "runner_alive"]

_HERE: set[str] = set()  # the runners of this process


def new_runner() -> str:
    """A name for one service in this process."""
    runner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    _HERE.add(runner)
    return runner


def retire(runner: str) -> None:
    _HERE.discard(runner)


def runner_alive(runner: str, lease_until: float, now: float) -> bool:
    """Whether the service called ``runner`` may still be working.

    On this machine the process is looked for; on another one only its lease tells.
    """
    host, pid, _ = [*runner.rsplit(":", 2), "", ""][:3]
    if lease_until <= now or not pid.isdecimal():
        return False
    if host != socket.gethostname():
        return True
    if int(pid) == os.getpid():
        return runner in _HERE
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
