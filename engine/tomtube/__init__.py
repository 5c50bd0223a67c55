"""Tom Tube: two astronauts build a space station; the game of rules/tomtube.md (T1–T5)."""
