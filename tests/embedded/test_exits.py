"""The interpreter ends at a random moment of a question: nothing is told, nothing hangs. 200 times: `make faults`."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pandas as pd
import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.engine.apart import apart

SCRIPT = Path(__file__).parents[2] / "scripts" / "exits.py"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the exits are those of forked children")
def test_an_exit_in_the_midst_of_a_question_is_quiet() -> None:
    ways = ["off_the_end", "left", "several"]
    command = [sys.executable, str(SCRIPT), "--times", "1", "--only", *ways]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_thread_that_the_interpreter_waits_for_gets_its_answer() -> None:
    code = (
        "import threading, pandas as pd, svc_notebook as svc\n"
        "asked = svc.embedded(data={'orders': pd.DataFrame({'id': [1, 2]})})\n"
        "ask = lambda: print(asked.chat().ask('how many orders').df.iloc[0, 0])\n"
        "began = threading.Event()\n"
        "threading.Thread(target=lambda: (began.set(), ask())).start()\n"
        "began.wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


class Left(Exception):
    pass


def test_what_a_signal_raises_while_the_engine_computes_is_raised_and_the_engine_goes_on() -> None:
    def leave(*_: object) -> None:
        raise Left

    engine = DuckDBEngine.open(data={"orders": pd.DataFrame({"id": range(10_000)})})
    before = signal.signal(signal.SIGALRM, leave)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Left):
            engine.execute("SELECT count(*) FROM orders a, orders b, orders c WHERE a.id + b.id + c.id = 7", {})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert engine.execute("SELECT count(*) AS n FROM orders", {}).to_pydict() == {"n": [10_000]}
    engine.close()


MET = """
import sys, threading, faulthandler
from svc_notebook.semantic.engine.apart import apart, _at_work

faulthandler.dump_traceback_later(100, exit=True)

class Left(Exception):
    pass

def met(line):
    \"\"\"Whether a signal could be met at that line of what the main thread does while work is done apart.\"\"\"
    lines, stopped, begun = 0, threading.Event(), []

    def tracing(frame, event, argument):
        nonlocal lines
        lines += 1
        if lines == line:
            sys.settrace(None)
            raise Left
        return tracing

    sys.settrace(tracing)
    try:
        apart(stopped.set, lambda: (begun.append(1), stopped.wait(0.3 if lines < line else 60)))
    except Left:
        pass
    finally:
        sys.settrace(None)
    return lines == line

line = 1
while met(line):
    assert not _at_work, line
    line += 1
print(line)
"""


def test_a_signal_may_be_met_at_any_line_of_the_waiting() -> None:
    done = subprocess.run([sys.executable, "-c", MET], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


def test_a_clock_whose_start_a_signal_broke_off_holds_nothing_and_is_started_again() -> None:
    code = (
        "import gc, threading, time, weakref\n"
        "from svc_notebook.semantic.engine.watch import watched\n"
        "class Query:\n"
        "    def interrupt(self): stopped.set()\n"
        "stopped, start = threading.Event(), threading.Thread.start\n"
        "def met(thread): raise KeyboardInterrupt\n"
        "query, threading.Thread.start = Query(), met\n"
        "try:\n"
        "    with watched(query.interrupt, cancel=None, timeout=60): pass\n"
        "except KeyboardInterrupt: print('left')\n"
        "threading.Thread.start, known = start, weakref.ref(query)\n"
        "del query; gc.collect(); print(known())\n"
        "with watched(Query().interrupt, cancel=None, timeout=0.05) as watch: print(stopped.wait(60), watch.timed_out)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.split() == ["left", "None", "True", "True"]


def test_work_that_fails_apart_fails_here_and_elsewhere_it_is_no_thread_more() -> None:
    with pytest.raises(ZeroDivisionError):
        apart(lambda: None, lambda: 1 / 0)
    seen: list[threading.Thread] = []
    other = threading.Thread(target=lambda: apart(lambda: None, lambda: seen.append(threading.current_thread())))
    other.start()
    other.join()
    assert seen == [other]


def test_the_main_thread_has_one_thread_for_one_question_after_another_which_holds_nothing_of_the_last() -> None:
    class Rows:
        pass

    assert len({apart(lambda: None, threading.get_ident) for _ in range(20)}) == 1
    rows = weakref.ref(apart(lambda: None, Rows))
    gc.collect()
    assert rows() is None
    with pytest.raises(ZeroDivisionError):
        apart(lambda: None, lambda: 1 / 0)
    assert len({apart(lambda: None, threading.get_ident) for _ in range(20)}) == 1


def test_a_signals_handler_may_ask_while_what_it_broke_into_is_being_done() -> None:
    found: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: found.append(apart(lambda: None, lambda: 7)))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        apart(lambda: None, lambda: time.sleep(0.4))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert found == [7]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
def test_a_forked_child_has_a_thread_of_its_own() -> None:
    code = (
        "import os\n"
        "from svc_notebook.semantic.engine.apart import apart\n"
        "print(apart(lambda: None, lambda: 1), flush=True)\n"
        "child = os.fork()\n"
        "print(apart(lambda: None, lambda: 2), flush=True)\n"
        "if not child: os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["1", "2", "2"]
