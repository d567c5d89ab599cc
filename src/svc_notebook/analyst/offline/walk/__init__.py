"""One walk over the items of a question: every name, value and number gets its use."""
