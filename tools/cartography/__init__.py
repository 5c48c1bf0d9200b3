"""Drafts hex maps from geography: fits a grid to control points and snaps rivers, roads, woods and places to it."""
