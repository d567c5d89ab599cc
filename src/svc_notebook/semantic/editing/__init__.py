"""Data models changed as their owners would: the lines that a change needs, and no others."""
