"""Warp 6, a race of dice into the wormhole: the game of rules/warp6.md (X1–X5)."""
