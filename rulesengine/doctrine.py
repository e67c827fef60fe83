"""How an AI side decides: the parts every ruleset's doctrine is made of.

A doctrine sees only its side's view. It scores the candidates a decision offers and takes
the best; ties fall to the first, so that the same battle is always fought the same way.
"""

from __future__ import annotations

from rulesengine.contract import Doctrine

__all__ = ["Doctrine"]
