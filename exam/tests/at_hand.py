"""Engines that some tests need and not every machine has."""

import os

import pytest

#: The engines that .ci/run and exam/check install: where CI is set they must be there. The others, drake,
#: newton and pybullet, are not promised: where they are missing, their tests are skipped on purpose, under
#: CI too, and no list of what was not checked names them.
PROMISED = ("mujoco", "rapier", "stiction")


def missing(name, module):
    """Ends a test whose engine is not installed: a promised one fails under CI, and elsewhere is written
    to the file SKIPPED, as in .ci/skip."""
    words = f"{name} is not installed: {module}"
    if name in PROMISED:
        assert not os.environ.get("CI"), f"{words}; under CI nothing is skipped"
        if os.environ.get("SKIPPED"):
            with open(os.environ["SKIPPED"], "a", encoding="utf-8") as skipped:
                skipped.write(f"the friction exam: {words}\n")
    pytest.skip(words)
