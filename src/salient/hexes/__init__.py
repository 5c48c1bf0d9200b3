"""Hex geometry, boards and graph search, without any game's rules."""
