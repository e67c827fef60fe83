"""Signing in and out, one's own account, a new password by the organiser's link."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.views.decorators.http import require_safe

from campaigns import access
from campaigns.forms.people import plain_passwords
from campaigns.forms.sign_in import SignInForm


class SignIn(auth.LoginView):
    """Username and password; paste and password managers work."""

    template_name = "pages/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


class SignOut(auth.LogoutView):
    """By POST only."""


class ChangePassword(auth.PasswordChangeView):
    """A new password for whoever knows the old one."""

    template_name = "pages/password.html"
    success_url = reverse_lazy("account")

    def get_form(self, form_class: Any = None) -> Any:
        return plain_passwords(super().get_form(form_class), "new_password1", "new_password2")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed.")
        return super().form_valid(form)


class ResetPassword(auth.PasswordResetConfirmView):
    """A new password for whoever holds the link an organiser made."""

    template_name = "pages/password_reset.html"
    success_url = reverse_lazy("home")
    post_reset_login = True

    def get_form(self, form_class: Any = None) -> Any:
        form = super().get_form(form_class)
        return plain_passwords(form, "new_password1", "new_password2")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your new password is set, and you are signed in.")
        return super().form_valid(form)


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Who I am here."""
    context = {"here": "account", "seats": access.seats_of(request.user)}
    return render(request, "pages/account.html", context)
