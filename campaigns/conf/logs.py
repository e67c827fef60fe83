"""What a stranger sends wrong is a line in the log, not a page of it.

Django tells of a request it turned away with a whole traceback. A form of two thousand fields, a
foreign host or a mangled upload is no fault of the program, and anybody can send thousands.
"""

from __future__ import annotations

import logging

LONGEST = 200
"""Characters of the line that tells of a request turned away."""


class Short(logging.Filter):
    """A request that was answered with less than 500 is told of in one short line."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.") and getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = record.stack_info = None
            record.msg = " ".join(record.getMessage().split())[:LONGEST]
            record.args = ()
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True
