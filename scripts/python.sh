#!/usr/bin/env bash
# Builds the Python package, installs it in a virtual environment of its own and runs its tests,
# the examples of its documentation and the checks of its stubs. Called by `./test python`.
set -eu
cd "$(dirname "$0")/.."
venv=target/python
wanted="maturin>=1.9.4,<2 numpy>=1.23 pytest>=8 mypy>=1.11"

# A new list, or another Python, makes a new environment.
stamp="$wanted $(python3 -c 'import sys; print(sys.version, sys.base_prefix)')"
if [ "$(cat "$venv/stamp" 2>/dev/null || true)" != "$stamp" ]; then
    rm -rf "$venv"
    if ! python3 -m venv "$venv" 2>"$PWD/target/venv.log"; then
        # Debian's Python comes without the module.
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            echo "Installing python3-venv (apt-get install python3-venv)."
            apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv
            rm -rf "$venv"
            python3 -m venv "$venv"
        else
            cat target/venv.log >&2
            exit 1
        fi
    fi
    # shellcheck disable=SC2086 # one word each
    "$venv/bin/python" -m pip install -q --disable-pip-version-check $wanted
    echo "$stamp" >"$venv/stamp"
fi

rm -rf target/wheels
# Built here, not by pip, so that the workspace's target folder is used; not as a
# release, which takes long to compile.
"$venv/bin/maturin" build -q --profile dev --locked -m crates/yose-py/Cargo.toml \
    -i "$venv/bin/python" --out target/wheels
"$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --force-reinstall \
    target/wheels/*.whl
cd crates/yose-py
"../../$venv/bin/python" -m pytest -p no:cacheprovider
# The stubs against what is there, and a user's code against the stubs.
"../../$venv/bin/python" -m mypy.stubtest yose
"../../$venv/bin/python" -m mypy --strict --cache-dir=/dev/null tests/typed.py
