"""Prompts are Markdown files; :func:`render` fills ``$name`` places and nothing else."""

from __future__ import annotations

from importlib.resources import files
from string import Template

__all__ = ["render"]


def render(name: str, /, **values: str) -> str:
    """The prompt ``name`` with its places filled.

    Raises
    ------
    KeyError
        A place was left without a value.
    """
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    return Template(text).substitute(values)
