"""Simulated cups on a real database and the real services: `python -m tools.cups --cups 1000`.

Each cup is drawn from a seed: format, players, options, and its events. Matches end by
resigning, draws, agreement or lost time; players withdraw, go on vacation, hand over their place
and delete their data; interactions are delivered twice; the process dies inside transactions and
starts again on the same file. With `--life SECONDS`, cups are played by a process that is killed
with SIGKILL at random moments, and by the next one on the same file.

At the end, all cups are checked, with computations that share no code with the bot's.
"""
