"""Pages outside any campaign."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What Sitrep is, and what it does not do yet."""
    return render(request, "pages/about.html", {"open_to_all": True, "here": "about"})
