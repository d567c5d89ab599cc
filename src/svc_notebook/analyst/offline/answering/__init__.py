"""From what was understood of a turn to the events of its answer."""

from .of_analyses import find, tell_analysis
from .of_forms import tell_form
from .of_plans import tell_plan
from .of_reasons import tell_why
from .piecewise import stream
from .refusing import ask_back, refuse

__all__ = ["ask_back", "find", "refuse", "stream", "tell_analysis", "tell_form", "tell_plan", "tell_why"]
