"""Build the grammar that charts from outside are held to, or check that it is current.

``python scripts/build_vega_grammar.py [SCHEMA]`` reads Vega-Lite's JSON schema (from its npm package when no file is
named), takes out what ``results/vega/exclusions.py`` names, and writes ``results/vega/grammar.json.gz`` with a record
of what it was made from. ``--check`` builds nothing: it fails when the Vega-Lite that draws, the exclusions or the
archive are not those of the record. The schema is BSD-3-Clause (University of Washington Interactive Data Lab).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "src" / "svc_notebook" / "results" / "vega"
GRAMMAR = FOLDER / "grammar.json.gz"
RECORD = FOLDER / "grammar.json"
BUNDLE_RECORD = "vega.json"
VERSION = "5.21.0"
_SILENT = frozenset({"description", "default", "$schema", "markdownDescription"})

sys.path.insert(0, str(ROOT / "src"))
from svc_notebook.results.vega import exclusions  # noqa: E402 - the tree's own, not an installed one


def digest_of_exclusions() -> str:
    """What is excluded, as one hash; the reasons may be worded anew without a new grammar."""
    names = [
        sorted(exclusions.EXCLUDED_KEYS),
        sorted(exclusions.EXCLUDED_DEFINITIONS),
        sorted(exclusions.EXCLUDED_VALUES),
    ]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def drawn_version() -> str:
    """The Vega-Lite that the charts are drawn with, of the bundle's record."""
    (record,) = [path for path in (ROOT / "src").rglob(BUNDLE_RECORD) if "vega_lite" in json.loads(path.read_text())]
    return str(json.loads(record.read_text())["vega_lite"])


def fetched_schema() -> dict[str, Any]:
    """The schema out of the npm package."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["npm", "pack", "--silent", f"vega-lite@{VERSION}"], cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            member = package.extractfile("package/build/vega-lite-schema.json")
            assert member is not None
            schema: dict[str, Any] = json.load(member)
            return schema


def pruned(schema: dict[str, Any]) -> dict[str, Any]:
    """The definitions without descriptions and exclusions, and only those that a chart can reach."""
    definitions = {
        name: _without(node, name)
        for name, node in schema["definitions"].items()
        if name not in exclusions.EXCLUDED_DEFINITIONS
    }
    reached, waiting = set(), ["TopLevelSpec"]
    while waiting:
        if (name := waiting.pop()) not in reached:
            reached.add(name)
            waiting.extend(_references(definitions[name]))
    return {name: definitions[name] for name in sorted(reached)}


def _without(node: Any, name: str) -> Any:
    if isinstance(node, list):
        return [_without(item, name) for item in node if not _excluded(item)]
    if not isinstance(node, dict):
        return node
    out = {
        key: _without(value, name)
        for key, value in node.items()
        if key not in _SILENT or not isinstance(value, str | int | float | bool)
    }
    if isinstance(out.get("properties"), dict):
        out["properties"] = {
            key: value
            for key, value in out["properties"].items()
            if f"*.{key}" not in exclusions.EXCLUDED_KEYS
            and f"{name}.{key}" not in exclusions.EXCLUDED_KEYS
            and not _excluded(value)
        }
        out["required"] = [key for key in out.get("required", ()) if key in out["properties"]]
    if isinstance(out.get("enum"), list):
        out["enum"] = [value for value in out["enum"] if f"{name}={value}" not in exclusions.EXCLUDED_VALUES]
    return out


def _excluded(node: Any) -> bool:
    return (
        isinstance(node, dict)
        and node.get("$ref", "").removeprefix("#/definitions/") in exclusions.EXCLUDED_DEFINITIONS
    )


def _references(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"].removeprefix("#/definitions/")] if isinstance(node.get("$ref"), str) else []
        return own + [name for value in node.values() for name in _references(value)]
    return [name for item in node for name in _references(item)] if isinstance(node, list) else []


def build(schema: dict[str, Any]) -> None:
    """Write the grammar, the same bytes for the same schema, and its record."""
    text = json.dumps(pruned(schema), separators=(",", ":"), sort_keys=True).encode()
    GRAMMAR.write_bytes(gzip.compress(text, 9, mtime=0))
    record = {
        "vega_lite": VERSION,
        "exclusions": digest_of_exclusions(),
        "sha256": hashlib.sha256(text).hexdigest(),
        "bytes": len(text),
    }
    RECORD.write_text(json.dumps(record, indent=2) + "\n")
    print(f"{GRAMMAR.name}: {len(text):,} bytes, {GRAMMAR.stat().st_size:,} compressed")


def check() -> list[str]:
    """Everything that is not as it should be (empty: the grammar is current)."""
    if not (GRAMMAR.exists() and RECORD.exists()):
        return ["the grammar is missing: run scripts/build_vega_grammar.py"]
    record = json.loads(RECORD.read_text())
    problems = []
    if not record["vega_lite"].startswith(f"{drawn_version()}."):
        problems.append(f"charts are drawn with Vega-Lite {drawn_version()}, the grammar is of {record['vega_lite']}")
    if record["exclusions"] != digest_of_exclusions():
        problems.append("results/vega/exclusions.py has changed since: run scripts/build_vega_grammar.py")
    if hashlib.sha256(gzip.decompress(GRAMMAR.read_bytes())).hexdigest() != record["sha256"]:
        problems.append("grammar.json.gz does not hold the text that grammar.json names")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("schema", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.check:
        build(json.loads(options.schema.read_text()) if options.schema else fetched_schema())
    problems = check()
    for problem in problems:
        print(problem, file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
