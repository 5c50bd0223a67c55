"""Tom Tube for computer players."""
