"""Warp 6 for computer players."""
