"""Chart specifications from outside, made safe by Vega-Lite's own grammar.

``spec`` reads the JSON, ``grammar`` knows what may stand where, ``exclusions`` says what is kept out and why, ``guard`` walks
a specification and writes it anew, ``leaves`` judges single strings and numbers, ``bounds`` what could grow without end,
``makers`` the fields that transforms make, ``channels`` what a channel lacks, ``fields`` and ``expressions`` names in their
use.
"""
