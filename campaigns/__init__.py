"""The campaign staff: a Django application over the rules engine. Read `models/` first."""

VERSION = "0.1.0"
