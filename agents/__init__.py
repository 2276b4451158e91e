"""Players: rule-based ones and learned ones, all of them batch first. See `agents.base`."""
