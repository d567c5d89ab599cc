"""Markdown that is still being written: every stretch once, in order, with the HTML the whole text has in the end."""

from __future__ import annotations

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.results.growing_markdown import GrowingMarkdown, utf16_length
from svc_notebook.results.markdown import render_markdown

BLOCKS = st.sampled_from(
    [
        "A paragraph of *words* and `code`.",
        "# A heading",
        "- one\n- **two**\n\n- three",
        "1. first\n2. second\n   with more",
        "```sql\nSELECT 1\n\n-- a blank line above\n```",
        "| a | b |\n|---|--:|\n| x | 1 |",
        "> said by 🛫 someone",
        "Zürich → 東京 🗼\nsecond line",
        "---",
    ]
)


def squeezed(html: str) -> str:
    return re.sub(r"\s+", " ", html).strip()


@given(st.lists(BLOCKS, min_size=1, max_size=8), st.integers(1, 17))
def test_the_stretches_make_the_whole(blocks: list[str], step: int) -> None:
    text = "\n\n".join(blocks) + "\n"
    growing = GrowingMarkdown()
    seen = []
    for end in range(0, len(text), step):
        fresh, tail = growing.feed(text[:end])
        seen += fresh
        if tail is not None:
            assert tail.end == utf16_length(text[:end])
            assert tail.off == (seen[-1].end if seen else 0)
    fresh, _ = growing.feed(text)
    seen += fresh
    assert seen == growing.blocks
    assert all(a.end == b.off for a, b in itertools.pairwise(seen))
    units = text.encode("utf-16-le")
    done = (seen[-1].end if seen else 0) * 2
    rest = units[done:].decode("utf-16-le")
    lists = sum(block.startswith(("- ", "1.")) for block in blocks)
    if not lists:  # two lists after one another are one list in the end, and a blank line then sets them apart
        assert squeezed("".join(s.html for s in seen) + render_markdown(rest)) == squeezed(render_markdown(text))


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=400), st.integers(1, 50))
def test_any_text_can_grow(text: str, step: int) -> None:
    growing = GrowingMarkdown()
    for end in range(0, len(text) + step, step):
        _, tail = growing.feed(text[:end])
        assert all(0 <= s.off < s.end <= utf16_length(text[:end]) for s in growing.blocks)
        assert tail is None or tail.end == utf16_length(text[:end])


def test_a_finished_block_is_rendered_once_and_an_open_fence_stays_open() -> None:
    growing = GrowingMarkdown()
    text = "**One**\n\n```\nSELECT 1\n\nSELECT 2"
    fresh, tail = growing.feed(text)
    assert [block.html.strip() for block in fresh] == ["<p><strong>One</strong></p>"]
    assert tail is not None
    assert "SELECT 2" in tail.html
    assert tail.html.startswith("<pre><code>")
    fresh, _ = growing.feed(text + "\n```\n\nDone")
    assert len(fresh) == 1
    assert len(growing.blocks) == 2


def test_plain_words_need_no_form_and_endless_ones_are_left_alone() -> None:
    growing = GrowingMarkdown()
    assert growing.feed("nothing special in these words") == ([], None)
    assert growing.feed("x" * 50_000) == ([], None)


def test_what_a_terminal_would_obey_stays_plain() -> None:
    for odd in ("\r", "\x1b"):
        assert GrowingMarkdown().feed(f"**a**{odd}\n\n# b") == ([], None)
