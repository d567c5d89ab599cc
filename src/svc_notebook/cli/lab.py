"""``svc-notebook lab``: JupyterLab on the first notebook."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .output import CommandFailed, command, note

FIRST = "01_ask_a_question.ipynb"


EXAMPLES = """\
examples:
  svc-notebook lab                                       opens the browser on the first notebook
  svc-notebook lab --no-browser --port 8890              prints the address instead
  svc-notebook lab --folder ~/analytics                  copies the notebooks there (outside a checkout)
  svc-notebook lab -- --ServerApp.ip=0.0.0.0             anything JupyterLab understands
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "lab",
        help="open the first notebook in JupyterLab",
        description="Open JupyterLab on the first notebook. Outside a checkout the notebooks are copied to --folder "
        "first; files that are there already are left alone. What follows `--` is passed to JupyterLab.",
        more=EXAMPLES,
    )
    parser.add_argument("--folder", type=Path, default=Path("svc-notebooks"), help="where the notebooks are copied to")
    parser.add_argument("--port", type=int, help="port (default: JupyterLab's own choice)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser; print the address")
    parser.add_argument("jupyter", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if find_spec("jupyterlab") is None:
        raise CommandFailed("JupyterLab is not installed here: pip install 'svc-notebook[lab]'")
    folder = notebooks_folder(options.folder)
    program = [sys.executable, "-P", "-m", "jupyter", "lab"]  # -P: a json.py of the user's in this folder is not ours
    program += [f"--ServerApp.root_dir={folder.resolve()}", f"--LabApp.default_url=/lab/tree/{FIRST}"]
    if options.port is not None:
        program.append(f"--port={options.port}")
    if options.no_browser:
        program.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        program.append("--allow-root")  # in a container there is often no one else
    program += [argument for argument in options.jupyter if argument != "--"]
    os.execv(sys.executable, program)  # noqa: S606  the interpreter we run in; JupyterLab gets our terminal and signals


def notebooks_folder(target: Path) -> Path:
    """Where the notebooks are: the checkout's own, or copies in ``target``."""
    checkout = Path(__file__).resolve().parents[3] / "notebooks"
    if (checkout / FIRST).is_file():
        return checkout
    shipped = Path(__file__).resolve().parents[1] / "notebooks"
    if not (shipped / FIRST).is_file():
        raise CommandFailed(f"the notebooks are missing from this installation (looked in {shipped})")
    target.mkdir(parents=True, exist_ok=True)
    for source in sorted(path for path in shipped.iterdir() if path.suffix != ".py" and path.is_file()):
        if not (target / source.name).exists():
            shutil.copy2(source, target / source.name)
            note(f"copied {target / source.name}")
    return target
