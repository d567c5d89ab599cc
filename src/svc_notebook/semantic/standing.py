"""How fresh the data are that a layer answers from."""

from __future__ import annotations

from datetime import UTC, datetime

from ..records import dataclass

__all__ = ["Standing"]


@dataclass(slots=True, eq=False)
class Standing:
    """The moment the data of one generation were read, and whether newer ones are held back.

    Attributes
    ----------
    as_of
        Seconds since 1970; the data are as their files were then. None where nobody knows.
    held_back
        Why what has changed since is not used, in words for the operator; empty while nothing has.
    """

    as_of: float | None = None
    held_back: str = ""

    @property
    def said(self) -> str:
        """The moment in ISO format, ``""`` where it is not known."""
        if self.as_of is None:
            return ""
        moment = datetime.fromtimestamp(self.as_of, UTC).replace(tzinfo=None)
        return moment.isoformat(timespec="seconds") + "Z"

    @property
    def notes(self) -> tuple[str, ...]:
        """What whoever gets an answer is told; why newer data cannot be used is the operator's to know."""
        if not self.held_back:
            return ()
        moment = self.said[:-1].replace("T", " ") + " UTC" if self.as_of is not None else "earlier"
        return (f"These are the data of {moment}: data or model have changed since, and cannot be used as they are.",)
