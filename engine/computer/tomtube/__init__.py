"""What computer players know of Tom Tube."""
