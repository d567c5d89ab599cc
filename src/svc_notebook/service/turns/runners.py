"""Which service runs a turn, and whether it is still there: several may share one store, and any may be killed.

A number of a process means something only in its own space of numbers, on one start of one machine: containers share
a host's name, and each has a process 7. Where that space is not known, and for every other one, only the lease tells.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

__all__ = ["new_runner", "retire", "runner_alive"]

_HERE: set[str] = set()  # the runners of this process
_ENDED = frozenset("ZXx")


def new_runner() -> str:
    """A name for one service in this process."""
    # Boot and namespace first: the same number in another container, or before a restart, is somebody else.
    runner = f"{_space()}:{os.getpid()}:{_began(os.getpid())}:{secrets.token_hex(4)}"
    _HERE.add(runner)
    return runner


def retire(runner: str) -> None:
    _HERE.discard(runner)


def runner_alive(runner: str, lease_until: float, now: float) -> bool:
    """Whether the service called ``runner`` may still be working.

    A process that this one can see is looked for; of any other only its lease tells.
    """
    if lease_until <= now:
        return False
    space, pid, began, _ = [*runner.split(":"), "", "", "", ""][:4]
    if not space or space != _space() or not pid.isdecimal():
        return True
    # /proc would say yes for every service this process ever had; one that was retired is not alive.
    if int(pid) == os.getpid():
        return runner in _HERE
    # A number alone may be another process's by now; together with its beginning it is one process's.
    return _began(int(pid)) == began


def _space() -> str:
    """The space of process numbers that this process is in; empty where the system does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return ""


def _began(pid: int) -> str:
    """When that process began, in the system's own count; empty when it has ended, even if nobody has fetched it."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes().decode("ascii", "replace")
    except OSError:
        return ""
    fields = line.rpartition(")")[2].split()  # what stands in parentheses is the program's name, of any letters
    return "" if fields[0] in _ENDED else fields[19]
