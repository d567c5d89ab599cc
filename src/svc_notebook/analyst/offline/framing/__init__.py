"""What is asked, found in what is said around it: frames, pieces, talk and light words, as tables by language."""

from .frames import core_of
from .talk import without_asides

__all__ = ["core_of", "without_asides"]
