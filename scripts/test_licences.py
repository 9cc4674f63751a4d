"""Tests of the licence gate: it must let the permissive ones through and stop the others."""

import unittest

from licences import OURS, permitted, problem

ALLOWED = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Zlib"}


class Expressions(unittest.TestCase):
    def test_permitted(self):
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "MIT AND Zlib",
            "(MIT OR Apache-2.0) AND Zlib",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only",
        ]:
            self.assertTrue(permitted(good, ALLOWED), good)

    def test_not_permitted(self):
        for bad in [
            "GPL-3.0-or-later",
            "AGPL-3.0-only",
            "LGPL-3.0-only OR GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "GPL-3.0-only AND MIT",
            "(MIT OR Apache-2.0) AND LGPL-3.0-only",
            "Apache-2.0 WITH Classpath-exception-2.0",
            "mit",
        ]:
            self.assertFalse(permitted(bad, ALLOWED), bad)

    def test_unreadable(self):
        for broken in ["", "MIT OR", "(MIT", "MIT)", "OR MIT", "MIT Zlib", "MIT WITH"]:
            with self.assertRaises(ValueError, msg=broken):
                permitted(broken, ALLOWED)


class Packages(unittest.TestCase):
    def test_foreign_packages(self):
        registry = "registry+somewhere"
        self.assertIsNone(problem({"source": registry, "license": "MIT"}, ALLOWED))
        for licence in [None, "", "AGPL-3.0-only", "MIT OR ("]:
            self.assertIsNotNone(problem({"source": registry, "license": licence}, ALLOWED))

    def test_our_packages(self):
        self.assertIsNone(problem({"source": None, "license": OURS}, ALLOWED))
        self.assertIsNotNone(problem({"source": None, "license": "MIT"}, ALLOWED))
        self.assertIsNotNone(problem({"source": None, "license": None}, ALLOWED))


if __name__ == "__main__":
    unittest.main()
