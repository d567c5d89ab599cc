"""What is defined is used: by the package, by its docs, or by somebody who is named here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

KEPT = {
    "magics: the words after %svc": {"_whoami"},  # called as `_` and the word
    "scripts/build_vega_grammar.py": {"EXCLUDED_DEFINITIONS"},
    "a driver's connection in memory: what SQLAlchemy ends its transactions with": {"rollback"},
    "a clock that is set by hand, for tests of whoever writes an analyst": {"ManualClock"},
    "looked at by tests: readings before the choice, a plan, kept verdicts": {
        "forms_of", "set_tenant", "list_feedback",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def unused(root: Path):
    sys.path.insert(0, str(root))
    try:
        from scripts.house.unused import unused
    finally:
        sys.path.remove(str(root))
    return unused


@pytest.fixture(scope="module")
def here(root: Path, unused):
    return unused(root)


def test_nothing_is_defined_and_spoken_of_nowhere(here):
    known = {name for names in KEPT.values() for name in names}
    found = [f"{each.module}:{each.line} {each.name}" for each in here if each.name not in known]
    assert found == [], "take it out, or say in KEPT who needs it"


def test_what_is_kept_is_still_needed(here):
    assert {name for names in KEPT.values() for name in names} - {each.name for each in here} == set()


def test_dead_code_is_found(tmp_path: Path, unused):
    files = {
        "src/svc_notebook/__init__.py": "",
        "src/svc_notebook/till.py": (
            '__all__ = ["Till", "forgotten"]\nLIMIT = 3\nSPARE = 4\n_YES = 5\n\n\nclass Till:\n    def open(self):\n        return LIMIT\n\n'
            '    def ring(self, kind):\n        return getattr(self, f"ring_{kind}")()\n\n    def ring_loud(self):\n        return 1\n\n'
            "    def polish(self):\n        return 2\n\n\ndef forgotten():\n    return 1\n\n\ndef tested():\n    return 1\n"
        ),
        "src/svc_notebook/shop.py": "from .till import Till\n\n_YES = 6\nprint(_YES)\nTill().open()\nTill().ring('loud')\n",
        "docs/shop.md": "Call `polish` before closing.\n",
        "tests/test_till.py": "from svc_notebook.till import tested\n",
        "README.md": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert {(each.name, each.by_tests_alone) for each in unused(tmp_path)} == {
        ("SPARE", False), ("_YES", False), ("forgotten", False), ("tested", True),
    }  # fmt: skip
