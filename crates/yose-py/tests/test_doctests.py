"""The examples of docstrings, of the README and of the documentation."""

import doctest
from pathlib import Path

import pytest

import yose
import yose.go
from yose import _yose

ROOT = Path(__file__).resolve().parents[3]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def run(tests):
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    examples = 0
    for test in tests:
        examples += len(test.examples)
        runner.run(test)
    assert runner.failures == 0
    assert examples > 0


@pytest.mark.parametrize("page", ["crates/yose-py/README.md", "docs/python.md"])
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    # What a reader sees between the fences is what is run.
    run([doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, page, page, 0)])


@pytest.mark.parametrize("module", [yose, yose.go])
def test_docstrings_of_python(module):
    found = doctest.DocTestFinder().find(module, module.__name__)
    tests = [test for test in found if test.examples]
    if module is yose.go:
        run(tests)


def test_docstrings_of_the_compiled_part():
    parser = doctest.DocTestParser()
    tests = []

    def collect(name, thing):
        doc = getattr(thing, "__doc__", None)
        if doc and ">>>" in doc:
            tests.append(parser.get_doctest(doc, {"Board": yose.go.Board}, name, None, 0))

    for name in dir(_yose.go):
        thing = getattr(_yose.go, name)
        collect(name, thing)
        if isinstance(thing, type):
            for member in vars(thing):
                if not member.startswith("__"):
                    collect(f"{name}.{member}", getattr(thing, member))
    assert len(tests) >= 8
    run(tests)
