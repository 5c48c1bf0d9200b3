"""Ardennes '44 (GMT Games, 3rd edition)."""
