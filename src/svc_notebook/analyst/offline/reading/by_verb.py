"""Verbs that say no more than what two tables say together: *which composers have written the most songs*."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import Token, stem, tokenize
from .called import tables_called

__all__ = ["by_verb"]

_CARING = (
    "look(?:s|ing)? after|take care of|takes care of|manages?|supervises?|supports?|handles?|serves?|"
    "(?:is|are) (?:responsible for|in charge of)|has|have|have got"
)
_CARED_FOR = said_so(
    rf"^how many (?P<what>[\w-]+) (?:does|do|did) (?P<who>[\w' -]+?) (?:{_CARING})"
    r"(?P<rest> (?:in|this|last|since|at) .*)?\W*$"
)
_IN_CHARGE = said_so(r"^how many (?P<what>[\w-]+) is (?P<who>[\w' -]+?) (?:in charge of|responsible for)(?P<rest>)\W*$")
_DONE_MOST = said_so(
    r"^(?P<which>which|what) (?P<who>[\w-]+) (?:have|has) (?:(?P<deed>[a-z]+) )?"
    r"(?P<most>the (?:most|fewest)) (?P<what>\w.*)$"
)
_TOP = said_so(r",? (?:the )?top (?P<many>\d+)\W*$")
_TOP_WITH = said_so(r"^(?:the |our )?top (?P<many>\d+) (?P<who>[\w-]+) (?:with|having) the most (?=\w)")
_DEAREST = said_so(r"\b(?:dearest|priciest|costliest)(?= (?!first\b|to\b|at\b|on\b)\w)")
_MAIN = said_so(
    r"\b(?:main|chief|leading|principal|predominant|number one|no\.? ?1) "
    r"(?P<what>(?:reason|cause|source|kind|type|problem|complaint|fault|driver)s?)\b"
)
_ON_MARKET = said_so(r"\b(?:still )?on the market\b")
_WRITTEN = frozenset("written made composed created sung recorded played produced painted directed published".split())
_OR_MORE = said_so(r"\b(?P<many>\d+|two|three|four|five|six|seven|eight|nine|ten) times or (?P<way>more|fewer|less)\b")
_IN_OURS = said_so(
    r"(?P<of>\bof (?:the|our) |^(?:which|what|is there any|are there any) )(?P<what>[\w-]+) (?:that are )?(?:in|on) "
    r"(?:our|the) (?:list|lists|books|records|database|system)\b"
)
_TO_THEM = said_so(
    r" (?:going|coming|flying|travelling|running|arriving|leading|headed|heading|bound) (?P<way>to|from|at|in) "
    r"(?P<them>them|it|there)\b"
)
_NOBODY = said_so(
    r"^(?:which |what |the )?(?P<what>[\w-]+?)(?: (?:that|which))?(?: (?:has|have|did))? (?:nobody|no one|no-one)"
    r"(?: has| have| had)?(?: ever| yet)? (?:picked up|pick up|taken|taken on|took|claimed|been assigned|assigned|"
    r"is working on|works on|is looking at|handles|owns|is handling)(?: yet)?\W*$"
)
_TAKEN = frozenset(map(stem, "assign assigned assignee handler handled owner agent claimed".split()))


def by_verb(question: str, metadata: Metadata) -> str:
    """A question whose verb relates what the model joins, said by the join alone."""
    question = _OR_MORE.sub(
        lambda m: f"at {'least' if m['way'].lower() == 'more' else 'most'} {m['many']} times", question
    )
    question = _DEAREST.sub("most expensive", question)
    if stem("main") not in metadata.vocabulary:  # where no column is called so
        question = _MAIN.sub(r"most common \g<what>", question)
    if (stem("for"), stem("sale")) in metadata.values.whole:
        question = _ON_MARKET.sub("for sale", question)
    question = _IN_OURS.sub(r"\g<of>\g<what>", question)
    question = _TO_THEM.sub(r" \g<way> \g<them>", question)
    cared = _CARED_FOR.match(question) or _IN_CHARGE.match(question)
    if cared is not None:
        return _cared_for(cared["what"], cared["who"], cared["rest"] or "", metadata) or question
    question = _with_most(question, metadata)
    alone = _NOBODY.match(question)
    return _taken_by_nobody(alone["what"], metadata) or question if alone is not None else question


def _with_most(question: str, metadata: Metadata) -> str:
    """``which composers have written the most songs, top 3``: the three with the most of them."""
    question = _TOP_WITH.sub(r"which \g<many> \g<who> have the most ", question)
    most = _DONE_MOST.match(question)
    if (
        most is None
        or most["deed"]
        and (most["deed"].lower() not in _WRITTEN or stem(most["deed"].lower()) in metadata.vocabulary)
    ):
        return question
    few = _TOP.search(most["what"])
    if few is not None and most["most"].lower() == "the most":
        return f"which {few['many']} {most['who']} have the most {most['what'][: few.start()]}"
    return f"{most['which']} {most['who']} have {most['most']} {most['what']}" if most["deed"] else question


def _cared_for(what: str, who: str, rest: str, metadata: Metadata) -> str | None:
    """``how many customers does Ada Ash look after``: those that lead to her, where they do in one way alone."""
    tokens = tokenize(who)
    rows = tables_called(what, metadata)
    people = {name for one in rows for name in metadata.edges[one] if _is_named(tokens, name, metadata)}
    ways = {one: [name for name in metadata.edges[one] if name in people] for one in rows}
    found = [
        (one, names[0]) for one, names in ways.items() if len(names) == 1 and _is_only_way(one, names[0], metadata)
    ]
    if len(found) != 1:
        return None
    return f"how many {what} with {' '.join(metadata.words_of(found[0][1]))} {who}{rest}"


def _is_named(tokens: Sequence[Token], relation: str, metadata: Metadata) -> bool:
    """Whether words are the whole name of one of a relation's rows: in one column, or its first and last name."""
    labels, place, used = labels_of(metadata, relation), 0, set[str]()
    while place < len(tokens):
        ends = {m.end: m.member for m in metadata.values.find(tokens, place) if m.member in labels}
        if not ends or ends[max(ends)] in used:
            return False
        place, used = max(ends), used | {ends[max(ends)]}
    return bool(used)


def _is_only_way(one: str, other: str, metadata: Metadata) -> bool:
    """Whether no other column of a table leads to rows of the same kind: who checked it is not who did it."""
    members = set(metadata.relation(other).members)
    return sum(set(metadata.relation(name).members) == members for name in metadata.edges[one]) == 1


def _taken_by_nobody(what: str, metadata: Metadata) -> str | None:
    """``tickets nobody has picked up``: those without the one person whom some of them are given to."""
    for relation in tables_called(what, metadata):
        own = [path for path in metadata.members if path.startswith(f"{relation}.")]
        given = [
            path for path in own
            if metadata.members[path].kind == "dimension" and metadata.members[path].type == "string"
            and metadata.profile(path).missing and _TAKEN & {stem(part) for part in metadata.parts(path)}
        ]  # fmt: skip
        if len(given) == 1:
            return f"which {what} have no {' '.join(metadata.parts(given[0]))}"
    return None
