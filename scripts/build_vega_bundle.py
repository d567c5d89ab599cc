"""Build the Vega bundle that the chat widget draws its charts with, or check that it is current.

``python scripts/build_vega_bundle.py`` writes ``src/svc_notebook/front/static/vega.js.gz`` and, beside it,
``vega.json`` with the versions and the SHA-256 of the unpacked text. ``--check`` rebuilds nothing: it fails when the
archive does not hold the text the record names, or when vl-convert or the wanted Vega-Lite version have moved on.
vl-convert carries the sources, so building needs no network.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.metadata
import json
import sys
from pathlib import Path

STATIC = Path(__file__).parent.parent / "src" / "svc_notebook" / "front" / "static"
BUNDLE = STATIC / "vega.js.gz"
RECORD = STATIC / "vega.json"
VEGA_LITE = "5.21"
SNIPPET = "export { vegaEmbed, vega, vegaLite };"


def wanted() -> dict[str, str]:
    """What the bundle has to be made of."""
    version = importlib.metadata.version("vl-convert-python")
    return {"vega_lite": VEGA_LITE, "vl_convert": version, "snippet": SNIPPET}


def build() -> None:
    """Bundle, compress reproducibly, and write the record."""
    import vl_convert

    text = vl_convert.javascript_bundle(SNIPPET, vl_version=VEGA_LITE).encode()
    STATIC.mkdir(parents=True, exist_ok=True)
    BUNDLE.write_bytes(gzip.compress(text, 9, mtime=0))
    record = {**wanted(), "sha256": hashlib.sha256(text).hexdigest(), "bytes": len(text)}
    RECORD.write_text(json.dumps(record, indent=2) + "\n")
    print(f"{BUNDLE.name}: {len(text):,} bytes, {BUNDLE.stat().st_size:,} compressed")


def check() -> list[str]:
    """Everything that is not as it should be (empty: the bundle is current)."""
    if not (BUNDLE.exists() and RECORD.exists()):
        return ["the bundle is missing: run scripts/build_vega_bundle.py"]
    record = json.loads(RECORD.read_text())
    problems = [
        f"{key} is {record.get(key)!r}, wanted {value!r}" for key, value in wanted().items() if record.get(key) != value
    ]
    if hashlib.sha256(gzip.decompress(BUNDLE.read_bytes())).hexdigest() != record.get("sha256"):
        problems.append("vega.js.gz does not hold the text that vega.json names")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        build()
    problems = check()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
