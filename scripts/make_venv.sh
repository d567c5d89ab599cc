#!/bin/sh
# Make a virtual environment at $1 with the first Python >= 3.11 that runs here.
set -eu
venv=$1
enough='import sys; sys.exit(sys.version_info < (3, 11))'

# Names are parted by lines: the path to a Python may have spaces in it.
IFS='
'
for python in ${PYTHON:-$(printf '%s\n' python3.13 python3.12 python3.11 python3 python)}; do
    if "$python" -c "$enough" >/dev/null 2>&1; then
        echo "Using $("$python" --version) ($(command -v "$python"))"
        if ! mkdir -p "$venv" 2>/dev/null; then
            echo "error: $(pwd) cannot be written to, and the environment is made there (as $venv)." >&2
            echo "       Copy the project to a folder of your own, or name another place: make VENV=\$HOME/svc-venv …" >&2
            exit 1
        fi
        if "$python" -m venv "$venv"; then
            exit 0
        fi
        rm -rf "$venv"
        echo "error: $python cannot make a virtual environment." >&2
        echo "       On Debian and Ubuntu: sudo apt-get install python3-venv" >&2
        exit 1
    fi
done

found=$(python3 --version 2>/dev/null || echo "no python3 at all")
echo "error: Python 3.11 or newer is needed; found $found." >&2
echo "       Install one (https://www.python.org/downloads/) or name it: make PYTHON=/path/to/python3.12 …" >&2
exit 1
