#!/usr/bin/env bash
# Run pytest; where at most five of thousands failed, those once more, alone. A test that fails twice has failed. One
# that passes alone was hit by the machine's load, and is named, since that is a fault of the test or of the program.
# Usage: tested.sh "options for the first run only" pytest-command...
# TURNS names a file that runs beside each other share: alone is then after the first runs of all of them.
set -uo pipefail
first=$1
shift
turns() { if [ -n "${TURNS:-}" ] && command -v flock > /dev/null; then flock "$1" 9; fi; }
exec 9> "${TURNS:-/dev/null}"
turns --shared
# shellcheck disable=SC2086 (options, split on purpose)
"$@" $first 9>&-
status=$?
turns --unlock
[ "$status" = 1 ] || exit "$status"  # 1: tests failed; anything else: the run itself did

failed=$("$@" --last-failed --last-failed-no-failures none --collect-only 2>/dev/null |
    sed -nE 's/^=* ?([0-9]+)(\/[0-9]+)? tests? collected.*/\1/p')
if [ "${failed:-0}" -lt 1 ] || [ "$failed" -gt 5 ]; then exit 1; fi

turns --exclusive
echo "== $failed failed. Once more, alone:"
"$@" --last-failed --last-failed-no-failures none -rp 9>&- || exit 1
echo "== UNSTABLE: what is named above failed among the others and passed alone. It needs mending."
