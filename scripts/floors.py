"""The tests with the lowest versions that pyproject.toml allows, or with the newest there are (`make floors`).

    python scripts/floors.py                      an environment with every lower bound, and the quick tests in it
    python scripts/floors.py --newest             with whatever is newest, pre-releases left out
    python scripts/floors.py --print              the constraints alone
    python scripts/floors.py tests/service -x     other tests

Lower bounds are those of what is always installed and of the extras below, in the latest patch where a bound names
none; what these need is as pip takes it.
The tools that only tests need are the newest in both: a bound is a promise of the package, not of its tests.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ("server", "postgres", "excel", "images", "llm", "tables")
TOOLS = ("pytest", "pytest-timeout", "pytest-xdist", "hypothesis", "schemathesis", "ipykernel", "opentelemetry-sdk")
TESTS = ("tests/protocol", "tests/lanes", "tests/client", "tests/results", "tests/semantic_model", "tests/service")
LEFT_OUT = "not browser and not kernel and not soak and not slow and not packaging and not postgres and not spark"
_REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?\s*>=\s*([0-9.]+)")


def floors() -> list[str]:
    """Every lower bound as a pin."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *(line for name in EXTRAS for line in extras[name])]
    found = [match for line in lines if "; python_version >=" not in line and (match := _REQUIREMENT.match(line))]
    return [f"{match[1]}=={match[2]}.*" if match[2].count(".") < 2 else f"{match[1]}=={match[2]}" for match in found]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The tests with the lowest versions, or with the newest.")
    parser.add_argument("--newest", action="store_true", help="the newest versions instead of the lowest")
    parser.add_argument("--print", action="store_true", help="print the constraints and stop")
    parser.add_argument("--venv", type=Path, help="where the environment is (default: .venv-floors, .venv-newest)")
    options, tests = parser.parse_known_args(arguments)
    if options.print:
        print("\n".join(floors()))
        return 0
    place = options.venv or ROOT / (".venv-newest" if options.newest else ".venv-floors")
    if not (place / "bin" / "python").exists():
        venv.create(place, with_pip=True)
    python = str(place / "bin" / "python")
    constraints = place / "constraints.txt"
    constraints.write_text("" if options.newest else "\n".join(floors()) + "\n")
    wanted = [f"{ROOT}[{','.join(EXTRAS)}]", *TOOLS]
    subprocess.run([python, "-m", "pip", "install", "-q", "--upgrade", "-c", constraints, *wanted], check=True)
    subprocess.run([python, "-m", "pip", "freeze", "--exclude-editable"], check=True)
    command = [python, "-m", "pytest", "-q", "-m", LEFT_OUT, *(tests or [str(ROOT / each) for each in TESTS])]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
