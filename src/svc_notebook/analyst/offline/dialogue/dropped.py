"""What rows were restricted to before and are no longer, though nobody said so: it is told."""

from __future__ import annotations

from ..forms import Condition, Missing
from ..schema.metadata import Metadata
from .conditions import conditions_of
from .expressing import paths_of
from .hearing import hear
from .moving import same_thing
from .outcome import Followed

__all__ = ["dropped"]

_SAYING = frozenset(("remove", "every", "back", "opposite", "restore"))


def dropped(followed: Followed, question: str, metadata: Metadata) -> tuple[Condition, ...]:
    """The conditions of the answer before that its edit left out by itself: ``per year`` after one of 2024.

    Not what is asked for of another one of its kind now, by whatever name.
    """
    heard = hear(question)
    if followed.undo or heard.wants or heard.swapped or _SAYING & set(heard.acts):
        return ()
    form = followed.form
    kept = paths_of((form.where, form.measures, form.having))
    return tuple(
        condition
        for condition in conditions_of(followed.of.form)
        if not paths_of(condition) & kept
        and not (isinstance(condition, Missing) and condition.negated)
        and all(same_thing(condition, now, metadata) is None for now in conditions_of(form))
    )
