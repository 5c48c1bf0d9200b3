"""The map and counter editor: a player's own data folder, changed in the browser, checked and drawn at once."""
