#!/bin/sh
# See that there is a Chromium for the browser tests; install the system's package where that is possible without asking.
# Without one the browser tests are skipped, and say so. $1: the environment's Python.
set -eu
python=$1

found() {
    [ -n "${SVC_CHROMIUM:-}" ] && return 0
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    ls "$HOME"/.cache/ms-playwright/chromium-*/chrome-*/chrome >/dev/null 2>&1
}

found && exit 0

if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ]; then sudo=; elif sudo -n true >/dev/null 2>&1; then sudo="sudo -n"; else sudo=no; fi
    if [ "$sudo" != no ]; then
        echo "No Chromium found: installing the system's package…"
        $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq chromium || true
    fi
fi
found && exit 0

"$python" -m playwright install chromium || true
found && exit 0

cat >&2 <<'MESSAGE'
note: no Chromium found and none could be installed: the browser tests will be skipped.
      Install one (Debian, Ubuntu: sudo apt-get install chromium) or set SVC_CHROMIUM to its path, then `make test`.
MESSAGE
