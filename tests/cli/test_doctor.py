"""``doctor`` in environments that are broken in one way each: it says what, and the remedy it names helps."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import pytest

from svc_notebook.cli import main
from svc_notebook.cli.examination import Finding, frontend, packages, surroundings

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def pretend(folder: Path, name: str, version: str) -> Path:
    """A folder that, put first on the path, says another version of a package is installed."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return folder


def problems(found: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.level == "problem"]


@pytest.mark.parametrize(
    "package,version,look,words,remedy",
    [
        ("ipykernel", "6.31.0", frontend.kernel, "only after the running cell", "pip install 'ipykernel>=7.4'"),
        *(
            ("ipykernel", old, frontend.kernel, "loses replies by itself", "pip install 'ipykernel>=7.4'")
            for old in ("7.0.1", "7.1.0", "7.3.2")
        ),
        ("jupyterlab", "4.1.0", frontend.lab, "too old for clicks", "pip install 'jupyterlab>=4.4'"),
        ("pandas", "1.5.3", packages.dependencies, "pandas 1.5.3; needed: pandas>=", "pip install 'pandas>="),
        (
            "anywidget",
            "0.9.20",
            frontend.widgets,
            "anywidget 0.9.20 in Python",
            "--force-reinstall --no-deps anywidget",
        ),
    ],
)
def test_a_version_that_does_not_work(package, version, look, words, remedy, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(pretend(tmp_path, package, version))
    (found,) = problems(list(look()))
    assert words in found.what
    assert remedy in found.remedy


def test_a_package_that_is_missing(monkeypatch):
    monkeypatch.setattr(packages, "version", lambda name: None if name == "altair" else metadata.version(name))
    (found,) = problems(list(packages.dependencies()))
    assert "altair is missing" in found.what
    assert found.remedy.startswith("pip install 'altair")


@pytest.mark.parametrize("package,extra", [(name, extra) for name, (extra, _) in packages.EXTRAS.items()])
def test_an_extra_that_is_not_installed_is_a_note_with_its_command(package, extra, monkeypatch):
    monkeypatch.setattr(packages, "version", lambda name: None if name == package else "1.0")
    (note,) = [finding for finding in packages.extras() if finding.level == "note"]
    assert note.remedy == f"pip install 'svc-notebook[{extra}]'"


@pytest.mark.parametrize("name", ["json.py", "random.py", "duckdb.py", "svc_notebook"])
def test_a_name_in_this_folder_that_takes_the_place_of_a_module(name, tmp_path):
    if name.endswith(".py"):
        (tmp_path / name).write_text("")
    else:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "my_analysis.py").write_text("")
    (tmp_path / "data").mkdir()
    (found,) = packages.shadows(tmp_path)
    assert found.level == "problem"
    assert name in found.what
    assert found.remedy.startswith("rename")


def test_the_package_itself_is_no_stranger_in_its_own_folder(root):
    assert list(packages.shadows(root / "src")) == []


def test_a_kernel_that_starts_another_python(tmp_path, monkeypatch):
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = ["/opt/other/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    (found,) = problems(list(frontend.kernel()))
    assert "/opt/other/bin/python" in found.what
    assert "ipykernel install" in found.remedy


def test_an_extension_that_is_switched_off(tmp_path, monkeypatch):
    config = tmp_path / "labconfig"
    config.mkdir(parents=True)
    (config / "page_config.json").write_text(json.dumps({"disabledExtensions": {"anywidget": True}}))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path))
    (found,) = problems(list(frontend.widgets()))
    assert "anywidget is disabled" in found.what
    assert found.remedy.startswith("jupyter labextension enable anywidget")


def test_the_browser_half_of_another_version(tmp_path, monkeypatch):
    (tmp_path / "labextensions/anywidget").mkdir(parents=True)
    manifest = {"name": "anywidget", "version": "0.2.0", "jupyterlab": {"_build": {"load": "x.js"}}}
    (tmp_path / "labextensions/anywidget/package.json").write_text(json.dumps(manifest))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    (found,) = problems(list(frontend.widgets()))
    assert "0.2.0 in JupyterLab" in found.what


def test_a_runtime_folder_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "file" / "runtime"))
    (found,) = problems(list(frontend.lab()))
    assert "may not write" in found.what
    assert "JUPYTER_RUNTIME_DIR" in found.remedy


def test_pictures_without_letters(monkeypatch):
    vl_convert = pytest.importorskip("vl_convert")
    monkeypatch.setattr(vl_convert, "vegalite_to_png", lambda *_, **__: b"the same")
    (found,) = problems(list(frontend.fonts()))
    assert "fonts-dejavu-core" in found.remedy


@pytest.mark.parametrize(
    "variables,words",
    [
        ({"http_proxy": "http://proxy:3128"}, "no_proxy leaves out this machine"),
        ({"https_proxy": "http://proxy:3128", "no_proxy": "localhost"}, "no_proxy leaves out this machine"),
        ({"all_proxy": "socks5://proxy:1080", "no_proxy": "localhost,127.0.0.1"}, "SOCKS"),
    ],
)
def test_proxies_in_the_way(variables, words, monkeypatch):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(surroundings, "version", lambda name: None)
    (found,) = problems(list(surroundings.proxies()))
    assert words in found.what
    assert found.remedy


def test_proxies_that_leave_this_machine_alone_are_fine(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    assert [finding.level for finding in surroundings.proxies()] == ["ok"]


def test_a_port_in_use_names_another():
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        number = holder.getsockname()[1]
        (found,) = surroundings.port(number)
    assert found.level == "problem"
    assert f"port {number}" in found.what
    assert "serve --port" in found.remedy
    assert [finding.level for finding in surroundings.port(number)] == ["ok"]


def test_a_store_in_a_folder_that_is_not_there(tmp_path):
    (found,) = surroundings.store(str(tmp_path / "no" / "state.sqlite"))
    assert "there is no folder" in found.what
    subprocess.run(found.remedy.split(",")[0].split(), check=True)
    assert [finding.level for finding in surroundings.store(str(tmp_path / "no" / "state.sqlite"))] == ["note"]
    assert not (tmp_path / "no" / "state.sqlite").exists(), "looking makes none"


def test_a_store_in_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    (found,) = surroundings.store(str(tmp_path / "state.sqlite"))
    assert "is not writable" in found.what
    assert found.remedy.startswith("chmod")


def test_a_store_that_is_something_else(tmp_path):
    (tmp_path / "state.sqlite").write_text("these are not the bytes of a database\n" * 50)
    (found,) = surroundings.store(str(tmp_path / "state.sqlite"))
    assert found.level == "problem"
    assert "not a database" in found.what


def test_a_model_that_is_not_there_can_be_made(tmp_path):
    (found,) = surroundings.model(tmp_path / "modle")
    assert "no such file or folder" in found.what
    assert "svc-notebook init" in found.remedy


def test_every_problem_has_its_remedy_and_the_exit_code_is_1(tmp_path, monkeypatch, capsys):
    (tmp_path / "random.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    asked = ["doctor", "--model", "nowhere", "--store", "no/where.sqlite", "--json"]
    assert main(asked) == 1
    found = json.loads(capsys.readouterr().out)
    wrong = [finding for finding in found if finding["level"] == "problem"]
    assert len(wrong) == 4
    assert all(finding["remedy"] for finding in wrong)
    assert main(asked[:-1]) == 1
    assert capsys.readouterr().out.count("    → ") >= 4


def test_the_remedy_for_another_kernel_is_a_command_that_runs(tmp_path, monkeypatch):
    """``ipykernel install`` writes a kernel that starts this Python."""
    command = [sys.executable, "-m", "ipykernel", "install", "--prefix", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    written = json.loads((tmp_path / "share/jupyter/kernels/python3/kernel.json").read_text())
    assert frontend._same_python(written["argv"][0])
    shutil.rmtree(tmp_path / "share")
