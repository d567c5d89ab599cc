"""Run notebooks from top to bottom and store their outputs, without widget state or anything that differs by run.

python scripts/refresh_notebooks.py [notebooks/01_ask_a_question.ipynb …]      (default: all)
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def merged(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Printed text in one piece, wherever the kernel happened to flush it."""
    found: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = found[-1] if found else None
        if last is not None and last.output_type == output.output_type == "stream" and last.name == output.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def refresh(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, store_widget_state=False, resources={"metadata": {"path": path.parent}}
    )
    client.execute()
    for number, cell in enumerate(notebook.cells, 1):
        cell["id"] = f"cell-{number:02d}"
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell.outputs = merged(cell.outputs)
        for output in cell.get("outputs", ()):
            output.get("metadata", {}).pop("execution", None)
    notebook.metadata = {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    nbformat.validate(notebook)
    nbformat.write(notebook, path)
    print(f"{path.name}: {len(notebook.cells)} cells, {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(FOLDER.glob("*.ipynb")):
        refresh(Path(name))
