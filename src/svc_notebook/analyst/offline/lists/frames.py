"""What people say around a question: *hi, could you pull up …*, *so basically …*, *… for me please*."""

from __future__ import annotations

from typing import NamedTuple

from .... import patterns as re

__all__ = ["Framed", "unframed"]

_SOFTLY = r"(?:please|pls|plz|kindly|maybe|possibly|perhaps|just|quickly|simply|also)"
_GREETING = re.compile(
    r"^(?:(?:hi|hiya|hello|hey|ok|okay|so|well|right|alright|now|um+|uh+|erm+|er|hm+|please|pls|plz|kindly|basically|"
    r"actually|honestly|like|quick(?:ly)?|quick (?:one|question)|good (?:morning|afternoon|evening)|there|then|"
    r"thanks|cheers|sorry|for me|just)\b[\s,.!:;–-]+)+(?=\w)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    rf"^(?:(?:can|could|would|will|may|might) (?:you|u|i|we|someone|anyone)(?: {_SOFTLY})*(?: be able to)?"
    rf"|(?:i|we)(?: {_SOFTLY}| really| only)* (?:need|want|wanna|would (?:like|love)|am (?:looking for|after)|wish)"
    r"(?: to)?"
    r"|(?:i'd|we'd|id)(?: really)? (?:like|love|need)(?: to)?"
    r"|(?:i'm|im|we're) (?:looking for|after|interested in|trying to)"
    r"|let(?: me|'s| us)|help me(?: to)?|is it possible to|are you able to|do you happen to|do you"
    r"|any (?:idea|chance)(?: of)?|(?:i )?(?:was )?wondering|would you mind|mind|need|wanted)\s+(?=\w)",
    re.IGNORECASE,
)
_VERB = r"(?:show|give|tell|get|find|fetch|bring|hand|send|read|list|name|pull|dig|look|print|write)(?:ing)?"
_SHOWING = re.compile(
    rf"^(?:{_SOFTLY} )*(?:{_VERB} (?:me|us)(?: (?:up|out))?"
    r"|(?:show|pull|bring|look|dig|list|call|print|read|write|spell)(?:ing)? (?:up|out)"
    r"|(?:have|take|get) (?:a )?(?:quick )?(?:look|peek|glance) (?:at|through|over)"
    r"|(?:see|know|view|display|enumerate|fetch|return|find|get|have|show|list|give|name|print)"
    r"(?= (?:me|us|the|all|every|each|any|a|an|our|my|which|what|who|when|where|how)\b)|list|show)\s+(?=\w)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"^(?:(?:just |only )?(?:the|a|an|me|us|out|up)\s+)*(?:(?:full|complete|quick|whole|short) )?"
    r"(?:list|listing|overview|rundown|run-down|table|details|particulars)(?: (?:of|with)) (?=\w)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^(?:which|what|who)\b", re.IGNORECASE)
_ENDED = re.compile(
    r"(?:[\s,–-]+(?:please|pls|plz|thanks|thank you|thx|ta|cheers|for me|for us|if you can|if possible|if you would|"
    r"do you know|can you|could you|asap|right away|then|though|by any chance|if you don't mind))+\s*[?.!]*$",
    re.IGNORECASE,
)
_LAYERS = 4  # of what is said around: a greeting, a wish, a verb, a noun for the list


class Framed(NamedTuple):
    """A question without what is said around it; ``lists``: it says that rows are to be shown; ``asks``: it has a
    question word of its own.
    """

    text: str
    lists: bool
    asks: bool


def unframed(question: str) -> Framed:
    """What is asked, without greetings, wishes, verbs of showing and thanks."""
    text = re.sub(r"\s+", " ", question).strip()
    bare = re.sub(r"[?.!\s]+$", "", text)
    said, lists = _ENDED.sub("", bare), False
    for _ in range(_LAYERS):
        before = said
        said = _GREETING.sub("", said)
        said = _ASKING.sub("", said)
        shown = _SHOWING.sub("", said)
        lists, said = lists or shown != said, shown
        shown = _LISTED.sub("", said)
        lists, said = lists or shown != said, shown
        if said == before:
            break
    return Framed(said, lists, _WHICH.match(said) is not None)
