"""A kernel that is interrupted, whose cells are run again, whose widgets are closed, and that is restarted: over each store."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

pytest.importorskip("jupyter_client")

from ..embedded.test_kernel import SLOW, Kernel

pytestmark = [pytest.mark.kernel, pytest.mark.slow, pytest.mark.soak]

OPEN = """
slow.close(); quick.close()
slow = svc.embedded(data={"orders": orders}, analyst=Slow(), store=%r)
def others():  # than those of pools, which stand still once they are full, and the one of ZeroMQ's collector
    import threading
    pools = ("svc-", "asyncio", "AnyIO", "ThreadPool")
    mine = [t for t in threading.enumerate() if not type(t).__module__.startswith("zmq")]
    return sorted(t.name for t in mine if not t.name.startswith(pools))
"""
ASK = 'chat = slow.chat(external_id="ana", is_ephemeral=False); chat.ask("go on")'


@pytest.fixture
def kernel(durable_url: str) -> Iterator[Kernel]:
    kernel = Kernel()
    assert kernel.run(SLOW + OPEN % durable_url)["error"] is None
    yield kernel
    kernel.client.stop_channels()
    kernel.manager.shutdown_kernel(now=True)


def test_interrupts_leave_nothing_and_a_restart_finds_the_thread(kernel: Kernel, durable_url: str) -> None:
    kernel.run(ASK, interrupt_after=1.0)
    threads = kernel.value("others()")
    for _ in range(3):  # the same cell again
        assert kernel.run(ASK, interrupt_after=1.0)["error"] is None
        assert kernel.value("chat.answer.status") == "'aborted'"
    assert kernel.run("widget = svc.ChatWidget(slow); widget.close(); del widget")["error"] is None
    assert kernel.value("others()") == threads, "no thread and no task is left behind"
    assert kernel.value("Slow.cancelled") == "4", "each turn was stopped, once"
    chat_id = kernel.value("chat.chat_id").strip("'")
    kernel.client.execute('chat.ask("go on")')
    time.sleep(1)
    kernel.manager.restart_kernel()
    kernel.client.wait_for_ready(timeout=120)
    assert kernel.run(SLOW + OPEN % durable_url)["error"] is None
    again = f'slow.chat(external_id="ana", chat_id={chat_id!r}).history()'
    assert kernel.value(f"[answer.status for answer in {again}]") in ("['aborted', 'aborted']", "['aborted', 'failed']")
    done = kernel.run(ASK, interrupt_after=1.0)
    assert done["error"] is None, "the next cell works"
