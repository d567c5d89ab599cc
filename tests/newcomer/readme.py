"""What the README tells a newcomer to type, read from the README itself, so that the two cannot part."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["commands"]


def commands(readme: Path, heading: str) -> list[str]:
    """The lines of the first shell block under a heading, without their comments."""
    text = readme.read_text("utf-8")
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None, f"the README has no section {heading!r}"
    block = re.search(r"^```(?:bash|sh)\n(.*?)^```", section[1], re.MULTILINE | re.DOTALL)
    assert block is not None, f"the section {heading!r} shows no shell commands"
    return [line.partition("#")[0].strip() for line in block[1].splitlines() if line.partition("#")[0].strip()]
