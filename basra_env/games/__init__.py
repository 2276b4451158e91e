"""One folder a family of games: rules, kernels, layout, house players, position."""
