"""Addresses: the pages, the API, the operators' desk."""

from __future__ import annotations

from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from campaigns.views import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("healthz", health.alive, name="alive"),
    path("health/", health.health, name="health"),
]
if find_spec("campaigns.api") and find_spec("campaigns.api.urls"):
    urlpatterns.append(path("api/", include("campaigns.api.urls")))
if find_spec("campaigns.urls"):
    urlpatterns.append(path("", include("campaigns.urls")))
