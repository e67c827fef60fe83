"""Addresses of the pages. Ids in them are opaque; UI state is in the query."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from campaigns.views import accounts, site, style

urlpatterns: list[URLPattern | URLResolver] = [
    path("about/", site.about, name="about"),
    path("style/", style.style_page, name="style"),
    path("sign-in/", accounts.SignIn.as_view(), name="login"),
    path("sign-out/", accounts.SignOut.as_view(), name="logout"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.ChangePassword.as_view(), name="password"),
    path("reset/<uidb64>/<token>/", accounts.ResetPassword.as_view(), name="reset"),
]
