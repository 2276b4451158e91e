"""Slow referees, written from rules.md alone; they import nothing of `basra_env`."""
