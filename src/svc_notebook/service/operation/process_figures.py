"""What the system tells of this process, under the names that Prometheus' own clients give it."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from .metrics import Metrics

__all__ = ["add_process_figures"]

_SELF = Path("/proc/self")


def add_process_figures(metrics: Metrics) -> None:
    """Memory, CPU time, open files and age; of several processes each has its own. Only Linux tells all of them."""
    metrics.gauge(
        "process_cpu_seconds_total", "CPU time of the process.", lambda: sum(os.times()[:2]), apart=True, kind="counter"
    )
    began = time.time() - _age()
    metrics.gauge("process_start_time_seconds", "When the process began.", lambda: began, apart=True)
    if _SELF.exists():
        metrics.gauge("process_resident_memory_bytes", "Memory of the process.", _resident, apart=True)
        metrics.gauge("process_open_fds", "Open files and connections.", _open_files, apart=True)


def _age() -> float:
    """Seconds since the process began, as far as the system tells; else since now."""
    try:
        # The 22nd field of proc(5), counted behind the program's name, which may hold blanks and brackets.
        began = int((_SELF / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - began / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return 0.0


def _resident() -> float:
    found = re.search(r"VmRSS:\s+(\d+)", (_SELF / "status").read_text("ascii", "replace"))
    return float(found[1]) * 1024 if found else 0.0


def _open_files() -> float:
    return float(len(os.listdir(_SELF / "fd")))
