"""Markdown of answers to HTML that can do nothing: rendered once, in Python, for widget, saved notebook and export.

Two walls, each enough alone: markdown-it-py with raw HTML, images and unsafe link targets switched off, then nh3 with
an allowlist of elements. Links keep only absolute ``http``, ``https`` and ``mailto`` targets. Text is cut at a size,
since a parser's time can grow faster than its input.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .whole_text import whole

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

__all__ = ["MAX_CHARS", "block_starts", "plain_text", "render_markdown"]

MAX_CHARS = 200_000
"""Characters of one text that are rendered; what is beyond is cut with a visible notice."""

_SUSPICIOUS = 400  # this many brackets, stars or quote marks in one line are no prose: shown as they are
# Deeper is nobody's prose; markdown-it takes quadratic time for brackets within brackets.
_MAX_NESTING = 20

_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_LINK = re.compile(r"(?:https?://[^/\s]|mailto:[^/\s])", re.IGNORECASE)
_CONTROL = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": _MAX_NESTING})
    markdown.enable(["table", "strikethrough"]).disable(["image", "html_inline", "html_block"])
    markdown.validateLink = lambda url: bool(_LINK.match(url.strip()))  # type: ignore[method-assign]
    markdown.core.ruler.push("link_hosts", _name_hosts)
    return markdown


def _name_hosts(state: StateCore) -> None:
    """Put the host behind a link whose text does not name it."""
    from markdown_it.token import Token

    for block in state.tokens:
        children: list[Token] = []
        host, text = "", ""
        for token in block.children or []:
            if token.type == "link_open":
                url = urlsplit(str(token.attrs.get("href", "")))
                host, text = url.hostname or url.path, ""
            elif token.type == "link_close" and host and host not in text:
                note = Token("text", "", 0)
                note.content = f" ({host})"
                children.append(note)
            text += token.content
            children.append(token)
        if block.children:
            block.children = children


def plain_text(text: str) -> str:
    """``text`` that can be written anywhere: no control characters or terminal escapes (line ends and tabs stay)."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub("", whole(text).replace("\r\n", "\n").replace("\r", "\n"))


def render_markdown(text: str, max_chars: int = MAX_CHARS) -> str:
    """Sanitised HTML of a Markdown text.

    Parameters
    ----------
    text : str
        Markdown as an analyst wrote it; nothing in it is trusted.
    max_chars : int
        Where to cut; the cut is told in a paragraph of its own.
    """
    import nh3

    text = plain_text(text)
    cut = len(text) - max_chars
    text = text[:max_chars]
    if any(_dense(line) for line in text.split("\n")):
        html = f"<pre>{_escape(text)}</pre>"
    else:
        html = _parser().render(text)
    # Once more, although the parser is told to write no HTML: what is shown must not hang on one library's options.
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href"}, "th": {"style"}, "td": {"style"}, "ol": {"start"}},
        filter_style_properties={"text-align"},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    if cut > 0:
        clean += f"<p><em>Cut here: {cut:,} more characters are not shown.</em></p>"
    return clean


def block_starts(text: str) -> list[int]:
    """Where the blocks of the top level begin, in characters; nothing for text that is not read as Markdown."""
    lines = text.split("\n")
    if any(map(_dense, lines)):
        return []
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    return [offsets[token.map[0]] for token in _parser().parse(text) if token.level == 0 and token.map]


def _dense(line: str) -> bool:
    return len(line) > _SUSPICIOUS and sum(map(line.count, "[]()*_`><!")) > _SUSPICIOUS


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
