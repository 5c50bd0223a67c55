"""Use cases, each in one transaction; no Discord."""
