"""From the name of an analyst in a configuration to the analyst."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, cast

from .base import Analyst
from .certified import CertifiedAnalyst, CertifiedQuery
from .errors import AnalystUnavailable

__all__ = ["make_analyst"]


def make_analyst(
    spec: str | Analyst,
    *,
    instructions: str = "",
    certified: Iterable[CertifiedQuery | Mapping[str, Any]] = (),
    options: Mapping[str, Any] | None = None,
) -> Analyst:
    """The analyst that ``spec`` names.

    Parameters
    ----------
    spec
        ``"offline"``, ``"anthropic:…"``, ``"openai:…"``, ``"ollama:…"``, ``"https://host/v1#model"``, or an analyst.
    instructions
        The operator's words for a language model; the offline analyst reads only the data model.
    certified
        Queries that are served when a question matches (``question``, ``sql``, ``title``).
    options
        Keyword arguments of the analyst (for a language model: ``caps``, ``settings``, ``prices``, ``sends``, …).

    Raises
    ------
    AnalystUnavailable
        The name is not understood, or what it needs is missing.
    """
    queries = [query if isinstance(query, CertifiedQuery) else CertifiedQuery.read(query) for query in certified]
    analyst = _make(spec, instructions, dict(options or {}), queries)
    return CertifiedAnalyst(analyst, queries) if queries else analyst


def _make(spec: str | Analyst, instructions: str, options: dict[str, Any], certified: list[CertifiedQuery]) -> Analyst:
    if not isinstance(spec, str):
        return spec
    if spec == "offline":
        from .offline import OfflineAnalyst

        return cast(Analyst, OfflineAnalyst(**options))
    if ":" not in spec:
        raise AnalystUnavailable(
            f"{spec!r} is not an analyst: write 'offline', 'provider:model' or 'https://host/v1#model'"
        )
    from .llm import Caps, LanguageModelAnalyst, Prices

    for name, kind in (("caps", Caps), ("prices", Prices)):
        if isinstance(options.get(name), Mapping):
            options[name] = _made(kind, options[name], name)
    given = {"examples": certified, **options, "model": spec, "instructions": instructions}
    return cast(Analyst, _made(LanguageModelAnalyst, given, "options"))


def _made(kind: Any, given: Mapping[str, Any], what: str) -> Any:
    """An object of a mapping of a configuration; a name it does not take is said."""
    known = [name for name in inspect.signature(kind).parameters if name not in {"model", "instructions"}]
    strange = [name for name in given if name not in {*known, "model", "instructions"}]
    if strange:
        raise AnalystUnavailable(f"{what} has no {strange[0]!r}: it takes {', '.join(known)}")
    return kind(**given)
