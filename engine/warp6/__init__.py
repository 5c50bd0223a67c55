"""Warp 6, a race of dice into the wormhole: the game of docs/rules/warp6.md (X1–X5)."""
