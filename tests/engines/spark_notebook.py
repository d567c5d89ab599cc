"""The first notebook over Spark, one setting changed: each cell's time and what it shows, and ■ in the midst of a question.

python -m tests.engines.spark_notebook --millions 20 --workers 2
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import start_new_kernel

from .spark_server import missing, server
from .spark_timings import lake

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01_ask_a_question.ipynb"
SETTING = "client = svc.demo()"
OVER = """from svc_notebook.demo import model_folder, service_file
from svc_notebook.semantic.engine.limits import EngineLimits

client = svc.embedded(model_folder(), database={url!r}, data={places!r}, config=service_file(), limits=EngineLimits(timeout=600))"""
LONG = 'chat.ask("average departure delay by destination, plane type and weekday")'


class Cells:
    """Cells of a running kernel."""

    def __init__(self, manager: Any, client: Any) -> None:
        self._manager, self._client = manager, client

    def run(self, code: str, *, stop_after: float | None = None) -> tuple[float, float, str]:
        """Seconds to the first output and to the end, and what stands below the cell.

        With ``stop_after`` ■ is pressed so many seconds after it began, and both are counted from there.
        """
        began = time.monotonic()
        asked, shown, first = self._client.execute(code), [], 0.0
        if stop_after is not None:
            time.sleep(stop_after)
            self._manager.interrupt_kernel()
            began = time.monotonic()
        while True:
            message = self._client.get_iopub_msg(timeout=900)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return first or time.monotonic() - began, time.monotonic() - began, shown[-1] if shown else ""
            if text := _text(kind, content):
                first = first or time.monotonic() - began
                shown.append(text)


def _text(kind: str, content: Any) -> str:
    if kind == "error":
        return f"{content['ename']}: {content['evalue']}"
    return str(content.get("text") or content.get("data", {}).get("text/plain", ""))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=float, default=20, help="rows of flights (default: 20)")
    parser.add_argument("--workers", type=int, default=2, help="of a standalone master; 0 for one process (default: 2)")
    options = parser.parse_args(arguments)
    if reason := missing():
        print(reason)
        return 2
    sources = [cell.source for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    assert SETTING in sources[0]
    with ExitStack() as stack:
        places = lake(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-lake-"))), options.millions)
        url = stack.enter_context(server(workers=options.workers)).url
        manager, client = start_new_kernel(kernel_name="python3", startup_timeout=120)
        stack.callback(manager.shutdown_kernel, now=True)
        cells = Cells(manager, client)
        for source in [sources[0].replace(SETTING, OVER.format(url=url, places=places)), *sources[1:]]:
            first, whole, shown = cells.run(source)
            print(f"{whole:6.1f} s (first output {first:.1f} s)  {source.splitlines()[-1][:90]}", flush=True)
            print("        ", " ".join(shown.split())[:150], flush=True)
        first, whole, shown = cells.run(LONG, stop_after=4)
        print(f"■ 4 s into {LONG}: the cell ended {whole:.2f} s later: {' '.join(shown.split())[:150]}")
        print("and the next answers:", cells.run('chat.ask("how many flights were there").text')[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
