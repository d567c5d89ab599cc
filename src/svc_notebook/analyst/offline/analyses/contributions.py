"""What of a change comes from which group: sums add up; averages change by a group's own rate and by the mix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

__all__ = ["Part", "additive", "rate_mix"]


class Part(Struct, frozen=True):
    """A group's numbers on both sides, and what it contributes to the change of the whole.

    ``own``: from the change of its own rate; ``mix``: from its share of the rows. A sum has no mix.
    """

    group: Any
    before: float | None
    after: float | None
    rows: int
    own: float
    mix: float = 0.0

    @property
    def effect(self) -> float:
        return self.own + self.mix


def additive(before: Mapping[Any, float], after: Mapping[Any, float], rows: Mapping[Any, int]) -> list[Part]:
    """Contributions to the change of a sum: the difference of each group; together they are the whole change."""
    groups = dict.fromkeys([*before, *after])
    parts = [
        Part(g, before.get(g), after.get(g), rows.get(g, 0), after.get(g, 0.0) - before.get(g, 0.0)) for g in groups
    ]
    return sorted(parts, key=lambda part: (-abs(part.effect), str(part.group)))


def rate_mix(
    before: Mapping[Any, tuple[float, float]], after: Mapping[Any, tuple[float, float]]
) -> tuple[float, float, list[Part]]:
    """Contributions to the change of a mean, which together are the whole change.

    Parameters
    ----------
    before, after
        Mean and number of rows of each group.

    Returns
    -------
    tuple
        The whole mean before, after, and the parts: what comes of a group's own mean (weighted by its middle share of
        the rows), and what of its share (by how far its mean lies from the whole's). A group that is on one side only
        contributes by its share alone.
    """
    total = [sum(n for _, n in side.values()) for side in (before, after)]
    if not all(total):
        raise ValueError("a side without rows has no mean")
    means = [sum(m * n for m, n in side.values()) / n_all for side, n_all in zip((before, after), total, strict=True)]
    middle = sum(means) / 2
    parts = []
    for group in dict.fromkeys([*before, *after]):
        (m0, n0), (m1, n1) = before.get(group, (None, 0.0)), after.get(group, (None, 0.0))
        # A group that is only on one side has the mean of that side on both: what it brings is its share.
        first, last = m0 if m0 is not None else m1, m1 if m1 is not None else m0
        if first is None or last is None:
            continue
        w0, w1 = n0 / total[0], n1 / total[1]
        # Weighted by the middle of both shares, so that neither period is the base and own and mix leave no rest.
        own = (last - first) * (w0 + w1) / 2
        mix = (w1 - w0) * ((first + last) / 2 - middle)
        parts.append(Part(group, m0, m1, int(n0 + n1), own, mix))
    return means[0], means[1], sorted(parts, key=lambda part: (-abs(part.effect), str(part.group)))
