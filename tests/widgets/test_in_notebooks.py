"""Notebooks with answers, widgets and magics pass strict nbval: nothing they save differs from run to run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.kernel, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
CELLS = [
    "import svc_notebook as svc\nclient = svc.demo()",
    "chat = client.chat(external_id='dora', user_attributes={'carrier': ['DL']})\nchat.ask('average arrival delay by origin')",
    "answer = await chat.aask('now by month')\nanswer",
    "answer.results[-1]",
    "svc.ChatWidget(client)",
    "svc.SessionForm(client)",
    "svc.TenantAdmin(client, 'acme-corp')",
    "svc.ModelEditor(client)",
    "svc.ReviewPanel(client)",
    "svc.CompareUsers(client, {'external_id': 'dora'}, {'external_id': 'uwe'})",
    "svc.ResultView(answer)",
    "%load_ext svc_notebook\n%svc connect client external_id=dora carrier=DL",
    "%%ask\nhow many flights were there",
    "carriers = ['DL']",
    "%%svcsql frame <<\nSELECT carrier, MEASURE(count) AS n FROM flights WHERE carrier IN {carriers} GROUP BY 1",
    "frame",
    "print(answer.to_markdown())",
    "answer.chart",
]


def test_strict_nbval(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    path = tmp_path / "everything.ipynb"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "IPYTHONDIR": str(tmp_path / "ipython")}
    nbclient.NotebookClient(notebook, timeout=120, store_widget_state=False, kernel_name="python3").execute(env=env)
    nbformat.write(notebook, path)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "nbval.plugin",
        "--nbval",
        "-q",
        "-p",
        "no:cacheprovider",
        str(path),
    ]
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # loading all takes seconds
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stdout[-6000:]
    saved = json.dumps(json.loads(path.read_text()))
    assert "48,110" in saved
    assert "object at 0x" not in saved
