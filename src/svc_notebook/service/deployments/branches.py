"""Development branches of a data model: folders beside it, or branches of the git repository it lies in.

A branch is loaded when it is first asked for, and again when its files or its commit have changed. Who may ask for
which one is not decided here: a deployment lists the names (:class:`~svc_notebook.service.config.Deployment`).
"""

from __future__ import annotations

import io
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...protocol.errors import BadRequest
from ...semantic.errors import ModelError
from ..config import is_branch_name

if TYPE_CHECKING:
    from ...semantic.layer import SemanticLayer

__all__ = ["Branches"]

_GIT_SECONDS = 20.0
_PLACES = ("refs/heads", "refs/remotes/origin")  # in full, so that a name is never read as a commit or as a tag
DEFAULT = "main"


class Branches(Mapping[str, "SemanticLayer"]):
    """The data model by branch name; ``"main"`` is the model as it is served.

    Parameters
    ----------
    main
        The layer of the default branch.
    model
        The folder the model was read from.
    load
        Makes a layer from a folder of model files.
    folder
        Where branches lie as folders; ``branches`` beside the model unless given.
    """

    def __init__(
        self, main: SemanticLayer, model: Path, load: Callable[[Path], SemanticLayer], *, folder: Path | None = None
    ) -> None:
        self._main = main
        self._model = model.absolute()
        self._load = load
        self._folder = folder or self._model.parent / "branches"
        self._lock = threading.Lock()
        self._loaded: dict[str, tuple[str, SemanticLayer]] = {}

    def __getitem__(self, name: str) -> SemanticLayer:
        """The branch's layer.

        Raises
        ------
        KeyError
            No such branch.
        BadRequest
            Its model does not hold; the message lists every problem.
        """
        if name == DEFAULT:
            return self._main
        if not is_branch_name(name):
            raise KeyError(name)
        try:
            # One at a time: ten askers of the same branch must not load it ten times.
            with self._lock:
                return self._branch(name)
        except ModelError as error:
            raise BadRequest(f"The data model of branch {name!r} does not hold:\n{error}") from None

    def __iter__(self) -> Iterator[str]:
        yield DEFAULT
        if self._folder.is_dir():
            yield from sorted(path.name for path in self._folder.iterdir() if path.is_dir())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _branch(self, name: str) -> SemanticLayer:
        folder = self._folder / name
        if folder.is_dir():
            stamp = _stamp(folder)
            return self._fresh(name, stamp) or self._keep(name, stamp, self._load(folder))
        stamp = self._commit(name)
        return self._fresh(name, stamp) or self._keep(name, stamp, self._checked_out(name, stamp))

    def _commit(self, name: str) -> str:
        for place in _PLACES:
            # After --end-of-options nothing is read as an option; ^{commit} turns an annotated tag into what it stands
            # for.
            commit = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{place}/{name}^{{commit}}")
            if commit is not None:
                return commit.decode().strip()
        raise KeyError(name)

    def _fresh(self, name: str, stamp: str) -> SemanticLayer | None:
        known = self._loaded.get(name)
        return known[1] if known is not None and known[0] == stamp else None

    def _keep(self, name: str, stamp: str, layer: SemanticLayer) -> SemanticLayer:
        self._loaded[name] = (stamp, layer)
        return layer

    def _checked_out(self, name: str, commit: str) -> SemanticLayer:
        archive = self._git("archive", "--format=tar", commit, ".")
        if archive is None:
            raise KeyError(name)
        import tarfile  # here: few services answer from branches

        with tempfile.TemporaryDirectory(prefix="svc-branch-") as place:
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                tar.extractall(place, filter="data")
            return self._load(Path(place))

    def _git(self, *words: str) -> bytes | None:
        """What git answers in the model's folder; ``None`` when it refuses or is not there."""
        try:
            done = subprocess.run(  # noqa: S603 (a list of words; names were matched in full)
                ["git", "-C", str(self._model), *words],  # noqa: S607 (the git of the PATH)
                capture_output=True,
                timeout=_GIT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def _stamp(folder: Path) -> str:
    """Changes when a file of the folder does."""
    files = sorted(path for path in folder.rglob("*.y*ml") if path.is_file())
    return "\n".join(f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}" for path in files)
