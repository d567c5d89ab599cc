"""A description for every page: its own first paragraph, cut at the end of a sentence."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LONGEST = 200


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def describe(app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add ``<meta name="description">``."""
    text = (
        first_paragraph(doctree) if doctree is not None else f"{context.get('title') or page} of {app.config.project}."
    )
    context["metatags"] = (
        f'{context.get("metatags", "")}<meta name="description" content="{escape(shortened(text))}" />\n'
    )


def first_paragraph(doctree: nodes.document) -> str:
    """The first paragraph of running text that is long enough to say something."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) > 40 and isinstance(paragraph.parent, (nodes.section, nodes.document)):
            return text
    title = next(iter(doctree.findall(nodes.title)), None)
    return title.astext() if title is not None else ""


def shortened(text: str) -> str:
    """At most so many characters, whole sentences where that is possible, else whole words."""
    text = text.rstrip(":")
    if len(text) <= LONGEST:
        return text
    sentences = re.match(rf".{{40,{LONGEST - 1}}}[.!?](?=\s)", text)
    return sentences[0] if sentences else text[: LONGEST - 1].rsplit(" ", 1)[0] + "…"
