"""One folder a printed game. Rulesets never import each other."""
