"""Each public name has an example, and every example is run as it stands: over the demo, as `client`."""

from __future__ import annotations

import asyncio
import doctest
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import svc_notebook as svc

WIDGETS = {"ChatWidget", "CompareUsers", "ModelEditor", "ResultView", "ReviewPanel", "SessionForm", "TenantAdmin"}
PUBLIC = sorted(svc.__all__)


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What an example finds: a client, a chat in which a question was answered, its answer and result, a folder."""
    with svc.demo() as client:
        chat = client.chat()
        answer = chat.ask("flights by origin")
        assert answer.result is not None
        yield {
            "svc": svc,
            "asyncio": asyncio,
            "client": client,
            "chat": chat,
            "answer": answer,
            "result": answer.result,
            "reading": client.chat().ask("flights by month in March and April").reading,
            "dora": {"external_id": "dora", "groups": ["airlines"], "user_attributes": {"carrier": ["DL"]}},
            "folder": tmp_path_factory.mktemp("examples"),
        }


def methods_of(public: Any) -> dict[str, Any]:
    """What may be called of it, by name; widgets are called by clicks, all but those named in the API's page."""
    if not inspect.isclass(public):
        return {}
    return {
        name: found
        for name, found in inspect.getmembers(public)
        if not name.startswith("_") and (inspect.isfunction(found) or inspect.ismethod(found))
    }


@pytest.mark.parametrize("name", PUBLIC)
def test_each_public_name_has_an_example(name: str) -> None:
    public = getattr(svc, name)
    assert ">>> " in (public.__doc__ or ""), f"no example in the docstring of svc.{name}"
    if name in WIDGETS or name == "AsyncClient":
        return
    without = [
        method for method, found in methods_of(public).items()
        if found.__module__.startswith("svc_notebook.") and ">>> " not in (found.__doc__ or "")
    ]  # fmt: skip
    assert not without, f"no example in the docstrings of these methods of svc.{name}: {', '.join(without)}"


@pytest.mark.parametrize("name", PUBLIC)
def test_every_example_runs_as_it_stands(name: str, around: dict[str, Any]) -> None:
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    public = getattr(svc, name)
    docs = {f"svc.{name}": public.__doc__} | {f"svc.{name}.{m}": f.__doc__ for m, f in methods_of(public).items()}
    for where, doc in docs.items():
        test = doctest.DocTestParser().get_doctest(doc or "", dict(around), where, where, 0)
        runner.run(test, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def test_a_wrong_example_would_be_found(around: dict[str, Any]) -> None:
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(">>> len(result)\n4\n", dict(around), "wrong", "wrong", 0)
    assert doctest.DocTestRunner().run(test, out=told.append).failed == 1
    assert "Got" in "".join(told)
