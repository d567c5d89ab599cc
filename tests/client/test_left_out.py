"""httpx comes without its command line, which is there for whoever calls it."""

from __future__ import annotations

import subprocess
import sys

import pytest

OURS = "import svc_notebook.client.wire.transport as ours\n"


def _said(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.split("\n")


def test_the_command_line_of_httpx_is_loaded_by_who_calls_it() -> None:
    code = (
        f"import sys\n{OURS}"
        "print([name for name in ('httpx._main', 'rich', 'click') if name in sys.modules])\n"
        "try: ours.httpx.main(['--help'])\n"
        "except SystemExit as end: print(end.code)\n"
        "import httpx._main\n"
        "print(httpx._main is sys.modules['httpx._main'])\n"
    )
    loaded, *_, code_of_exit, found, _ = _said(code)
    assert (loaded, code_of_exit, found) == ("[]", "0", "True")


def test_where_it_cannot_be_loaded_httpx_says_so_as_ever() -> None:
    code = f"import sys\nsys.modules['click'] = None\n{OURS}try: ours.httpx.main()\nexcept SystemExit as end: print(end.code)\n"
    said = _said(code)
    assert "httpx[cli]" in "".join(said)
    assert said[-2] == "1"


@pytest.mark.parametrize("first", ["import httpx", "import httpx._main, httpx"])
def test_an_httpx_that_was_there_before_stays_as_it_is(first: str) -> None:
    assert _said(f"{first}\nmain = httpx.main\n{OURS}print(httpx.main is main is ours.httpx.main)\n")[0] == "True"
