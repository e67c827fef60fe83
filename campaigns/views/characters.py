"""Text that no database keeps is turned away at the door, whichever form or query it is in.

The API does so itself, in JSON; here its requests would have their bodies read too early.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

Answer = Callable[[HttpRequest], HttpResponse]


def refuse_nul(answer: Answer) -> Answer:
    """Middleware: a request with a NUL among its words is answered with 400."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/api/"):
            return answer(request)
        for sent in (request.GET, request.POST):
            for name, values in sent.lists():
                if any("\0" in str(word) for word in (name, *values)):
                    return HttpResponseBadRequest("A text here has a NUL in it.")
        return answer(request)

    return middleware
