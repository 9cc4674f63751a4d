# Sourced by the scripts that need Python packages, in the root of the repository.
# shellcheck shell=bash

# `venv FOLDER REQUIREMENT...`: a virtual environment with these packages. A new list, or another Python,
# makes a new one; else the old one is used.
venv() {
    local folder=$1 stamp
    shift
    stamp="$* $(python3 -c 'import sys; print(sys.version, sys.base_prefix)')"
    if [ "$(cat "$folder/stamp" 2>/dev/null || true)" = "$stamp" ]; then
        return
    fi
    rm -rf "$folder"
    mkdir -p target
    if ! python3 -m venv "$folder" 2>target/venv.log; then
        # Debian's Python comes without the module.
        if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
            cat target/venv.log >&2
            exit 1
        fi
        echo "Installing python3-venv (apt-get install python3-venv)."
        apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv
        rm -rf "$folder"
        python3 -m venv "$folder"
    fi
    "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@"
    echo "$stamp" >"$folder/stamp"
}
