"""Wormholes, for the piecepack: the game of docs/rules/wormholes.md (W1–W9)."""
