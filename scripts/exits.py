"""End the interpreter at a random moment of a question, again and again, and print how that went.

    python scripts/exits.py                    200 exits, as a table
    python scripts/exits.py --times 1 --seed 3

A try is a process that asks and ends: its script falls off the end while a thread still asks, leaves by `sys.exit`, is
interrupted, dies of an error of its own, forgets a stream half read or an event loop with a question on it. Nothing of
ours may be told (no traceback, no word of a leak at the interpreter's end), nothing may hang, and the exit code is the
script's own.

Most tries are children of this process that have the libraries loaded; they end as any interpreter does. The last three
ways are programs of their own, with a fifth of the tries: a kernel that is restarted in the midst of a cell, a server
that is told to stop while it answers, a question on the command line that is interrupted at any moment from its start.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

import svc_notebook as svc

HANGS = 120.0
LONGEST = 0.4
ORDERS = pd.DataFrame({"id": range(3000), "region": ["EMEA", "APAC", "LATAM"] * 1000, "amount": range(3000)})
SLOW = "SELECT a.region, COUNT(*) AS n FROM orders a CROSS JOIN orders b GROUP BY 1"


def client() -> Any:
    return svc.embedded(data={"orders": ORDERS})


def ask_on(asked: Any) -> None:
    chat = asked.chat()
    while True:
        chat.ask("amount by region")


def leave(*_: Any) -> None:
    sys.exit(7)


def later(seconds: float, handler: Callable[..., None]) -> None:
    """Have the main thread call ``handler`` in so many seconds, wherever it is then."""
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def give_up(*_: Any) -> None:
    raise TimeoutError("it did not end")


# --- ways to end: each is a whole script; it returns or raises as a user's would ------------------------------------


def off_the_end(seconds: float) -> None:
    """The script ends while a thread of its own still asks."""
    asked = client()
    threading.Thread(target=ask_on, args=(asked,), daemon=True).start()
    time.sleep(seconds)


def left(seconds: float) -> None:
    """`sys.exit` in the middle of a question, as a supervisor's signal does it."""
    asked = client()
    later(seconds, leave)
    ask_on(asked)


def left_while_it_opens(seconds: float) -> None:
    """The same, at any moment from the very first line on."""
    later(seconds / 2, leave)
    ask_on(client())


def own_error(seconds: float) -> None:
    """An error of the script's own: its traceback is the only one."""

    def fail(*_: Any) -> None:
        raise LookupError("the script's own")

    asked = client()
    later(seconds, fail)
    ask_on(asked)


def interrupted(seconds: float) -> None:
    """Ctrl-C: the answer so far is kept, and the script goes on to its end."""
    asked = client()
    chat = asked.chat()
    pressed: list[bool] = []

    def press(*_: Any) -> None:
        pressed.append(True)
        signal.raise_signal(signal.SIGINT)

    later(seconds, press)
    try:
        while True:
            answer = chat.ask("amount by region")
            if answer.status == "aborted":
                return
            if pressed:  # as its answer became complete: that one was kept, and the next question is met
                pressed.clear()
                later(0.005 + seconds / 4, press)
    except KeyboardInterrupt:  # between two questions
        return


def half_read(seconds: float) -> None:
    """A stream is forgotten half read, and everything is still held by names of the module."""
    asked = client()
    stream = asked.chat().stream("amount by region")
    end = time.monotonic() + seconds
    for _ in stream:
        if time.monotonic() > end:
            break
    KEPT.extend([asked, stream])


def awaited(seconds: float) -> None:
    """An event loop ends with a question on it."""
    asked = client()

    async def main() -> None:
        async def ask() -> None:
            chat = asked.chat()
            while True:
                await chat.aask("amount by region")

        KEPT.append(asyncio.create_task(ask()))
        await asyncio.sleep(seconds)

    asyncio.run(main())


def slow_query(seconds: float) -> None:
    """A query that takes seconds is under way on the engine."""
    asked = client()
    threading.Thread(target=lambda: asked.sql(SLOW), daemon=True).start()
    time.sleep(seconds)


def several(seconds: float) -> None:
    """Three services with stores in files, asked from three threads, and none of them closed."""
    folder = tempfile.mkdtemp()
    for number in range(3):
        asked = svc.embedded(data={"orders": ORDERS}, store=Path(folder) / f"{number}.sqlite")
        threading.Thread(target=ask_on, args=(asked,), daemon=True).start()
        KEPT.append(asked)
    time.sleep(seconds)


KEPT: list[Any] = []
WAYS: dict[str, tuple[Callable[[float], None], int]] = {
    way.__name__: (way, code)
    for way, code in (
        (off_the_end, 0), (left, 7), (left_while_it_opens, 7), (own_error, 1), (interrupted, 0), (half_read, 0),
        (awaited, 0), (slow_query, 0), (several, 0),
    )
}  # fmt: skip


# --- ways of whole programs: what came of one try, as exit code and what was told -----------------------------------

CELL = (
    "import faulthandler, signal; faulthandler.register(signal.SIGUSR2)\n"
    "import pandas as pd, svc_notebook as svc\n"
    "asked = svc.embedded(data={'orders': pd.DataFrame({'id': [1, 2], 'region': ['a', 'b']})})\n"
    "widget = svc.ChatWidget(asked)\n"
    "asked.chat().ask('orders by region')"
)
Ended = tuple[int | None, str]


def restarted(seconds: float, log: Path) -> Ended:
    """A kernel is shut down while a cell asks, and a widget stands below another."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name="python3")
    with log.open("w") as out:
        manager.start_kernel(stdout=out, stderr=out)
    talk = manager.client()
    talk.start_channels()
    talk.wait_for_ready(timeout=60)
    talk.execute_interactive(CELL, timeout=60, output_hook=lambda message: None)
    talk.execute("while asked.chat().ask('orders by region').status == 'complete': pass")
    time.sleep(seconds)
    kernel = manager.provisioner.process
    try:
        manager.shutdown_kernel()  # as Jupyter does it: interrupts, asks, ends, and kills what is left in five seconds
    except TimeoutError:
        kernel.send_signal(signal.SIGUSR2)  # where every thread stands goes to the log
        time.sleep(1)
        kernel.kill()
        return None, log.read_text("utf-8")
    # An interrupt that meets a complete answer leaves the cell's loop to go on, and Jupyter ends it by SIGTERM.
    codes = {-signal.SIGKILL: None, -signal.SIGTERM: 0}
    code = codes.get(kernel.returncode, kernel.returncode)
    talk.stop_channels()
    told = [line for line in log.read_text("utf-8").splitlines() if line and "without encryption" not in line]
    # The kernel tells of its own closed sockets where it ends before its cell; in what is ours we are named.
    return code, "\n".join(told) if any("svc_notebook" in line or "leaked" in line for line in told) else ""


def told_to_stop(seconds: float, log: Path) -> Ended:
    """A server gets SIGTERM in the midst of answers."""
    server = _started(log, "serve", "--port", "0", "--log-level", "warning")
    while not (address := re.search(r"running on (http://[\d.:]+)", log.read_text("utf-8"))):
        if server.poll() is not None:
            return server.returncode, log.read_text("utf-8")
        time.sleep(0.05)
    known = log.read_text("utf-8")
    key = re.search(r"server: (svc_\S+)", known)
    assert key is not None
    chat = f"{address[1]}/api/v1/public/local/agents/data-analyst/chat/stream-chat-state"
    with svc.Client(address[1], key[1], chat_api_url=chat) as asked:
        streams = [asked.chat(external_id=f"reader {number}").stream("flights by carrier") for number in range(4)]
        time.sleep(seconds)
        server.send_signal(signal.SIGTERM)
        code = _waited(server, HANGS)
        for stream in streams:
            stream.close()
    return code, log.read_text("utf-8").removeprefix(known)


def asked_aloud(seconds: float, log: Path) -> Ended:
    """`svc-notebook ask` is interrupted at any moment of its life, and of its end."""
    asking = _started(log, "ask", "flights by carrier", out=subprocess.DEVNULL)
    time.sleep(seconds * 12)
    asking.send_signal(signal.SIGINT)
    code = _waited(asking, HANGS)
    # An interpreter that ends has no handler any more: the signal itself ends it, which a shell calls 130 as well.
    codes = {0: 130, -signal.SIGINT: 130}
    # What the command says itself: of an answer that was ready, and of one that was half there.
    known = ("interrupted", "read as: ", "stopped; what had arrived is kept")
    told = [line for line in log.read_text("utf-8").splitlines() if not line.startswith(known)]
    return codes.get(code, code), "\n".join(told)


def _started(log: Path, *words: str, out: int | None = None) -> subprocess.Popen[bytes]:
    with log.open("w") as told:
        command = [sys.executable, "-m", "svc_notebook.cli", *words]
        return subprocess.Popen(command, stdout=told if out is None else out, stderr=told)


def _waited(process: Any, seconds: float) -> int | None:
    try:
        return int(process.wait(seconds))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


PROGRAMS: dict[str, tuple[Callable[[float, Path], Ended], int]] = {
    "restarted": (restarted, 0), "told_to_stop": (told_to_stop, -signal.SIGTERM), "asked_aloud": (asked_aloud, 130),
}  # fmt: skip


# --- tries ----------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What came of one way."""

    tries: int = 0
    hung: int = 0
    traceback: int = 0
    leaked: int = 0
    code: int = 0
    longest: float = 0.0
    said: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        return self.hung + self.traceback + self.leaked + self.code


def child(way: str, seconds: float, log: str) -> None:
    """In the forked child: the script of that way; the caller lets the interpreter end by what it raises."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    WAYS[way][0](seconds)


def tried(way: str, seconds: float, tally: Tally) -> bool:
    """One try; true in the child, whose script has ended and which is now to end itself."""
    log = Path(tempfile.gettempdir()) / f"svc-exit-{os.getpid()}.log"
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        child(way, seconds, str(log))
        return True
    status = _ended(pid, began + HANGS)
    tally.tries += 1
    tally.longest = max(tally.longest, time.monotonic() - began)
    said = log.read_text("utf-8", "replace")
    log.unlink()
    _judge(way, status, said, tally)
    return False


def _ended(pid: int, deadline: float) -> int | None:
    """The exit code of a child; one that hangs is ended, and none is given."""
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def tried_outside(way: str, seconds: float, tally: Tally) -> None:
    """One try of a program of its own."""
    began = time.monotonic()
    later(3 * HANGS, give_up)
    with tempfile.TemporaryDirectory() as folder:
        try:
            status, said = PROGRAMS[way][0](seconds, Path(folder) / "log")
        except (TimeoutError, RuntimeError) as slow:  # as Jupyter's client says that a kernel does not answer
            status, said = None, f"{type(slow).__name__}: {slow}"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    tally.tries += 1
    tally.longest = max(tally.longest, time.monotonic() - began)
    _judge(way, status, said, tally)


def _judge(way: str, status: int | None, said: str, tally: Tally) -> None:
    own = "LookupError: the script's own" if way == "own_error" else ""
    before = tally.wrong
    tally.hung += status is None
    tally.code += status not in (None, {**WAYS, **PROGRAMS}[way][1])
    tally.leaked += "leaked" in said or "never awaited" in said or "was destroyed" in said
    expected = said.count("Traceback") == 1 and said.rstrip().endswith(own) if own else not said
    tally.traceback += not expected and "leaked" not in said
    if tally.wrong > before:
        tally.said.append(f"{way}: exit code {status}\n{said[-3000:]}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="End the interpreter at random moments of a question.")
    parser.add_argument("--times", type=int, default=23, help="exits of each way (default: 23, together 222)")
    parser.add_argument("--only", nargs="*", choices=[*WAYS, *PROGRAMS], metavar="WAY", help="ways (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts this behind has it ignored
    client().close()  # what is imported with the first service is imported once, here
    chance = random.Random(options.seed)
    print(f"{'way':22} {'tries':>5} {'hung':>5} {'told':>5} {'leaked':>6} {'code':>5} {'longest':>8}")
    wrong: list[str] = []
    for way in options.only or [*WAYS, *PROGRAMS]:
        tally = Tally()
        for _ in range(options.times if way in WAYS else -(-options.times // 5)):
            seconds = chance.uniform(0, LONGEST)
            if way in PROGRAMS:
                tried_outside(way, seconds, tally)
            elif tried(way, seconds, tally):
                return 0
        print(f"{way:22} {tally.tries:5} {tally.hung:5} {tally.traceback:5} {tally.leaked:6} {tally.code:5} "
              f"{tally.longest:8.1f}", flush=True)  # fmt: skip
        wrong += tally.said
    for said in wrong:
        print(said)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
