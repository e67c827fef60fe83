"""The two ways to say no: a refusal speaks to a person; what may not be seen is not there."""

from __future__ import annotations

from django.http import Http404


class Refused(Exception):
    """An operation will not do it. `why` is a sentence for a person.

    `rule` cites a printed rule where one forbids it; `path` names the field or line at fault.
    """

    def __init__(self, why: str, *, rule: str = "", path: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule
        self.path = path


class NotFound(Http404):
    """Foreign, hidden or unknown: the answer is the same, so that it tells nothing."""
