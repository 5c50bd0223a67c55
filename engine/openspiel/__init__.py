"""The games in the form of OpenSpiel (docs/developers/openspiel.md); needs the extra `openspiel`.

Importing `engine.openspiel.games` registers them.
"""
