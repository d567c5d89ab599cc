"""The one honest role of nest-asyncio: a reader's own ``asyncio.run`` inside a cell, and only when asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

NESTED = """
import asyncio
import svc_notebook as svc

async def inner():
    await asyncio.sleep(0)
    return "inner"

async def cell():  # a cell runs inside a loop
    {first}
    return asyncio.run(inner())

print(asyncio.run(cell()))
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)


def test_without_asking_asyncio_is_as_it_is():
    assert "cannot be called from a running event loop" in run(NESTED.format(first="pass")).stderr


def test_on_request_a_nested_run_works():
    done = run(NESTED.format(first="svc.allow_nested()"))
    assert done.stdout == "inner\n", done.stderr


def test_twice_is_once():
    done = run(NESTED.format(first="svc.allow_nested(); svc.allow_nested()"))
    assert done.stdout == "inner\n", done.stderr


@pytest.mark.slow
def test_nothing_of_ours_loads_it():
    code = (
        "import sys, svc_notebook as svc\n"
        "with svc.demo() as client:\n"
        "    client.chat().ask('how many flights were there')\n"
        "print([name for name in sys.modules if name.startswith('nest_asyncio')])"
    )
    assert run(code).stdout == "[]\n"


@pytest.mark.slow
def test_the_async_client_works_in_a_nested_run():
    code = (
        "import asyncio, svc_notebook as svc\n"
        "async def cell():\n"
        "    svc.allow_nested()\n"
        "    with svc.demo() as client:\n"
        "        return asyncio.run(client.chat().aask('how many flights were there'))\n"
        "print(asyncio.run(cell()).status)"
    )
    done = run(code)
    assert done.stdout == "complete\n", done.stderr
