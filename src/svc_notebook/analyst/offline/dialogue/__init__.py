"""Conversation: what a turn says of the turns before it, and the forms it edits."""

from __future__ import annotations

from .choosing import (
    Option,
    also_read,
    asked_back,
    chart_of,
    choices_of,
    chosen,
    kept_options,
    numbered,
    options_of,
    question_back,
)
from .differing import side_by_side
from .dropped import dropped
from .editing import Unfit
from .explaining import explained
from .hearing import Heard, begins_anew, hear, in_percent_too, meant_first, of_others, unled
from .held import Held, accepts, leaves_out, rephrased
from .helping import Help, help_for
from .numbers import with_share
from .outcome import NOT_SURE, NOT_TOLD, UNANSWERED, Between, Followed, Unmet
from .plainly import plainly
from .reasons import outstanding, remembered_top
from .same_rows import few_shown, narrowed_to, rows_of
from .same_unit import in_the_same_unit
from .thread import Earlier, earlier, passed_over, still_left_out, turned_away, unsorted
from .unchosen import is_taken, still_asked
from .weighing import Anew
from .whole import asks_of_them, binds_itself, is_list_of_its_own

__all__ = [
    "NOT_SURE", "NOT_TOLD", "UNANSWERED", "Anew", "Between", "Earlier", "Followed", "Heard", "Held", "Help", "Option",
    "Unfit", "Unmet", "accepts", "also_read", "asked_back", "asks_of_them", "begins_anew", "binds_itself", "chart_of",
    "choices_of", "chosen", "dropped", "earlier", "explained", "few_shown", "hear", "help_for",
    "in_percent_too",
    "in_the_same_unit", "is_list_of_its_own", "is_taken", "kept_options", "leaves_out", "meant_first", "narrowed_to",
    "numbered", "of_others", "options_of", "outstanding", "passed_over", "plainly", "question_back", "remembered_top",
    "rephrased", "rows_of", "side_by_side", "still_asked", "still_left_out", "turned_away", "unled", "unsorted",
    "with_share",
]  # fmt: skip
