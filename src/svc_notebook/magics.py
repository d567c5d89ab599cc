"""Magics, after ``%load_ext svc_notebook``.

``%%ask [name <<]``
    Ask in plain words; ``{name}`` in the question is replaced by a variable's text.
``%%svcsql [name <<] [as WHO]``
    SQL over the data model under the current user's policies, or as the user of a chat, a chat widget or a client that
    the variable ``WHO`` holds; ``{name}`` is bound as a value.
``%svc connect [URL | demo] [key=value …]``, ``whoami``, ``meta [words]``, ``threads``, ``new``, ``abort``
    The service, and as whom; without ``connect`` the demo's operator asks. A bare value of a user attribute is a list
    of texts (``carrier=DL,UA``); other values are JSON: ``level=2``, ``since="2024-01-01"``, ``accounts=[7,8]``.

With ``name <<`` the answer (or the DataFrame) is kept under that name and not shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, needs_local_scope

from .client.errors import SvcError
from .widgets.connect_words import read_words, split
from .widgets.sql_parameters import ParameterError, bind

if TYPE_CHECKING:
    from .client.chat import Chat
    from .client.client import Client

__all__ = ["SvcMagics", "load_ipython_extension"]

_AS = re.compile(r"as\s+([A-Za-z_]\w*)\s*(.*)", re.DOTALL)
_STORE = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*<<)?\s*(.*)", re.DOTALL)
_WORDS = ("abort", "connect", "meta", "new", "threads", "whoami")


@magics_class
class SvcMagics(Magics):
    """The state behind the magics: one client, one user, one conversation."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._shell = shell
        self._client: Client | None = None
        self._user: dict[str, Any] = {}
        self._chat: Chat | None = None
        self._members: list[str] | None = None

    # -- what the magics speak with -----------------------------------------------------------------------------------
    @property
    def client(self) -> Client:
        """The client; the demo until another is connected."""
        if self._client is None:
            import svc_notebook

            self._client = svc_notebook.demo()
        return self._client

    @property
    def chat(self) -> Chat:
        """The conversation that ``%%ask`` goes on with."""
        if self._chat is None:
            self._chat = self.client.chat(**self._user)
        return self._chat

    def use(self, client: Client, **user: Any) -> None:
        """Speak with this client, as this user, from now on."""
        self._client, self._user, self._chat, self._members = client, user, None, None

    # -- cells --------------------------------------------------------------------------------------------------------
    @needs_local_scope
    @cell_magic
    def ask(self, line: str, cell: str, local_ns: dict[str, Any] | None = None) -> Any:
        """Ask a question; the answer is the cell's value, or kept with ``name <<``."""
        name, rest = _stored(line)
        question = _filled("\n".join(part for part in (rest, cell) if part.strip()), self._variables(local_ns))
        if not question.strip():
            raise UsageError("%%ask needs a question below it")
        try:
            answer = self.chat.ask(question.strip())
        except SvcError as problem:
            raise UsageError(str(problem)) from None
        return self._kept(name, answer)

    @needs_local_scope
    @cell_magic
    def svcsql(self, line: str, cell: str, local_ns: dict[str, Any] | None = None) -> Any:
        """Run SQL over the data model; a DataFrame is the cell's value, or kept with ``name <<``."""
        name, rest = _stored(line)
        variables = self._variables(local_ns)
        if match := _AS.fullmatch(rest):
            run, rest = _runner(match[1], variables), match[2]
        else:
            run = partial(self.client.sql, **self._user)
        try:
            query = bind("\n".join(part for part in (rest, cell) if part.strip()), variables)
        except ParameterError as problem:
            raise UsageError(str(problem)) from None
        try:
            frame = run(query.strip().rstrip(";"))
        except SvcError as problem:
            raise UsageError(str(problem)) from None
        return self._kept(name, frame)

    @line_magic
    def svc(self, line: str) -> Any:
        """``connect``, ``whoami``, ``meta``, ``threads``, ``new``, ``abort``."""
        word, *rest = split(line) or ["whoami"]
        action = getattr(self, f"_{word}", None) if word in _WORDS else None
        if action is None:
            raise UsageError(f"%svc {word}? There is: {', '.join(_WORDS)}")
        try:
            return action(rest)
        except SvcError as problem:
            raise UsageError(str(problem)) from None

    # -- %svc … -------------------------------------------------------------------------------------------------------
    def _connect(self, words: list[str]) -> str:
        import svc_notebook

        place = words.pop(0) if words and "=" not in words[0] else "demo"
        user, settings = read_words(words)
        client = self._shell.user_ns.get(place)
        if not hasattr(client, "chat"):
            if place != "demo" and "://" not in place:
                raise UsageError(f"{place} is no variable that holds a client, and no URL: make the client first")
            client = svc_notebook.demo() if place == "demo" else svc_notebook.Client(place, **settings)
        self.use(client, **user)
        return str(self.chat.whoami)

    def _whoami(self, _words: list[str]) -> str:
        return str(self.chat.whoami)

    def _meta(self, words: list[str]) -> Any:
        import pandas as pd

        wanted = [word.lower() for word in words]
        rows = [
            (member.name, member.title, member.member_type, member.type, member.description or "")
            for cube in self.client.meta(**self._user).cubes
            for member in cube.members
            if all(word in f"{member.name} {member.title} {member.description or ''}".lower() for word in wanted)
        ]
        return pd.DataFrame(rows, columns=["member", "title", "kind", "type", "description"])

    def _threads(self, _words: list[str]) -> Any:
        import pandas as pd

        threads = [(t.chat_id, t.title, t.updated_at) for t in self.chat.threads()]
        return pd.DataFrame(threads, columns=["chat_id", "title", "updated"])

    def _new(self, _words: list[str]) -> None:
        self._chat = None

    def _abort(self, _words: list[str]) -> str:
        return "stopped" if self.chat.abort() else "nothing was running"

    # -- names --------------------------------------------------------------------------------------------------------
    def _variables(self, local_ns: dict[str, Any] | None) -> dict[str, Any]:
        return {**self._shell.user_ns, **(local_ns or {})}

    def _kept(self, name: str | None, value: Any) -> Any:
        if name is None:
            return value
        self._shell.user_ns[name] = value
        return None

    def complete(self, text: str) -> list[str]:
        """Completions of a word: members in ``%%svcsql`` and ``%%ask`` cells, words after ``%svc``."""
        completer = self._shell.Completer
        whole = getattr(completer, "full_text", "") or ""
        line = getattr(completer, "text_until_cursor", "") or ""
        if line.lstrip().startswith("%svc "):
            return [word for word in _WORDS if word.startswith(text)]
        if not whole.lstrip().startswith(("%%svcsql", "%%ask")) or (self._client is None and not text):
            return []
        if self._members is None:
            cubes = self.client.meta(**self._user).cubes
            names = {name for cube in cubes for m in cube.members for name in (m.name, m.name.rsplit(".", 1)[-1])}
            self._members = sorted(names | {cube.name for cube in cubes})
        return [name for name in self._members if name.startswith(text)]


def _stored(line: str) -> tuple[str | None, str]:
    match = _STORE.fullmatch(line)
    return (match[1], match[2]) if match else (None, line)


def _runner(name: str, variables: dict[str, Any]) -> Callable[[str], Any]:
    """What runs SQL as the user that a variable stands for."""
    if name not in variables:
        raise UsageError(f"no variable {name!r} here: run the cell that makes it, or leave 'as {name}' away")
    value = variables[name]
    value = getattr(value, "chat", value) if hasattr(value, "conversation") else value
    run = getattr(value, "sql", None)
    if not callable(run):
        raise UsageError(f"{name} is a {type(value).__name__}: name a chat, a chat widget or a client")
    return cast("Callable[[str], Any]", run)


def _filled(question: str, variables: dict[str, Any]) -> str:
    def fill(match: re.Match[str]) -> str:
        if match[1] not in variables:
            raise UsageError(f"no variable {match[1]!r} here for {match[0]}")
        value = variables[match[1]]
        return ", ".join(map(str, value)) if isinstance(value, list | tuple | set) else str(value)

    return re.sub(r"\{([A-Za-z_]\w*)\}", fill, question)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext svc_notebook``."""
    magics = SvcMagics(shell)
    shell.register_magics(magics)
    matchers = getattr(shell.Completer, "custom_matchers", None)
    if matchers is not None:
        matchers.append(magics.complete)
