"""Signing in and out, and a forgotten password."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import (
    LoginView,
    LogoutView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from league.errors import UserFault
from league.models import User
from league.policy import Actor
from league.services.accounts import needs_first_account
from league.services.profile import set_password
from league.visitor import address_of
from league.web.accounts.forms import ForgottenForm, NewPasswordForm, SignInForm
from league.web.organiser.asked import actor_of
from league.web.throttle import wait_for

MAILS, SECONDS = 5, 900
"""Mails that one visitor may ask for in a stretch of seconds."""

BACKEND = "django.contrib.auth.backends.ModelBackend"
"""The backend that finds users; the other one only counts failures."""


class SignIn(LoginView):
    """Sign in with address and password, then go where one was going; the dashboard otherwise.

    With no account at all there is nobody to sign in as: the first one is made instead.
    """

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    next_page = "organise"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Send the very first visitor to the first account."""
        if not request.user.is_authenticated and needs_first_account():
            return redirect("first-account")
        return super().dispatch(request, *args, **kwargs)


class SignOut(LogoutView):
    """Sign out; by POST only, so that no link of a stranger does it."""

    next_page = "home"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign out and say so."""
        answer = super().post(request, *args, **kwargs)
        messages.success(request, _("You are signed out."))
        return answer


class Forgotten(PasswordResetView):
    """Ask for a link by mail. The answer is the same whether the address has an account or not."""

    template_name = "accounts/forgotten.html"
    form_class = ForgottenForm
    email_template_name = "accounts/forgotten_mail.txt"
    subject_template_name = "accounts/forgotten_subject.txt"
    success_url = reverse_lazy("forgotten-sent")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Send at most a few mails for one visitor: nobody's letter box is filled from here."""
        if wait := wait_for("forgotten", address_of(request), most=MAILS, seconds=SECONDS):
            answer = render(request, "429.html", status=429)
            answer.headers["Retry-After"] = str(wait)
            return answer
        return super().post(request, *args, **kwargs)


class NewPassword(PasswordResetConfirmView):
    """The page that the mail leads to: choose a new password, and be signed in."""

    template_name = "accounts/new_password.html"
    form_class = NewPasswordForm  # type: ignore[assignment]

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:  # type: ignore[override]
        """Set the password through the service, which writes the audit."""
        asked = actor_of(self.request)
        actor = Actor(user=form.user, ip=asked.ip, request_id=asked.request_id)
        try:
            user = set_password(actor=actor, password=form.cleaned_data["password"])
        except UserFault as fault:
            form.lay_fault(fault)
            return self.form_invalid(form)  # type: ignore[arg-type]
        self.request.session.pop("_password_reset_token", None)
        welcome(self.request, user)
        messages.success(self.request, _("Your new password is set. You are signed in."))
        return redirect("organise")


def welcome(request: HttpRequest, user: User) -> None:
    """Sign somebody in who has just proved, otherwise than by a password, who they are."""
    login(request, user, backend=BACKEND)


sign_in = sensitive_post_parameters()(SignIn.as_view())
sign_out = SignOut.as_view()
forgotten = Forgotten.as_view()
new_password = NewPassword.as_view()
