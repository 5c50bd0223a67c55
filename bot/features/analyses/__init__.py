"""Analyses of finished matches: their luck, and their most costly decisions."""
