#!/usr/bin/env bash
# Run pytest; where at most five of thousands failed, those once more, alone. A test that fails twice has failed. One
# that passes alone was hit by the machine's load, and is named, since that is a fault of the test or of the program.
# Usage: tested.sh "options for the first run only" pytest-command...
set -uo pipefail
first=$1
shift
# shellcheck disable=SC2086 (options, split on purpose)
"$@" $first
status=$?
[ "$status" = 1 ] || exit "$status"  # 1: tests failed; anything else: the run itself did

failed=$("$@" --last-failed --last-failed-no-failures none --collect-only 2>/dev/null |
    sed -nE 's/^=* ?([0-9]+)(\/[0-9]+)? tests? collected.*/\1/p')
if [ "${failed:-0}" -lt 1 ] || [ "$failed" -gt 5 ]; then exit 1; fi

echo "== $failed failed. Once more, alone:"
"$@" --last-failed --last-failed-no-failures none -rp || exit 1
echo "== UNSTABLE: what is named above failed among the others and passed alone. It needs mending."
