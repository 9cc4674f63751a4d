#!/usr/bin/env python3
"""What must not be in the repository: see RULES. Looks at tracked files only.

Also checks that every relative link in the documents leads to a file and that the book's table
of contents names every page.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = {".rs", ".py", ".ts", ".tsx", ".sh"}
LONGEST = 700


def machine_paths(root: Path, home: str) -> list[str]:
    """Beginnings of paths that exist on one machine only."""
    candidates = [str(root.parent), home.rstrip("/")]
    return [c + "/" for c in candidates if c not in ("", "/", "/tmp")]


def line_problem(path: str, line: str, paths: list[str]) -> str | None:
    """What is wrong with a line of a file, if anything is."""
    for start in paths:
        if start in line and not path.endswith(".lock"):
            return f"a path of one machine ({start})"
    if re.match(r"(<{7}|>{7}) ", line):
        return "a merge conflict"
    if path.endswith(".lock") and re.search(r'source = "registry\+', line):
        if '"registry+https://github.com/rust-lang/crates.io-index"' not in line:
            return "a package from another registry"
    if path.endswith(("package-lock.json", ".npmrc")):
        if re.search(r'"?(resolved|registry)"?\s*[:=]\s*"?https?:', line):
            return "a download address in a lock file"
    if path.endswith(".rs"):
        if re.search(r"\b(todo|unimplemented|dbg)!\(", line):
            return "a stub or a debugging aid"
        if re.search(r"#\[ignore\]", line):
            return "a test that never runs, without a reason"
        if re.search(r"assert!\(true\)", line):
            return "a test that cannot fail"
    return None


def link_problems(page: Path, text: str) -> list[str]:
    """Relative links of a Markdown page that lead nowhere."""
    # Code blocks and code spans hold brackets that are not links.
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.S | re.M)
    text = re.sub(r"`[^`\n]*`", "", text)
    found = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:|#", target):
            continue
        if not (page.parent / target.split("#")[0]).exists():
            found.append(f"link to {target}, which does not exist")
    return found


def main() -> int:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout.decode()
    files = [name for name in listing.split("\0") if name and (ROOT / name).is_file()]
    paths = machine_paths(ROOT, os.environ.get("HOME", ""))
    problems = []
    for name in files:
        # The patterns of the rules stand in this file and in its test.
        if name.startswith("scripts/") and "hygiene" in name:
            continue
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            if (what := line_problem(name, line, paths)) is not None:
                problems.append(f"{name}:{number}: {what}")
        if Path(name).suffix in CODE and len(lines) > LONGEST:
            problems.append(f"{name}: {len(lines)} lines; does it answer one question?")
        if name.endswith(".md"):
            problems += [f"{name}: {what}" for what in link_problems(ROOT / name, text)]
    summary = (ROOT / "docs/SUMMARY.md").read_text(encoding="utf-8")
    for name in files:
        page = name.removeprefix("docs/")
        if name.startswith("docs/") and page.endswith(".md") and page != "SUMMARY.md":
            if f"]({page})" not in summary:
                problems.append(f"{name}: not in docs/SUMMARY.md")
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
