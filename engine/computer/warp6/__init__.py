"""What computer players know of Warp 6."""
