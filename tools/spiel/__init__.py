"""The games in the form of OpenSpiel (docs/developers/openspiel.md)."""
