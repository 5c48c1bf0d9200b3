"""Benchmarks: `python -m bench`. Only ratios within one run mean anything, so each figure has its peer beside it."""
