"""What a turn says of the turns before it: acts at its front and end, words that point back, and the rest."""

from __future__ import annotations

from .... import patterns as re
from ....records import dataclass
from ..reading.followups import DEFINED
from ..words.shares_said import SHARE, SHARE_OR_PART
from .lexicon import Discourse, load_discourse
from .whole import asked_behind

__all__ = ["Heard", "begins_anew", "hear", "in_percent_too", "meant_first", "of_others", "unled"]

_PIECE = re.compile(
    r"^\W*(?:by|per|for|in|with|without|from|to|on|at|since|until|before|after|during|between|above|below|over|under)\b"
    r"(?!\W+how\b)",  # "in how many countries …" is a question of its own
    re.IGNORECASE,
)
_BY = re.compile(r"^\W*(?:by|per|for each|for every)\b", re.IGNORECASE)
_WHERE = re.compile(
    r"^\W*(?:in|on|at|for|from|to|by|during|with|under)\s+(?:which|what|how many|whose)\b"
    r".*\s(?:do|does|did|is|are|was|were|have|has|had)\s",
    re.IGNORECASE,
)
_SWAPPED = re.compile(
    r"\s+(?:instead of|rather than|in place of)\s.*$"
    r"|[\s,]+(?:and |but )?not (?:the )?(?:average|mean|median|total|sum|maximum|minimum|count)s?\W*$",
    re.IGNORECASE,
)
_SET_APART = re.compile(
    rf"^\W*(?:how (?:many|much|often)|who|which|what (?:{SHARE_OR_PART}|number))\b"
    r".*\b(?:is|are|was|were|do|does|did|have|has|had|can)\b.*\w\s+(?:rather than|instead of|in place of)\s",
    re.IGNORECASE,
)  # "what share of guests are groups rather than couples": a question about the two
_SWAP = re.compile(
    r"^\W*(?:please\s+)?(?:replace|swap|substitute|exchange|change|switch)\s+(?:the\s+)?"
    r"(?P<gone>(?!(?:it|that|this)\b(?!\s+(?:year|quarter|month|week|day)\b))\S.*?)\s+(?:with|for|by|to)\s+(?:the\s+)?(?P<new>\S.*)$",
    re.IGNORECASE,
)
_INTO = re.compile(
    r"^\W*(?:please\s+)?(?:group|bundle|collect|merge|combine|aggregate|roll up|turn|convert)\s+(?:the\s+)?"
    r"(?P<parts>days|weeks|months|quarters)\s+(?:in)?to\s+(?P<whole>week|month|quarter|year)s\W*$",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    r"^\W*(?:(?:no|sorry|and|please|i meant|i mean)\W+)*not\s+(?!only\b|just\b|counting\b|the ones\b)"
    r"(?:the\s+|by\s+|per\s+)*(?P<gone>[^,;]+?)\s*"
    r"(?:[,;–-]\s*(?:but\s+|rather\s+)?|\s+but\s+(?:rather\s+)?)(?:the\s+)?(?P<new>\S.*)$",
    re.IGNORECASE,
)  # "not revenue, profit"
_SWAP_FIRST = re.compile(
    r"^\W*(?:(?:and|but|ok|okay|now|so|please|no)\W+)*(?:instead of|rather than|in place of)\s+"
    r"(?:the\s+|by\s+|per\s+)*(?P<gone>(?!that\b|this\b|it\b)[^,;]+?)"
    r"(?:\s*[,;]\s*|\s+(?=(?:by|per|use|show|make it|give)\b))(?:(?:use|show|give me|make it|take|now)\s+)?(?:the\s+)?"
    r"(?P<new>\S.*)$",
    re.IGNORECASE,
)  # "instead of month, by driver": what goes is said first
_BACK = re.compile(r"^\W*(?:please\s+)?(?:bring|put|add|get|take)\s+(?P<new>\S.*?)\s+back(?:\s+in)?\W*$", re.IGNORECASE)
_AGAIN = re.compile(
    r"^\W*(?:(?:please|let me|can you|could you)\s+)*(?:show|give|see|list|display|draw|plot)\s+(?:me\s+|us\s+)?"
    r"(?:the|those)\s+(?P<what>(?!same\b|last\b|data\b)\w+(?:\s+\w+){0,4}?)\s+(?:again|once more|one more time)\W*$",
    re.IGNORECASE,
)  # "show the months again": an answer from before
_STEP = r"(?:steps?|bins?|buckets?|intervals?|increments?|bands?|chunks?)"
_STEPS = re.compile(
    rf"(?<!\W)\W*(?:\b(?:but|and|in|into|with|using|use|by|of|a)\s+)*(?:"
    rf"{_STEP}\s+(?:size\s+|width\s+)?(?:of\s+)?(?:size\s+|width\s+)?(?P<a>\d[\d,]*(?:\.\d+)?)(?:\s+(?!each\b)[a-z]+)?"
    rf"|(?P<b>\d[\d,]*(?:\.\d+)?)[\s-]+(?:[a-z]+[\s-]+)?{_STEP})\W*$",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"^\W*(?:(?:that|this|it)(?:['’]?s| is| was| are)?\s+)?(?:(?:far|way|much|a bit|a little|still|just)\s+)*"
    r"(?:too\s+\w+|not\s+\w+\s+enough|not enough)(?:\s+(?!make\b)\w+)?\s*[,.;:!–-]+\s*(?=\S)",
    re.IGNORECASE,
)  # "that's too fine, make it months": why something is wanted is no part of it
_COUNTED = re.compile(
    r"(?P<said>\bhow (?:many|much)\s+(?:\w+\s+){0,2}\w+)\s+(?:is|are|was|were)\s+(?:that|this|those|these|they|it)\W*$",
    re.IGNORECASE,
)  # "how many plays is that?"
_SO_ALL = re.compile(
    r"^[^,;]*[,;–-]\s*(?:so|that is|that means|meaning|in other words)\W+"
    r"(?P<all>(?:everything|everyone|all|anything)\s.*)$",
    re.IGNORECASE,
)  # "the late ones too, so everything not on time": said again, and whole
_THOSE_FEW = re.compile(
    r"\b(?P<which>those|these)\s+(?:two|three|four|five|few|2|3|4|5)\b(?!\s+(?!of\b)\w)",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    rf"^(?P<share>.*?\b(?:in percent|in %|as (?:an? )?{SHARE})) of "
    r"(?P<all>all|every|each)\b(?: (?:the|of the))?(?: \w+)?(?: (?:there|each|per group|in each|of each))*\W*$",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"^\W*(?:no|not)\s+(?:less|more|fewer|lower|higher|greater|smaller|later|earlier)\s+than\b", re.IGNORECASE
)  # nothing is corrected or taken away
_THAT_ONE = re.compile(
    r"^\W*(?:(?:please|now|and|so|ok|okay|then)\s+)*"
    r"(?:(?:show|plot|draw|give|see|view|display)\s+(?:me\s+)?|(?P<parts>break|split|divide)\s+)that\s+"
    r"(?P<one>(?!(?:data|chart|again|one|same|down|up|out|into|number|figure|total|list|table)\b)\w+)\s+"
    r"(?(parts)(?:(?:down|up)\s+)?)(?P<by>(?:by|per)\s+\S.*?)\W*$",
    re.IGNORECASE,
)  # "show that month by day", "break that month down by kind": the one that was shown
_DRAWN = re.compile(
    r"^\W*(?:(?:please|show|give|draw|plot|make|create|me|a|the)\s+)*stacked\s+\w*\s*(?:bar|area|column)s?(?:\s+(?:chart|graph|plot))?\s+"
    r"(?:of|to show|showing|for|with|that|depicting)\s+(?!(?:it|that|this|them|those)\b)\w",
    re.IGNORECASE,
)  # a picture of something that is named
_FARED = re.compile(
    r"^\W*(?:(?:and|so|ok|okay)\s+)*how\s+(?:did|does|do|has|have|was|is)\s+"
    r"(?:that one|this one|it|they|those|that|he|she)\s+"
    r"(?:do|done|doing|develop|developed|evolve|evolved|perform|performed|change|changed|fare|fared|look)\s+"
    r"(?:(?P<by>(?:by|per|each)\s+\w+)|(?P<unit>year|quarter|month|week|day) (?:by|after|for) (?P=unit))\W*$",
    re.IGNORECASE,
)  # "how did that one do year by year": by year, of what was shown
_SERIES = re.compile(
    r"^\W*(?:(?:and|now|please|show|draw|plot|give|make|me|us|it|that|this|them)\s+)*(?:(?:as|with|in)\s+)?"
    r"(?:a|an|one|separate|different|own|multiple)\s+(?:separate\s+)?(?P<mark>line|bar|area)s?\s+"
    r"(?:per|for (?:each|every)|by)\s+(?=\w)",
    re.IGNORECASE,
)  # "as a line per region", "one line for each shop": what was shown, told apart by that as well
_OF_ROWS = re.compile(
    r"^\W*(?:(?:show|give|me|a|the|please)\s+)*break\s?down\s+of\s+(?!(?:it|that|this|them|those)\b)\w", re.IGNORECASE
)
_ORDINAL = re.compile(
    r"^\W*(?:(?:and|what about|how about|which|what|who|where|is|are|was|were|the|then)\s+)*"
    r"(?P<place>second|third|2nd|3rd)[\s-]+(?P<way>most|least|fewest|best|worst|\w{3,}est)(?:\s+(?:common|often|frequent|popular|one))*\W*$",
    re.IGNORECASE,
)
_SAMENESS = re.compile(
    r"^\W*(?:(?:and|so|but|now)\s+)*(?:is|was|does|did)\s+(?:it|that|this)\s+(?:also\s+|still\s+)?"
    r"(?:the same|different|true|hold)(?=\s+(?:for|in|on|at|by|with|during|without)\b)",
    re.IGNORECASE,
)  # "is it the same on Saturdays?": asked again, and not of what was shown alone
_OFTEN = r"(?:(?:usually|normally|typically|generally|really|ever|often|also|on average)\s+)?"
_IMPERSONAL = re.compile(
    rf"\b(?P<said>does|did|do|will|would|has|is|was)\s+it\s+"
    rf"(?={_OFTEN}(?:(?:rain|snow|hail|freeze|thunder|storm|drizzle)(?:s|ed|ing)?\b"
    rf"|take(?:n|s)?\s+(?:to|from|between|for|until|till)\b))"
    r"|(?P<how>\bhow\s+(?:far|long|hot|cold|warm|cool|windy|humid|foggy|dark|late|early|busy|crowded|expensive|cheap)\s+"
    r"(?:is|was))\s+it\s+(?=(?:usually\s+|normally\s+|typically\s+)?"
    r"(?:from|to|between|in|at|on|during|by)\s+(?!(?:that|this|those|these|it|them|total|all|hours|minutes|days|seconds"
    r"|miles|kilometers|kilometres|km)\b)\w)",
    re.IGNORECASE,
)  # "how often does it rain in May", "how far is it to Oslo": it stands for nothing that was said
_NONE_OF = re.compile(
    r"^\W*(?:and\s+|but\s+)?no\s+(?!(?:the|by|per|for|in|on|at|from|only|just|i|we|it|its|this|that|is|was|does|these"
    r"|those|they|has|as|what|which|whose|who|how|more|less|show|list|use|thanks|longer|filters?|groups?|not)\b)"
    r"(?=(?:[\w-]+\s+){0,3}[\w-]*[a-rt-z]s(?:\s+please)?\W*$)",
    re.IGNORECASE,
)  # "no dogs please", said in one breath: without them
_FOR_SHARES = (
    r"(?:(?:and|but|just|only|give|me|show|use|the|as|in)\s+)*"
    r"(?P<bare>(?:plain|absolute|actual|real|raw)\s+)?(?:counts?|numbers?|totals?|figures|values|amounts)"
)
_NO_SHARES = re.compile(
    r"^\W*(?:(?:ok|okay|now|and|but|please|then)\W+)*(?:no|not|without|drop|remove|stop|leave out|forget)\s+"
    rf"(?:(?:the|more|in|as|a|any|with)\s+)*{SHARE}s?"
    rf"(?:\s+(?:any\s?more|now|please))*(?:[\s,;:–-]+{_FOR_SHARES})?(?:\s+(?:instead|again|please))*\W*$",
    re.IGNORECASE,
)  # "no percentages, just counts": what shares were shown of
_BACK_TO_ABSOLUTE = re.compile(
    rf"^\W*(?:(?:ok|okay|now|and|please|go)\W+)*back\s+to\s+{_FOR_SHARES}(?(bare)|(?!))(?:\s+(?:again|please))*\W*$",
    re.IGNORECASE,
)  # "back to plain numbers"
_NEXT_PERIOD = re.compile(r"^\W*next\s+(?:year|quarter|month|week|day|weekend|season|[a-z]+day)\b", re.IGNORECASE)
_SMALL = frozenset(("least", "fewest", "lowest", "smallest", "shortest", "cheapest", "slowest", "lightest", "rarest"))
_LONG_WORD = re.compile(r"(?<!\S)[a-z]{5,}(?=[\s,.?!]|$)")  # a name of its own has a capital, or stands in quotes
_FIRST_WORD = re.compile(r"^[a-z]{3,4}(?=\s)")
_PIECE_OF_TURN = 2  # words that are no question
_ACTS = 6  # taken off the front of a turn at most
_GOING_ON = frozenset(("lead", "and", "follow"))
_FOLLOWED_BY_NO = frozenset(("only", "keep", "remove", "add"))  # "exclude no shows": a name's, which corrects nothing


@dataclass(frozen=True, slots=True)
class Heard:
    """``acts`` (``only``, ``add``, ``remove``, …) in the order they were said; ``rest`` is the text without them.

    ``wants``: what a turn wants that is nothing but a phrase (``undo``, ``thanks``, ``as a percentage``).
    ``points``: whether it speaks of something that was said before.
    """

    text: str
    rest: str
    acts: tuple[str, ...] = ()
    wants: str = ""
    points: bool = False
    swapped: str = ""  # what the rest takes the place of (``replace weight with height``)
    step: float | None = None  # the size of bins that are asked for

    @property
    def leans(self) -> bool:
        """Whether it opens or ends as a turn does that hangs on the one before."""
        return any(act != "lead" for act in self.acts) or self.is_piece

    @property
    def is_piece(self) -> bool:
        """Whether it is a piece of a question (``per order``, ``in March``)."""
        return _PIECE.match(self.rest) is not None and not self.asks_where and not asked_behind(self.rest)

    @property
    def asks_where(self) -> bool:
        """Whether it is a question that begins with where or when (``on which weekday do we publish most``)."""
        return _WHERE.match(self.rest) is not None

    @property
    def is_group(self) -> bool:
        """Whether that piece says by what something is grouped."""
        return _BY.match(self.rest) is not None


_LED = re.compile(
    r"^\W*(?:(?:ok|okay|no|well|hm+|actually|wait|sorry|right|and|but)\W+)*"
    r"(?:forget (?:about )?(?:that|it|this)|never ?mind(?: (?:that|it|this))?|scratch that|(?:leave|skip) (?:that|it)"
    r"|neither(?: of (?:them|those|these))?|none of (?:them|those|these)|anyway|anyhow"
    r"|(?:(?:and )?now )?(?:(?:for|to) )?something (?:else|(?:completely |entirely )?different)"
    r"|(?:a )?(?:different|new|another|other|next|quick|one more) (?:question|topic|one|thing)"
    r"|change of (?:topic|subject)|by the way|btw|from scratch"
    r"|start(?:ing)? (?:over|again|afresh|anew|from scratch))(?: (?:then|now|for now))?\s*[,.;:!–—-]+\s*(?=\w+\W+\w)",
    re.IGNORECASE,
)


_SIGH = re.compile(r"^\W*(?:(?:h+m+|oh|ah|aha|uh|um|er|oops|wow|whoa)\b\W+)+(?=\w+\W+\w)", re.IGNORECASE)


_MEANT_LAST = re.compile(
    r"^(?P<said>.*\w)(?<!\bwhat)(?<!\bthat)(?<!\bwhich)[\s,;–-]+i mean(?:t)?\W*$", re.IGNORECASE
)  # "the visits, i mean": said behind what it corrects with


_ANEW = re.compile(
    r"^\W*(?:(?:ok|okay|no|well|now|right|so)\W+)*(?:let['’]?s\s+)?"
    r"(?:start(?:ing)? (?:over|again|afresh|anew|from scratch)|from scratch"
    r"|(?:(?:and )?now )?(?:(?:for|to) )?something (?:else|(?:completely |entirely )?different)"
    r"|(?:a )?(?:different|new|another|other) (?:question|topic|thing)|(?:a )?new one"
    r"|change of (?:topic|subject)|now(?=\s*:))"
    r"(?: (?:then|now))?\s*[,.;:!–—-]+\s*(?=\w+\W+\w)",
    re.IGNORECASE,
)


def begins_anew(text: str) -> bool:
    """Whether what follows has to do with nothing before it: ``start over: …``, ``new question: …``."""
    return _ANEW.match(text) is not None


def unled(text: str) -> str:
    """A turn without what only says that it is about something else, or nothing (``forget that, …``, ``hmm, …``)."""
    return _LED.sub("", _SIGH.sub("", text))


def meant_first(text: str, *, in_thread: bool) -> str:
    """A turn that ends in ``i mean`` with that at its front, where it corrects; without it at the start of a thread."""
    return _MEANT_LAST.sub(r"i meant \g<said>" if in_thread else r"\g<said>", text)


_OTHERS = re.compile(
    r"\b(?P<verb>(?:do|does|did|have|has|had|are|were|is|was)\s+)?(?:all\s+)?(?:of\s+)?(?:the|all)\s+"
    r"(?:others|(?:other|remaining) ones|rest|remainder)\b(?!\s+of\b|\s+(?:room|stop|area|day|period)s?\b)",
    re.IGNORECASE,
)


def of_others(text: str) -> str:
    """A turn about the others as one about them (``do the others have`` → ``do they have``); empty where it is none."""
    said = _OTHERS.search(text)
    if said is None or hear(text).wants:
        return ""
    return f"{text[: said.start()]}{said['verb'] + 'they' if said['verb'] else 'them'}{text[said.end() :]}"


_IN_PERCENT_TOO = re.compile(
    r"^(?!\W*(?:over|under|more than|less than|at least)\b)"  # "over 30 minutes late, in percent" has no number beside
    r"(?P<head>.*\w)(?:\s*[,;]|\s+[-–—]|\s+and\b)+\s*(?:also\s+)?"
    r"(?:(?:what|how much|how many)\s*(?:['’]?s|is|are|was|were|would)?\s*(?:percent(?:age)?\s+)?"
    r"(?:is\s+|are\s+|was\s+|were\s+)?(?:that|this|it|those|they)\s*)?"
    rf"(?:be\s+)?(?:(?:in|as)\s+(?:a\s+|an\s+)?{SHARE}s?|(?<=is that)|(?<=are they))"
    r"(?:\s+of\s+(?:all|the|our|every)\b[^,;]*)?\W*$",
    re.IGNORECASE,
)


_BESIDE_IT = re.compile(r"\b(?:and|what|how)\b", re.IGNORECASE)


def in_percent_too(text: str) -> str:
    """The question that comes before ``and what is that in percent``; empty where none does."""
    said = _IN_PERCENT_TOO.match(text)
    if said is None or len(said["head"].split()) <= _PIECE_OF_TURN:
        return ""
    beside = _BESIDE_IT.search(text, said.end("head"))  # "…, in percent" wants the share alone
    return said["head"].rstrip(" ,;") if beside is not None else ""


_PANELLED = re.compile(
    r"\b(?:small multiples?|(?:facet|trellis)(?:e?d)?|(?:one|a separate|separate) (?:chart|plot|graph)s?|sub ?plots?"
    r"|(?:separate )?panels)\s+(?:by|of|on|per|for (?:each|every))\s+\w",
    re.IGNORECASE,
)
"""A picture of each group beside the others: by that as well."""


def hear(text: str) -> Heard:
    """The discourse of one turn."""
    words = load_discourse()
    text = _SAMENESS.sub("what about", DEFINED.sub("the", text))
    text = _FARED.sub(lambda said: f"{said['by'] or 'by ' + said['unit']} for it", text)
    unsaid = _IMPERSONAL.sub(lambda found: f"{found['said'] or found['how']} ", text)
    plain = _shortened(_spelled(text.strip(), words))
    corrected = (_NOT_BUT.match(plain) or _SWAP_FIRST.match(plain)) if not _NO_MORE.match(plain) else None
    rest, opened = _opened(corrected["new"] if corrected is not None else plain, words)
    wants = _wants(text, words) or _placed(text) or _wants(rest, words)
    if _NO_SHARES.match(text) or _BACK_TO_ABSOLUTE.match(text):
        wants, opened = "absolute", [act for act in opened if act != "back"]
    rest, swapped, whole = _exchanged(rest)
    if corrected is not None:
        swapped, whole = swapped or corrected["gone"], [*whole, "instead"]
    rest, closed = _closed(rest, words)
    step, rest = _stepped(rest)
    closed = [*whole, *closed]
    acts = (*opened, *closed)
    if (told := _SWAPPED.search(rest)) is not None and not _SET_APART.match(rest):
        rest, acts = rest[: told.start()], (*acts, "instead")
    if "too" in acts or "and" in acts and _BY.match(rest):
        acts = (*acts, "add")
    if _DRAWN.match(text) or _OF_ROWS.match(text):
        acts = tuple(act for act in acts if act not in ("stack", "split"))
    wants = wants or ("" if "instead" in acts else _wants(rest, words))
    points = "those" in acts or bool(words.pointing.search(unsaid))
    if (each := _SERIES.match(rest)) is not None:
        acts, rest = (*acts, "series"), f"by {rest[each.end() :]} as a {each['mark']} chart"
    if "stack" in acts or _PANELLED.search(rest):
        acts = (*acts, "split")
    return Heard(unsaid, rest, tuple(dict.fromkeys(acts)), wants, points, swapped, step)


def _spelled(text: str, words: Discourse) -> str:
    """A turn with the words of discourse as they are spelled: ``accross all sites``."""
    text = _FIRST_WORD.sub(lambda found: words.first(found[0]) or found[0], text)
    return _LONG_WORD.sub(lambda found: words.near(found[0].lower()) or found[0], text)


_YEAR_AGO = re.compile(
    r"\b(?P<when>(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer"
    r"|autumn|winter))\s+(?:a|one)\s+year\s+(?:ago|before|earlier)\b",
    re.IGNORECASE,
)


_OUT_OF = re.compile(r"^\W*(?:(?:and|so|ok|okay)\s+)*(?:(?P<out>out of)|into)\s+(?=(?:which|what)\b)", re.IGNORECASE)
_WHICH_UNITS = re.compile(
    r"^\W*(?:(?:and|so|ok|okay)\s+)*(?:(?:on|in|during)\s+)?(?:which|what)\s+"
    r"(?:(?P<unit>hour|day|week|month|quarter|year)s|dates)\W*$",
    re.IGNORECASE,
)  # "on which days?": by these of what was shown


def _shortened(text: str) -> str:
    """A turn without what is said about it only: why something is wanted, and that it is about what was shown."""
    text = _YEAR_AGO.sub(r"\g<when> last year", text)
    text = _OUT_OF.sub(lambda said: "from " if said["out"] else "to ", text)
    text = _WHICH_UNITS.sub(lambda said: f"by {said['unit'] or 'day'}", text)
    text = _INTO.sub(r"replace \g<parts> with by \g<whole>", _JUDGED.sub("", text))
    text = _SO_ALL.sub(r"i meant \g<all>", text)
    text = _THOSE_FEW.sub(r"\g<which>", text)
    if (counted := _COUNTED.search(text)) is not None and not counted["said"].lower().endswith((" many", " much")):
        text = f"{text[: counted.start()]}{counted['said']} of those"
    text = _THAT_ONE.sub(r"\g<by> in that \g<one>", text)
    return _OF_ALL.sub(r"\g<share> of all", text)


def _stepped(text: str) -> tuple[float | None, str]:
    """The size of the steps that a text ends in, and the text without them."""
    found = _STEPS.search(text)
    if found is None:
        return None, text
    size = float((found["a"] or found["b"]).replace(",", ""))
    step = int(size) if size.is_integer() else size
    return (step, text[: found.start()]) if step > 0 else (None, text)


def _exchanged(text: str) -> tuple[str, str, list[str]]:
    """What takes the place of something, what that is, and the acts that says."""
    if (found := _BACK.match(text)) is not None:
        return found["new"], "", ["restore"]
    if (found := _AGAIN.match(text)) is not None:
        return found["what"], "", ["back"]
    if (found := _SWAP.match(text)) is not None:
        return found["new"], found["gone"], ["instead"]
    return text, "", []


_ALL_AGAIN = re.compile(
    r"(?<![\s,;:–—-])[\s,;:–—-]{1,4}(?:(?:back to|for|show|with)\s+)?(?:all|every)(?:\s+the)?\s+\w+(?:\s+\w+)?\W*$",
    re.IGNORECASE,
)
"""``drop that again, all jobs``: what is left when it is undone."""


def _wants(text: str, words: Discourse) -> str:
    found = next((name for name, pattern in words.turns.items() if pattern.find(text)), "")
    if found or (said := _ALL_AGAIN.search(text)) is None:
        return found
    return "undo" if words.turns["undo"].find(text[: said.start()]) else ""


def _placed(text: str) -> str:
    """Which place of a ranking is asked for: ``second most common?``"""
    said = _ORDINAL.match(text)
    if said is None:
        return ""
    place = "second" if said["place"][0] in "s2" else "third"
    least = said["way"].lower() in _SMALL
    return place if not least else "second_least" if place == "second" else ""


def _opened(text: str, words: Discourse) -> tuple[str, list[str]]:
    acts: list[str] = []
    for _ in range(_ACTS):
        if _NO_MORE.match(text) or acts and set(acts) <= _GOING_ON and _wants(text, words):
            break
        if (within := _surrounded(text, words)) is not None:
            text = within[0]
            acts.append(within[1])
            continue
        found = [(match.end(), act) for act, pattern in words.opening if (match := pattern.find(text))]
        if _NEXT_PERIOD.match(text):
            found = [(end, act) for end, act in found if act != "lead"]
        if (none := _NONE_OF.match(text)) is not None and {act for _, act in found} <= {"correct", "remove"}:
            found = [(none.end(), "remove")]
        found = [(end, act) for end, act in found if act != "correct" or not _FOLLOWED_BY_NO & set(acts)]
        if not found:
            break
        end, act = max(found)
        if end >= len(text.rstrip(" ?!.")) and acts:
            break  # nothing would be left of what it says
        acts.append(act)
        text = text[end:]
    return text, acts


def _surrounded(text: str, words: Discourse) -> tuple[str, str] | None:
    """What words stand around, and the act they say: ``leave the dogs out``."""
    return next(((what, act) for act, around in words.around if (what := around.find(text))), None)


def _closed(text: str, words: Discourse) -> tuple[str, list[str]]:
    acts: list[str] = []
    for _ in range(_ACTS):
        for act, pattern in words.closing:
            found = pattern.find(text)
            if found is not None and found.start() > 0:
                acts.append(act)
                text = text[: found.start()]
                break
        else:
            return text, acts
    return text, acts
