"""Tools for hexes and tables, with no ruleset's opinions."""
