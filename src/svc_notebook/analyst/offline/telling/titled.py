"""The line below a chart's title: what is shown, and what of it is not whole."""

from __future__ import annotations

from .caveats import partial_rows, time_of
from .figures import label
from .outcome import Outcome

__all__ = ["subtitle_of"]


def subtitle_of(outcome: Outcome, headline: str) -> str:
    """What a chart shows, where its title says what it finds."""
    parts = [outcome.what] if outcome.what and outcome.what != headline else []
    time = time_of(outcome)
    if time is not None and (cut := partial_rows(outcome)):
        names = dict.fromkeys(label(time, (time.cells or ())[row]) for row in sorted(cut))
        parts.append(f"{' and '.join(names)} not complete")
    return "; ".join(parts)
