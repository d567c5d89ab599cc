"""Which of two is more so: *is it colder at A or at B*, *is A or B cheaper*, *are lessons longer in A or in B*."""

from __future__ import annotations

from .comparatives import COMPARATIVE
from .rules import Rules, applied, said_so

__all__ = ["which_of_two"]

_SO = rf"(?P<so>{COMPARATIVE}|(?:more|less) [a-z]+)"
_AT = r"(?:at|in|from|on|for|with|to|by)"
_ONE, _OTHER = r"(?P<one>\w[\w'.&-]*(?: [\w'.&-]+){0,2}?)", r"(?P<other>\w[\w'.&-]*(?: [\w'.&-]+){0,2}?)"
_END = r"(?P<end>\W*)$"
_WHERE = rf"(?P<at>(?: {_AT} \w[^,:;?]*?)?)"
_HAVING = r"(?:have|has|had|get|gets|make|makes|carry|sell|take|run|serve|offer|handle|see|bring|receive)"
_IS = r"(?:is|are|was|were)"
_DO = r"(?:do|does|did|has|have|had)"
_WHICH = r"(?:which|who)(?: of (?:them|the two|those|these))?(?: one)? (?:has|had|is|was|gets|got)"
_GOING_BY = r"(?:(?:going |judging |judged |measured )?by|in terms of|when it comes to|with regard to|as for)"
_TWO = said_so(r" (?:or|vs\.?|versus|against) ")
_RULES: Rules = (
    (said_so(rf"^(?:where )?{_IS} it {_SO}\W* (?:{_AT} )?{_ONE},? or (?:{_AT} )?{_OTHER}{_END}"),
     r"which is \g<so>, \g<one> or \g<other>\g<end>"),
    (said_so(rf"^{_IS} {_ONE} or {_OTHER} {_SO}{_END}"), r"which is \g<so>, \g<one> or \g<other>\g<end>"),
    (said_so(rf"^{_IS} (?:the |our )?(?P<what>(?!there )\w+) {_SO} (?P<at>{_AT}) {_ONE},? or (?:(?P=at) )?{_OTHER}"
             rf"{_END}"),
     r"which is \g<so>, \g<what> \g<at> \g<one> or \g<what> \g<at> \g<other>\g<end>"),
    (said_so(rf"^{_ONE},? (?:or|vs\.?|versus|against) {_OTHER}(?:\s*[,:;?–-])+ "
             rf"(?P<which>(?:which|who)(?: [a-z]+)? {_IS} [a-z ]+? (?:more|less) (?:often|frequently)){_END}"),
     r"\g<which>, \g<one> or \g<other>\g<end>"),
    (said_so(rf"^(?:between )?{_ONE},? or {_OTHER}{_WHERE}(?:\s*[,:;?–-])+ (?P<which>{_WHICH} .+?){_END}"),
     r"\g<which>\g<at>, \g<one> or \g<other>\g<end>"),
    (said_so(rf"^{_DO} {_ONE},? or {_OTHER} {_HAVING} (?P<so>more|fewer|less) (?!often\b)(?P<what>[^,?]+?){_END}"),
     r"which has \g<so> \g<what>, \g<one> or \g<other>\g<end>"),
    (said_so(rf"^{_DO} {_ONE},? or {_OTHER} {_HAVING} (?:an?|the) (?P<so>{COMPARATIVE}) (?P<what>[^,?]+?){_END}"),
     r"which has the \g<so> \g<what>, \g<one> or \g<other>\g<end>"),
    (said_so(rf"^{_IS} it (?P<so>better|worse) to [a-z]+ (?P<one>\w[\w' ]*?),? or (?P<other>\w[\w' ]*?),? {_GOING_BY} "
             rf"(?:the |its |their )?(?P<what>\w[\w ]*?){_END}"),
     r"which has the \g<so> \g<what>, \g<one> or \g<other>\g<end>"),
)  # fmt: skip


def which_of_two(question: str) -> str:
    """A question that names two and asks which is more so, as one that begins with *which*.

    >>> which_of_two("Is it colder at Oslo or at Bergen?")
    'which is colder, Oslo or Bergen?'
    """
    return applied(_RULES, question) if _TWO.search(question) else question
