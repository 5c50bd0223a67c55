"""Executable specifications, whose reachable states are all explored."""
