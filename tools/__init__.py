"""Programs for developers: benchmarks, load, mutants, catalogues, screenshots."""
