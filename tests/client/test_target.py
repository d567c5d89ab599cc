"""What an application of this process is told of a URL is what the HTTP library makes of it."""

from __future__ import annotations

import subprocess
import sys

import httpx
import pytest

from svc_notebook.client.engine.asgi import _scope
from svc_notebook.client.wire.target import Target, target_of

PLAIN = [
    "http://svc.local", "http://svc.local/", "https://svc.local:443/a", "http://svc.local:80/a/b", "http://127.0.0.1:8000/a",
    "https://svc.local:8443/svc-api/v1/threads/", "http://svc.local/a%20b/%2Fc/x.y~z_-", "http://svc.local//a///b",
]  # fmt: skip
OTHER = [
    "http://svc.local/a/../b", "http://svc.local/./a", "http://svc.local/.a", "http://svc.local/a b", "http://svc.local/ä",
    "http://SVC.local/a", "http://svc.local/a?b=1", "http://svc.local/a#b", "http://svc.local/%2f", "http://[::1]:8000/a",
    "http://ana@svc.local/a", "http://svc.local/a%zz", "http://bücher.example/a",
]  # fmt: skip
PARAMS = [{}, {"first": "10"}, {"after": "a b&c=d/é+", "first": "2"}]


@pytest.mark.parametrize("params", PARAMS)
@pytest.mark.parametrize("url", PLAIN + OTHER)
def test_a_target_is_told_as_the_library_would(url: str, params: dict[str, str]) -> None:
    expected = httpx.URL(url)
    if params:
        expected = expected.copy_merge_params(params)
    found = target_of(url, params)
    assert isinstance(found, Target) is (url in PLAIN)
    assert found.netloc == expected.netloc
    assert _scope("GET", found, [], {}, print) == _scope("GET", expected, [], {}, print)


def test_a_service_of_this_process_is_asked_without_the_library() -> None:
    asked = (
        "import sys, svc_notebook as svc\n"
        "client = svc.embedded({'region': ['EMEA'], 'amount': [1]})\n"
        "assert client.chat().ask('amount by region').text\n"
        "assert 'httpx' not in sys.modules, 'it was imported'"
    )
    subprocess.run([sys.executable, "-c", asked], check=True, timeout=120)
