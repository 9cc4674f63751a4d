"""Tests of the hygiene rules: each must stop what it is for, and nothing innocent."""

import tempfile
import unittest
from pathlib import Path

from hygiene import line_problem, link_problems, machine_paths

PATHS = ["/srv/someone/"]


class Lines(unittest.TestCase):
    def test_stopped(self):
        for path, line in [
            ("README.md", "see /srv/someone/notes"),
            ("a.rs", "<<<<<<< HEAD"),
            ("a.rs", "    todo!()"),
            ("a.rs", "    dbg!(x);"),
            ("a.rs", "#[ignore]"),
            ("a.rs", "assert!(true);"),
            ("Cargo.lock", 'source = "registry+https://mirror.example/index"'),
            ("web/package-lock.json", '"resolved": "https://mirror.example/a.tgz"'),
        ]:
            self.assertIsNotNone(line_problem(path, line, PATHS), (path, line))

    def test_innocent(self):
        for path, line in [
            ("README.md", "a todo!() in prose, see /srv/other"),
            ("a.rs", '#[ignore = "takes an hour"]'),
            ("a.rs", "assert!(truth);"),
            ("Cargo.lock", 'source = "registry+https://github.com/rust-lang/crates.io-index"'),
        ]:
            self.assertIsNone(line_problem(path, line, PATHS), (path, line))

    def test_machine_paths(self):
        self.assertEqual(machine_paths(Path("/a/b/c"), "/home/x"), ["/a/b/", "/home/x/"])
        self.assertEqual(machine_paths(Path("/c"), "/"), [])


class Links(unittest.TestCase):
    def test_links(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.touch()
            good = "[a](page.md) [b](page.md#part) [c](https://example.org) [d](#here)"
            self.assertEqual(link_problems(page, good), [])
            self.assertEqual(link_problems(page, "`[x](no.md)`\n```\n[y](no.md)\n```\n"), [])
            self.assertEqual(len(link_problems(page, "[a](other.md)")), 1)


if __name__ == "__main__":
    unittest.main()
