"""The language-model analyst: same tools, same policies, same stream, any provider (extra ``llm``).

Rights never depend on text: the tools are bound to the asker's security context before the model is called, and the
model is given metadata and results the asker may see, nothing else.
"""

from __future__ import annotations

from .agent import LanguageModelAnalyst
from .limits import Caps, Prices

__all__ = ["Caps", "LanguageModelAnalyst", "Prices"]
