"""Pages outside any campaign: about, and the pages that say what went wrong."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def about(request: HttpRequest) -> HttpResponse:
    """What Sitrep is, and what it does not do yet."""
    return render(request, "pages/about.html", {"open_to_all": True, "here": "about"})


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: foreign, hidden and unknown look the same."""
    return render(request, "pages/not_found.html", {"sign_in_to": request.path}, status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return render(request, "pages/forbidden.html", status=403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form's token is missing or old."""
    context = {"why": "The form was open for too long, or cookies are switched off."}
    return render(request, "pages/forbidden.html", context, status=403)


def broken(request: HttpRequest, *args: Any) -> HttpResponse:
    """500: rendered without the request's user, as the database may be what failed."""
    from django.template.loader import render_to_string

    return HttpResponse(render_to_string("500.html"), status=500)
