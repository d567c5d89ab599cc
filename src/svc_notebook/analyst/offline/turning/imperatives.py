"""What is told to do, as what is asked for: *count the bars at every percentage*, *rank the makers by …*."""

from __future__ import annotations

from .... import patterns as re
from ..words.numbers import number_word
from .rules import applied, said_so

__all__ = ["as_asked"]

_THE = r"(?:the |all (?:the )?|our )?"
_MOST = "(?:largest|highest|biggest|most|best|smallest|lowest|fewest|least|worst)"
_RANK = said_so(
    rf"^rank {_THE}(?P<rows>[\w\s-]+?)(?P<order> from (?:the )?\w+ (?:to|down)\W?(?: (?:the )?\w+)?)?"
    rf" by (?P<by>[^,]+?)(?:,? (?P<tail>(?:with )?(?:the )?{_MOST}"
    r" (?:(?:at|on) (?:the )?top|(?:one |ones )?first)|from (?:the )?\w+ (?:down|up|to (?:the )?\w+)))?"
    r"(?:,? (?:and )?(?:show|give|list|keep) (?:me )?(?:only )?(?:the )?(?:first|top) (?P<number>\w+))?\W*$"
)
_LOW_FIRST = said_so(
    r"^(?:from )?(?:with )?(?:the )?(?:smallest|lowest|fewest|least|worst|bottom|shortest|cheapest|oldest)\b"
)  # fmt: skip
_MANY = said_so(r"^how many (?P<what>[\w\s-]+?) (?:they|it|each) (?:have|has|had|made|did|do|sold|took)$")
_DRAW = r"(?:please )?(?:can you |could you )?(?:chart|plot|graph|draw|visuali[sz]e)"
_SHOWN = r"(?:it|this|that|these|those|them|the (?:result|results|answer|numbers))"
_RULES = (
    # what was answered is to be drawn, or what is asked for
    (said_so(rf"^{_DRAW} {_SHOWN}(?: please| for me)?(?P<end>\W*)$"), r"as a chart\g<end>"),
    (said_so(rf"^{_DRAW} (?:me )?(?!an? )(?P<what>[^,?]+? (?:by|per) (?:hour|day|week|month|quarter|year))"
             r"(?P<end>\W*)$"),
     r"\g<what> as a chart\g<end>"),
    # two numbers that move together
    (said_so(r"^(?P<do>do|does) (?P<one>[\w\s-]+?) (?:go(?:es)? (?:up|down)|rise|fall|grow|drop|increase|decrease) "
             r"(?:with|as) (?P<other>[\w\s-]+?)(?: (?:goes|go) (?:up|down)| rises| falls| increases)?(?P<end>\W*)$"),
     r"\g<do> \g<other> affect \g<one>\g<end>"),
    (said_so(rf"^count (?:up )?{_THE}(?P<what>[\w\s-]+?) (?:at|in|of|for|with|on) (?:each|every) "),
     r"how many \g<what> per "),
    (said_so(rf"^count (?:up )?{_THE}(?!of\b|by\b|per\b|and\b|how\b)(?=\w)"), "how many "),
    (said_so(r"^count (?:up )?(?=how many\b)"), ""),
    (said_so(r"^name (?:each|every|all (?:the|our)) (?P<what>[\w\s-]+?)(?= (?:that|which|who|whose|with|in)\b)"),
     r"which \g<what>"),
    (said_so(r"^a daily count of (?P<what>.+)$"), r"number of \g<what> per day"),
    (said_so(r"^an? (?P<unit>year|month|week|quarter|hour)ly count of (?P<what>.+)$"),
     r"number of \g<what> per \g<unit>"),
    (said_so(r"^(?:the )?development of (?:the )?(?P<what>.+?) from one (?P<unit>\w+) to the next"),
     r"\g<what> per \g<unit>"),
    (said_so(r"^(?:the )?(?:number|count) of (?:unique|distinct|individual) "), "how many different "),
    (said_so(r"^compare (?P<sides>.+? and .+?) (?:on|by) (?:their|the) (?P<what>(?:mean|average|median|total) .+)$"),
     r"compare the \g<what> of \g<sides>"),
    (said_so(r"^how (?:is|are) (?P<who>(?!(?:it|that|this|we|they|you|things|business|sales|he|she)\b)[\w.&'’-]+"
             r"(?: [\w.&'’-]+){0,2}) (?:doing|performing)(?P<end>\W*)$"), r"tell me about \g<who>\g<end>"),
    (said_so(r"^(?:(?:rank|sort|order|list|show(?: me)?) )?(?:the |all (?:the )?)?(?P<rows>[a-z]+s) by (?:their |the )?"
             r"(?P<what>(?:share|percentage|proportion|number) of (?:late|early|delayed) (?:arrival|departure|landing|"
             r"deliver(?:y|ie)|shipment|start|return)s?)(?P<end>\W*)$"),
     r"\g<what> by \g<rows>, highest first\g<end>"),
    (said_so(r"^compare (?P<one>.+?) with that (?:of|for|in|from) "), r"compare \g<one> with "),
    (said_so(r"^show (?P<one>.+?) next to that (?:of|for|in|from) "), r"compare \g<one> with "),
    (said_so(r"^how does (?!(?:that|this|it)\b)(?P<one>[\w\s-]+?) differ from (?:the year )?(?P<other>[\w\s-]+?)\W*$"),
     r"compare \g<one> with \g<other>"),
    (said_so(r"\bhow (?:did|does|do) (?!(?:that|this|it|they|those|these|we|he|she)\b)"
             r"(?P<one>.+?) (?:stack up|compare) (?:against|to|with) (?:that of |those of )?"),
     r"compare \g<one> with "),
    (said_so(r"^(?P<time>(?:last|this) (?:month|week|year|quarter))['’]s "
             r"(?P<what>(?:number|count|total|average|mean|sum) (?:of )?.+?)\W*$"),
     r"\g<what> \g<time>"),
)  # fmt: skip


def as_asked(question: str) -> str:
    """What is to be counted, ranked or set against something, as a question for it."""
    said = _RANK.match(question)
    if said is not None and (said["tail"] or said["order"] or said["number"] or _MANY.match(said["by"])):
        return _ranked(said)
    return applied(_RULES, question)


def _ranked(said: re.Match[str]) -> str:
    many = _MANY.match(said["by"])
    by = f"number of {many['what']}" if many is not None else said["by"]
    low = _LOW_FIRST.match((said["tail"] or said["order"] or "").strip()) is not None
    if not said["number"]:
        return f"{by} by {said['rows']}, {'lowest' if low else 'highest'} first"
    number = number_word(said["number"].lower())
    return f"{'bottom' if low else 'top'} {said['number'] if number is None else f'{number:g}'} {said['rows']} by {by}"
