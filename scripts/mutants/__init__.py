"""One-line breaks of the code, and whether the tests notice.

    python -m scripts.mutants                          every mutant of every guard of rights
    python -m scripts.mutants --sample 15 --seed 3     a few of them
    python -m scripts.mutants --only semantic/policy --list
    python -m scripts.mutants --rooms fold reader --sample 40   so many of each of these rooms, rights or not

A mutant is one change of one expression or statement: a condition negated, `and` for `or`, a comparison turned, a set
emptied, a filter of a query or of a comprehension left out, a refusal not raised, a call not made, nothing returned. It
is made in a copy of the tree; its tests run in a child that has the libraries loaded already, nearest and quickest
tests first. It is killed if one fails that passes without it. A survivor is either a missing test or no break at all:
those are listed, with the reason, in `scripts/mutants/equivalent.txt`.

A guard of rights names its tests, and not one of its mutants may survive. The rooms are larger: a sample is drawn of
each. The room's tests are run once with what the broken expression would give worked out beside what the sound one
gives: only a test in which the two differ can notice, and those are run over the break. The share that was killed
stands in `docs/soundness.md`.
"""
