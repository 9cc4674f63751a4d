#!/usr/bin/env python3
"""The licence gate: every crate in the lock file must be usable under the list in deny.toml.

The licence field of each package that `cargo metadata` names (all platforms, build and test
dependencies too) is read as an SPDX expression: `A OR B` needs one of them allowed, `A AND B`
both. A package without the field fails. Our own crates must say `MIT OR Apache-2.0`.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = "MIT OR Apache-2.0"


def tokens(expression: str) -> list[str]:
    """Parentheses and words; `/` is the old way to write OR."""
    return re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))


def permitted(expression: str, allowed: set[str]) -> bool:
    """Whether the expression can be met with allowed licences alone.

    Raises ValueError if it is not an SPDX expression: what cannot be read is not permitted.
    """
    rest = tokens(expression)

    def any_of() -> bool:
        value = all_of()
        while rest and rest[0] == "OR":
            rest.pop(0)
            # Parsed before it is combined: the tokens must be consumed either way.
            right = all_of()
            value = value or right
        return value

    def all_of() -> bool:
        value = one()
        while rest and rest[0] == "AND":
            rest.pop(0)
            right = one()
            value = value and right
        return value

    def one() -> bool:
        if not rest:
            raise ValueError("it ends too early")
        word = rest.pop(0)
        if word == "(":
            value = any_of()
            if not rest or rest.pop(0) != ")":
                raise ValueError("a ) is missing")
            return value
        if word in (")", "OR", "AND", "WITH"):
            raise ValueError(f"{word} is out of place")
        if rest and rest[0] == "WITH":
            rest.pop(0)
            if not rest:
                raise ValueError("nothing follows WITH")
            word = f"{word} WITH {rest.pop(0)}"
        return word in allowed

    value = any_of()
    if rest:
        raise ValueError(f"{rest[0]} is out of place")
    return value


def problem(package: dict, allowed: set[str]) -> str | None:
    """What is wrong with the licence of a package of `cargo metadata`, if anything is."""
    licence = package.get("license")
    if package.get("source") is None:
        return None if licence == OURS else f"ours, but says {licence!r} and not {OURS!r}"
    if not licence:
        return "names no licence"
    try:
        return None if permitted(licence, allowed) else f"{licence!r} is not allowed"
    except ValueError as error:
        return f"{licence!r} is not a licence expression: {error}"


def main() -> int:
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    metadata = json.loads(
        subprocess.run(
            ["cargo", "metadata", "--format-version", "1", "--locked"],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    )
    packages = metadata["packages"]
    bad = 0
    for package in sorted(packages, key=lambda p: p["name"]):
        if (what := problem(package, allowed)) is not None:
            bad += 1
            print(f"{package['name']} {package['version']}: {what}")
    print(f"{len(packages)} packages, {bad} with a licence that is not allowed")
    return 1 if bad or not packages else 0


if __name__ == "__main__":
    sys.exit(main())
