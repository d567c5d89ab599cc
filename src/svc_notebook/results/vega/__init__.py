"""Chart specifications from outside, made safe by Vega-Lite's own grammar.

``spec`` reads the JSON, ``grammar`` knows what may stand where, ``exclusions`` says what is kept out and why, ``guard``
walks a specification and writes it anew (``choosing`` tells alternatives apart), ``leaves`` judges single strings,
``bounds`` what could grow without end, ``parameters`` and ``makers`` find names that a chart declares, ``chart_fields``
and ``channels`` what its fields lack, ``fields`` and ``expressions`` how names are used, ``scene`` what is drawn.
"""
