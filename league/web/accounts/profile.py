"""One's own account: name, address, language, password."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, translate_url
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from league.errors import UserFault
from league.services.profile import change_profile, set_password
from league.web.accounts.forms import ChangePasswordForm, ProfileForm
from league.web.organiser.asked import Asked, for_organisers


@sensitive_post_parameters()
@for_organisers
def profile(request: Asked) -> HttpResponse:
    """Change one's name, address and language."""
    user = request.user
    present = {"display_name": user.display_name, "email": user.email, "language": get_language()}
    form = ProfileForm(user, request.POST or None, initial=present)
    if form.is_valid():
        said = form.cleaned_data
        try:
            change_profile(actor=request.actor, display_name=said["display_name"], email=said["email"])
        except UserFault as fault:
            form.lay_fault(fault)
        else:
            return _in_language(request, said["language"])
    return render(request, "accounts/profile.html", {"form": form}, status=422 if form.errors else 200)


def _in_language(request: Asked, language: str) -> HttpResponse:
    """Back to the page in the language chosen, which the browser keeps for the addresses that name none."""
    with override(language):
        messages.success(request, _("Saved."))
    answer = redirect(translate_url(reverse("profile"), language))
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=365 * 24 * 3600,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return answer


@sensitive_post_parameters()
@for_organisers
def password(request: Asked) -> HttpResponse:
    """Change one's password; other browsers are signed out by it, this one is not."""
    form = ChangePasswordForm(request.user, request.POST or None)
    if form.is_valid():
        try:
            user = set_password(actor=request.actor, password=form.cleaned_data["password"])
        except UserFault as fault:
            form.lay_fault(fault)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("Your password is changed."))
            return redirect("profile")
    return render(request, "accounts/password.html", {"form": form}, status=422 if form.errors else 200)
