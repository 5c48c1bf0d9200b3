"""Axis & Allies: Battle of the Bulge."""
