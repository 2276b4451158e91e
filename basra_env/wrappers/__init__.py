"""One generic module for each ecosystem; none of them names a game."""
