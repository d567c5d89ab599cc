"""In a real kernel: a blocking cell, an awaiting cell, and the interrupt button in both."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client import KernelManager
from jupyter_client.blocking import BlockingKernelClient

pytestmark = [pytest.mark.kernel, pytest.mark.slow]

SLOW = """
import asyncio, pandas as pd, svc_notebook as svc
from svc_notebook.analyst.base import AnswerDelta, AnswerDone

class Slow:
    name = "slow"
    cancelled = 0

    async def answer(self, turn, toolbox, cancel):
        try:
            for word in range(600):
                yield AnswerDelta(f"w{word} ")
                await asyncio.sleep(0.05)
            yield AnswerDone("all of it")
        except BaseException:
            Slow.cancelled += 1
            raise

    async def suggestions(self, toolbox, limit=4):
        return []

orders = pd.DataFrame({"id": [1, 2, 3], "region": ["EMEA", "EMEA", "APAC"]})
slow = svc.embedded(data={"orders": orders}, analyst=Slow())
quick = svc.embedded(data={"orders": orders})
"""
CELLS = {
    "blocking": ('chat = slow.chat(); chat.ask("go on")', None),
    "awaiting": ('chat = slow.chat(); await chat.aask("go on")', "CancelledError"),
}


class Kernel:
    def __init__(self) -> None:
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel()
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code: str, *, interrupt_after: float | None = None) -> dict[str, Any]:
        """Run a cell; what it printed, its value as text, its error, and how long it took after the interrupt."""
        message = self.client.execute(code)
        out: dict[str, Any] = {"stdout": "", "stderr": "", "value": None, "error": None}
        pressed = None
        begun = time.monotonic()
        while True:
            if interrupt_after is not None and pressed is None and time.monotonic() - begun > interrupt_after:
                self.manager.interrupt_kernel()
                pressed = time.monotonic()
            try:
                got = self.client.get_iopub_msg(timeout=0.1 if pressed is None else 30)
            except Exception as error:
                if type(error).__name__ != "Empty" or time.monotonic() - begun > 40:
                    raise
                continue
            if got["parent_header"].get("msg_id") != message:
                continue
            content = got["content"]
            if got["msg_type"] == "stream":
                out[content["name"]] += content["text"]
            elif got["msg_type"] == "execute_result":
                out["value"] = content["data"]["text/plain"]
            elif got["msg_type"] == "error":
                out["error"] = content["ename"]
            elif got["msg_type"] == "status" and content["execution_state"] == "idle":
                out["took"] = time.monotonic() - (pressed or begun)
                return out

    def value(self, code: str) -> str:
        done = self.run(code)
        assert done["error"] is None, done
        return str(done["value"])


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    kernel = Kernel()
    assert kernel.run(SLOW)["error"] is None
    yield kernel
    kernel.client.stop_channels()
    kernel.manager.shutdown_kernel(now=True)


def test_a_blocking_and_an_awaiting_cell(kernel: Kernel) -> None:
    assert kernel.value('int(quick.chat().ask("how many orders").df.iloc[0, 0])') == "3"
    assert kernel.value('int((await quick.chat().aask("how many orders")).df.iloc[0, 0])') == "3"
    assert (
        kernel.value('quick.sql("SELECT region, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 1")["n"].tolist()')
        == "[1, 2]"
    )


@pytest.mark.parametrize("cell", CELLS)
def test_the_interrupt_button_keeps_the_partial_answer(kernel: Kernel, cell: str) -> None:
    ended = int(kernel.value("Slow.cancelled"))
    code, error = CELLS[cell]
    done = kernel.run(code, interrupt_after=2.0)
    assert done["error"] == error, done
    assert done["took"] < 3
    assert kernel.value("await asyncio.sleep(1) or chat.answer.status") == "'aborted'"
    assert kernel.value("chat.answer.text.startswith('w0 w1 w2')") == "True"
    assert int(kernel.value("Slow.cancelled")) == ended + 1  # the turn itself was stopped, not only the reading
    assert kernel.value("slow.service.portal.run(asyncio.sleep(0, 'next cell works'))") == "'next cell works'"


def test_the_answer_as_the_value_of_a_cell_prints_nothing_else(kernel: Kernel) -> None:
    done = kernel.run('answer = quick.chat().ask("how many orders")')
    assert (done["stdout"], done["stderr"], done["error"]) == ("", "", None)
