"""Whether it lives, for machines; how it is, for operators."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaigns.reports import health as report


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The web process answers. It asks neither database nor broker."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Stores, workers, jobs, disk; 503 where something is bad. For others it is not there."""
    if not (request.user.is_authenticated and request.user.is_staff):
        raise Http404
    found = report.health()
    status = 503 if found.state == report.BAD else 200
    wanted = request.get_preferred_type(["text/html", "application/json"])
    if wanted == "application/json":
        return JsonResponse(found.as_json(), status=status)
    return render(request, "pages/health.html", {"health": found, "here": "health"}, status=status)
