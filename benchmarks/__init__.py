"""Measurements: `python -m benchmarks.speed`, `python -m benchmarks.baselines`."""
