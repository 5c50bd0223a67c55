"""The planted bugs still fit the sources; `make mutants` shows that each is caught."""

from __future__ import annotations

import pytest

from tools.mutants import MUTANTS, ROOT, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_fits_the_source(mutant: Mutant) -> None:
    source = (ROOT / mutant.file).read_text("utf-8")
    for old, new in mutant.changes:
        assert source.count(old) == 1
        source = source.replace(old, new)
