"""Tags of the pages: figures (symbols, bars, sparklines), battlefield (the map), words."""
