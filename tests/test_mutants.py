"""The tests notice what they are there to notice."""

from __future__ import annotations

import pytest

from tests.mutants import MUTANTS, Mutant, hunt


@pytest.mark.soak
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)
def test_a_mutant_is_caught(mutant: Mutant) -> None:
    assert hunt(mutant)
