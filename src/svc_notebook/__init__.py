"""Conversational, governed analytics in the notebook.

>>> import svc_notebook as svc
>>> client = svc.demo()
>>> client.chat().ask("how many flights were there")

Every public name below is imported when it is first used: ``import svc_notebook`` costs next to nothing, and whoever
talks to a remote service never loads the engine.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False  # type checkers take it for True; importing `typing` alone would double the cost of this import
if TYPE_CHECKING:
    from typing import Any

    from .client import errors
    from .client.chat import Chat
    from .client.client import AsyncClient, Client
    from .client.sessions import Session
    from .embedded import demo, embedded
    from .nesting import allow_nested
    from .results.answer import Answer
    from .results.reading import Reading
    from .results.result import Result
    from .widgets import ChatWidget, CompareUsers, ModelEditor, ResultView, ReviewPanel, SessionForm, TenantAdmin

__all__ = [
    "Answer", "AsyncClient", "Chat", "ChatWidget", "Client", "CompareUsers", "ModelEditor", "Reading", "Result",
    "ResultView", "ReviewPanel", "Session", "SessionForm", "TenantAdmin", "allow_nested", "demo", "embedded", "errors",
]  # fmt: skip

# public name -> (module, attribute; None for the module itself)
_PUBLIC: dict[str, tuple[str, str | None]] = {
    "Answer": ("results.answer", "Answer"),
    "AsyncClient": ("client.client", "AsyncClient"),
    "Chat": ("client.chat", "Chat"),
    "ChatWidget": ("widgets", "ChatWidget"),
    "Client": ("client.client", "Client"),
    "CompareUsers": ("widgets", "CompareUsers"),
    "ModelEditor": ("widgets", "ModelEditor"),
    "Reading": ("results.reading", "Reading"),
    "Result": ("results.result", "Result"),
    "ResultView": ("widgets", "ResultView"),
    "ReviewPanel": ("widgets", "ReviewPanel"),
    "Session": ("client.sessions", "Session"),
    "SessionForm": ("widgets", "SessionForm"),
    "TenantAdmin": ("widgets", "TenantAdmin"),
    "allow_nested": ("nesting", "allow_nested"),
    "demo": ("embedded", "demo"),
    "embedded": ("embedded", "embedded"),
    "errors": ("client.errors", None),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        return version("svc-notebook")
    try:
        module_name, attribute = _PUBLIC[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    from .collecting import uncollected
    from .resting import resting_soon

    with uncollected(), resting_soon():
        module = import_module(f".{module_name}", __name__)
    value = module if attribute is None else getattr(module, attribute)
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext svc_notebook``: the magics ``%%ask``, ``%%svcsql`` and ``%svc``."""
    from .magics import load_ipython_extension as load

    load(shell)


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})


class _Package(ModuleType):
    """``demo`` and ``embedded`` are functions here and modules below.

    The import system binds a submodule onto its package under its own name; for these two the public function keeps
    the name, whichever is imported first. (``from svc_notebook.embedded import …`` works as ever.)
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _PUBLIC and isinstance(value, ModuleType) and _PUBLIC[name][1] is not None):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
