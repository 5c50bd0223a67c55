"""Executable specifications, of which all reachable states are explored."""
