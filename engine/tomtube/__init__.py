"""Tom Tube: two astronauts build a space station; the game of docs/rules/tomtube.md (T1–T5)."""
