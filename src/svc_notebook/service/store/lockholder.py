"""Who holds the lock of an SQLite file: Linux tells in ``/proc/locks``; elsewhere the answer is "another process"."""

from __future__ import annotations

from pathlib import Path

__all__ = ["lock_holder"]

_WAL_WRITE_LOCK = 120  # the byte of the -shm file that a writer locks


def lock_holder(path: Path | None) -> str:
    """Words for the process that is writing to the SQLite database at ``path``.

    The files themselves are not opened: closing them would drop this process's own locks.
    """
    pid = _writer(path) if path else None
    if pid is None:
        return "another process"
    return f"process {pid} ({_command(pid)})"


def _writer(path: Path) -> int | None:
    try:
        inodes = {
            Path(f"{path}{suffix}").stat().st_ino: suffix for suffix in ("-shm", "") if Path(f"{path}{suffix}").exists()
        }
        lines = Path("/proc/locks").read_text("ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        fields = line.split()
        # Lines with an arrow are those that wait for the lock.
        if "->" in fields or len(fields) < 8 or fields[3] != "WRITE":
            continue
        suffix = inodes.get(int(fields[5].rpartition(":")[2]))
        first, last = int(fields[6]), fields[7]
        holds = suffix == "" or (suffix == "-shm" and first <= _WAL_WRITE_LOCK and _reaches(last))
        # It is 0 for a process of another namespace, and -1 for a lock that belongs to an open file.
        if holds and int(fields[4]) > 0:
            return int(fields[4])
    return None


def _reaches(last: str) -> bool:
    return last == "EOF" or int(last) >= _WAL_WRITE_LOCK


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "ended meanwhile"
    return Path(words[0]).name or "unknown"
