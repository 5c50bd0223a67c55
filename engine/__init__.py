"""The rules of the games: pure, standard library only. Start reading in `engine/game.py`."""
