"""Kernel and JupyterLab: whether clicks are heard while a cell runs, widgets are drawn, pictures have letters."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .finding import Finding, release, version

__all__ = ["fonts", "kernel", "lab", "widgets"]

WIDGET_MANAGER = "@jupyter-widgets/jupyterlab-manager"


def kernel() -> Iterator[Finding]:
    """Whether a click is heard while a cell runs, and whether "Python 3" in the menu is this Python."""
    found = version("ipykernel")
    if found is None:
        yield Finding("note", "no Jupyter kernel in this environment", "pip install 'svc-notebook[lab]'")
        return
    if (7, 0) <= release(found) < (7, 4):
        yield Finding(
            "problem",
            f"ipykernel {found} loses replies by itself: a cell that never ends, a click that is not heard",
            "pip install 'ipykernel>=7.4' and restart the kernel",
        )
    elif release(found) < (7, 4):
        yield Finding(
            "problem",
            f"ipykernel {found}: the Stop button is heard only after the running cell",
            "pip install 'ipykernel>=7.4' and restart the kernel (the notebook's own ■ works with any version)",
        )
    else:
        yield Finding("ok", f"ipykernel {found}: buttons are heard while a cell runs")
    program = _kernel_program()
    if program is not None and not _same_python(program):
        yield Finding(
            "problem",
            f"the kernel 'Python 3' starts another Python: {program}",
            f"{sys.executable} -m ipykernel install --sys-prefix",
        )


def _kernel_program() -> str | None:
    """The first word of the command that starts the kernel `python3`; None where it cannot be told."""
    if find_spec("jupyter_client") is None:
        return None
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        return str(KernelSpecManager().get_kernel_spec("python3").argv[0])
    except (NoSuchKernel, IndexError):
        return None


def _same_python(program: str) -> bool:
    if not os.path.isabs(program):
        return True  # `python` is replaced by the Python that runs the server
    return os.path.realpath(os.path.dirname(program)) == os.path.realpath(os.path.dirname(sys.executable))


def lab() -> Iterator[Finding]:
    """Whether JupyterLab is one that draws our charts, and can start here."""
    found = version("jupyterlab")
    if found is None:
        yield Finding("note", "JupyterLab is not in this environment (it may run from another one)")
        return
    if release(found) < (4, 4):
        remedy = "pip install 'jupyterlab>=4.4'"
        yield Finding("problem", f"JupyterLab {found} is too old for clicks during a cell", remedy)
    else:
        yield Finding("ok", f"JupyterLab {found}: draws our charts without any network")
    from jupyter_core.paths import jupyter_runtime_dir

    runtime = Path(jupyter_runtime_dir())
    nearest = next(folder for folder in (runtime, *runtime.parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        yield Finding(
            "problem",
            f"JupyterLab cannot start: it may not write to {runtime}",
            f"make {nearest} writable, or set JUPYTER_RUNTIME_DIR to a folder that is",
        )


def widgets() -> Iterator[Finding]:
    """Whether JupyterLab's half of the widgets is there, switched on, and of the version of Python's half."""
    if version("jupyterlab") is None:
        return
    from jupyter_core.paths import jupyter_path

    folders = jupyter_path("labextensions")
    disabled = _disabled(folders)
    amiss = False
    for name, package in (("anywidget", "anywidget"), (WIDGET_MANAGER, "jupyterlab_widgets")):
        remedy = f"{sys.executable} -m pip install --force-reinstall --no-deps {package}"
        manifest = _manifest(folders, name)
        if name in disabled:
            amiss = True
            off = f"the JupyterLab extension {name} is disabled: widgets stay empty"
            yield Finding("problem", off, f"jupyter labextension enable {name}, then reload the page")
        elif manifest is None:
            amiss = True
            yield Finding("problem", f"JupyterLab has no extension {name}: widgets stay empty", remedy)
        elif (words := _mismatch(name, manifest)) is not None:
            amiss = True
            yield Finding("problem", words, remedy + ", then reload the page")
    if not amiss:
        yield Finding("ok", "JupyterLab's widget extensions are on, and fit the Python side")


def _disabled(folders: list[str]) -> set[str]:
    """Extensions that are switched off, whole or a plugin of theirs, wherever that was said."""
    from jupyterlab.commands import get_app_dir
    from jupyterlab_server.config import get_page_config

    config = get_page_config(folders, os.path.join(get_app_dir(), "settings"))
    named = config.get("disabledExtensions", [])  # a list of names, or names with whether they are off
    off = [name for name, is_off in named.items() if is_off] if isinstance(named, dict) else named
    return {str(name).partition(":")[0] for name in off}


def _manifest(folders: list[str], name: str) -> dict[str, Any] | None:
    """The ``package.json`` that JupyterLab would load: the first one on its path."""
    for folder in folders:
        file = Path(folder) / name / "package.json"
        if file.is_file():
            return dict(json.loads(file.read_text("utf-8")))
    return None


def _mismatch(name: str, manifest: dict[str, Any]) -> str | None:
    there = str(manifest.get("version", "0"))
    if name == WIDGET_MANAGER:
        return (
            None
            if there.startswith("5.")
            else f"{name} {there} belongs to another ipywidgets than {version('ipywidgets')}"
        )
    here = version("anywidget") or "0"
    if release(there.replace("-", "."))[:2] != release(here)[:2]:
        return f"anywidget {here} in Python, {there} in JupyterLab: widgets may stay empty"
    return None


def fonts() -> Iterator[Finding]:
    """Whether letters appear in pictures of charts."""
    if version("vl-convert-python") is None:
        return
    import vl_convert

    def picture(text: str) -> bytes:
        spec = {"data": {"values": [{}]}, "mark": {"type": "text", "text": text, "font": "sans-serif"}}
        return bytes(vl_convert.vegalite_to_png(spec, vl_version="5.21"))

    if picture("Ag") == picture(""):
        yield Finding(
            "problem",
            "pictures of charts have no letters: no font was found",
            "install one (Debian, Ubuntu: sudo apt-get install fonts-dejavu-core)",
        )
    else:
        yield Finding("ok", "pictures of charts have their letters")
