"""Count the values of the demo's text dimensions and write them beside its model, for whoever sees every row.

    python scripts/learn_demo.py

To be run when the demo's model or data have changed; until then the demo asks for its values as any model does, only
slower.
"""

from __future__ import annotations

import msgspec

from svc_notebook.analyst.offline.schema.knowledge import VALUES_ASKED
from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.learning import learn
from svc_notebook.semantic.learnt import FILE
from svc_notebook.semantic.loader import load_model


def main() -> None:
    layer = SemanticLayer(load_model(model_folder()), DuckDBEngine.open(data=data_files()))
    try:
        (model_folder() / FILE).write_bytes(msgspec.json.encode(learn(layer, data_files(), VALUES_ASKED)) + b"\n")
    finally:
        layer.close()


if __name__ == "__main__":
    main()
