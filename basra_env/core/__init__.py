"""What every game is made of; this package names no game."""
