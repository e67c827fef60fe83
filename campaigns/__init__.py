"""The campaign staff: a Django application over the rules engine. Read `models/` first."""
