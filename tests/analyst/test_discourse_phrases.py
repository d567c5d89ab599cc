"""The phrases of discourse are found as their whole pattern finds them, though it is made only where it may be needed."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import pytest

from svc_notebook.analyst.offline.dialogue import lexicon
from svc_notebook.analyst.offline.dialogue.lexicon import Around, Phrases, load_discourse

TABLE = tomllib.loads((resources.files(lexicon) / "en" / "discourse.toml").read_text("utf8"))
SAID = [phrase for part in ("opening", "closing", "turn") for phrases in TABLE[part].values() for phrase in phrases]
KIND = re.compile(r"<(\w+)>(\??)")
AROUND = ("{}", "  {}!", "“{}”", "{} sales by region", "sales by region {}", "{}, ok?", "É {}", "sales, {} ¿")


def spelled(phrase: str) -> list[str]:
    """A phrase as people write it, with one of each kind: words that may be left out, apostrophes of both kinds or none."""
    words = KIND.sub(lambda said: TABLE["kind"][said[1]][-1] + said[2], phrase.replace("*", "one or two"))
    words = KIND.sub(lambda said: TABLE["kind"][said[1]][0] + said[2], words).split()
    whole = " ".join(word.rstrip("?") for word in words)
    bare = " ".join(word for word in words if not word.endswith("?"))
    return [whole, bare, whole.upper(), whole.replace("'", "’"), whole.replace("'", "")]


@pytest.mark.parametrize("kind", ["opening", "closing", "turns"])
def test_phrases_are_found_where_their_pattern_finds_them(kind: str) -> None:
    held = getattr(load_discourse(), kind)
    texts = [around.format(way) for phrase in SAID[::7] for way in spelled(phrase) for around in AROUND]
    for name, phrases in held.items() if kind == "turns" else held:
        whole = re.compile(phrases._pattern.format(lexicon._any(phrases._phrases, phrases._kinds)), re.IGNORECASE)
        for text in texts[:: 1 if kind == "closing" else 5]:
            found, meant = phrases.find(text), whole.search(text)
            assert (found and found.span()) == (meant and meant.span()), (name, text)


def test_words_around_are_found_where_their_pattern_finds_them() -> None:
    said = [phrase.split(" | ") for phrases in TABLE["around"].values() for phrase in phrases]
    texts = [
        around.format(f"{way} the {between} {end}")
        for before, behind in said
        for way, end in zip(spelled(before), spelled(behind), strict=True)
        for between in ("dogs", "sales by region")
        for around in AROUND
    ]
    found = 0
    for act, around in load_discourse().around:
        for text in texts[::3]:
            meant = around._made.match(text)
            assert (around.find(text) is not None) == (meant is not None), (act, text)
            found += meant is not None
    assert found > 50


def test_a_pattern_is_made_for_a_text_that_may_hold_a_phrase_only() -> None:
    phrases = Phrases(r"^\W*(?:{})\W*$", ["go back please?", "undo? that"], {})
    assert phrases.find("flights by carrier") is None
    assert "_made" not in vars(phrases)
    assert phrases.find("Go back!") is not None
    assert phrases.find("undo that") is not None


def test_a_pattern_of_words_around_is_made_for_a_text_that_may_begin_so_only() -> None:
    around = Around((("leave", "out"), ("put <it>?", "aside")), {"it": ["it", "this"]})
    assert around.find("flights by carrier") is None
    assert "_made" not in vars(around)
    assert around.find("Leave the dogs out!") == "the dogs"
    assert around.find("put this dog aside") == "dog"
