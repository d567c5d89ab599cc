"""Branches of the data model: folders beside it, or refs of its git repository."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.protocol.errors import BadRequest
from svc_notebook.semantic.errors import ModelError, ModelProblem
from svc_notebook.service.deployments.branches import Branches


class Loader:
    """Remembers what it was asked to load; a layer here is the text of the model."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, folder: Path) -> Any:
        self.count += 1
        text = (folder / "cubes.yml").read_text()
        if "broken" in text:
            raise ModelError([ModelProblem("cubes: expected a list", "cubes.yml", 1, 1)])
        return text


def write(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cubes.yml").write_text(text)


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


def test_main_is_the_model_that_is_served(tmp_path: Path) -> None:
    branches: Any = Branches("served", tmp_path / "model", Loader())  # type: ignore[arg-type]
    assert branches["main"] == "served"
    assert list(branches) == ["main"]


def test_a_folder_is_a_branch_and_read_again_when_it_changes(tmp_path: Path) -> None:
    loader = Loader()
    write(tmp_path / "branches" / "dev", "one")
    branches: Any = Branches("served", tmp_path / "model", loader)  # type: ignore[arg-type]
    assert [branches["dev"], branches["dev"]] == ["one", "one"]
    assert loader.count == 1
    write(tmp_path / "branches" / "dev", "another")
    assert branches["dev"] == "another"
    assert list(branches) == ["main", "dev"]


def test_a_git_ref_is_a_branch(tmp_path: Path) -> None:
    loader = Loader()
    model = tmp_path / "repo" / "model"
    write(model, "first")
    git(tmp_path, "init", "-q", "-b", "main", "repo")
    git(model, "add", ".")
    git(model, "commit", "-q", "-m", "first")
    git(model, "checkout", "-q", "-b", "feature/x")
    write(model, "second")
    git(model, "commit", "-q", "-a", "-m", "second")
    git(model, "checkout", "-q", "main")
    branches: Any = Branches("served", model, loader)  # type: ignore[arg-type]
    assert [branches["feature/x"], branches["feature/x"]] == ["second", "second"]
    assert loader.count == 1
    git(model, "branch", "-f", "feature/x", "main")
    assert branches["feature/x"] == "first"


def test_commits_and_tags_are_no_branches(tmp_path: Path) -> None:
    model = tmp_path / "repo" / "model"
    write(model, "first")
    git(tmp_path, "init", "-q", "-b", "main", "repo")
    git(model, "add", ".")
    git(model, "commit", "-q", "-m", "first")
    git(model, "tag", "v1")
    commit = subprocess.run(
        ["git", "-C", str(model), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    branches: Any = Branches("served", model, Loader())  # type: ignore[arg-type]
    for name in (commit, commit[:4], commit[:7], "HEAD", "v1", "tags/v1", "heads/main", "refs/heads/main"):
        with pytest.raises(KeyError):
            branches[name]
    git(model, "branch", commit[:7])
    assert branches[commit[:7]] == "first"  # a branch may be called like a commit


@pytest.mark.parametrize(
    "name", ["gone", "../model", "a/../b", "-x", "--upload-pack=x", "", "a b", "HEAD~1", "a..b", "/etc"]
)
def test_what_is_no_branch(tmp_path: Path, name: str) -> None:
    write(tmp_path / "model", "one")
    branches: Any = Branches("served", tmp_path / "model", Loader())  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        branches[name]


def test_a_broken_branch_says_what_is_wrong(tmp_path: Path) -> None:
    write(tmp_path / "branches" / "dev", "broken")
    branches: Any = Branches("served", tmp_path / "model", Loader())  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match=r"branch 'dev' does not hold:\ncubes\.yml:1:1: error: cubes: expected a list"):
        branches["dev"]
