"""Wormholes, for the piecepack: the game of rules/wormholes.md (W1–W9)."""
