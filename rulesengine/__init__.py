"""A pure library that plays and explains printed wargames. Start with `contract.py`."""
