"""The forms of accounts. Checks of names, addresses and passwords are the services' own."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.utils.translation import gettext_lazy as _

from league.errors import UserFault
from league.models import User
from league.models.people import fold_email


def _email(**kwargs: Any) -> forms.EmailField:
    widget = forms.EmailInput(attrs={"autocomplete": "email", "autocapitalize": "none", "spellcheck": "false"})
    return forms.EmailField(label=_("E-mail"), max_length=254, widget=widget, **kwargs)


def _name() -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "name"})
    return forms.CharField(label=_("Your name"), max_length=80, widget=widget, help_text=_("Shown with what you do."))


def _new_password(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 8 characters, and not a common word."),
    )


def _present_password(label: Any, **kwargs: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
    return forms.CharField(label=label, strip=False, widget=widget, **kwargs)


class AccountForm(forms.Form):
    """A form whose faults come from a service."""

    def lay_fault(self, fault: UserFault) -> None:
        """Show every fault at its field, or above the form where it is about none."""
        for each in fault.faults:
            self.add_error(each.field if each.field in self.fields else None, str(each.message))


class FirstAccountForm(AccountForm):
    """Who makes the first account."""

    display_name = _name()
    email = _email(help_text=_("You sign in with it. Nobody sees it but other organisers of your championships."))
    password = _new_password(_("Password"))


class SignInForm(AuthenticationForm):
    """Address and password. The field is called `username`, as Django and the lock-out expect."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = _email()
        self.fields["username"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].label = _("Password")
        wrong = _("This e-mail address and password do not go together. Both can be mistyped.")
        self.error_messages = {"invalid_login": wrong, "inactive": _("This account is closed.")}
        self.order_fields(["username", "password"])

    def clean_username(self) -> str:
        """The address as accounts are kept under it."""
        return fold_email(self.cleaned_data["username"])


class ForgottenForm(PasswordResetForm):
    """Whom to send a link to. Also for an account that was made without a password."""

    email = _email()

    def clean_email(self) -> str:
        """The address as accounts are kept under it."""
        return fold_email(self.cleaned_data["email"])

    def get_users(self, email: str) -> Iterator[User]:
        """The account that gets the mail: one, or none; whether it had a password before does not matter."""
        yield from User.objects.filter(email=email, is_active=True)


class NewPasswordForm(AccountForm):
    """A new password for somebody who proved by mail who they are."""

    password = _new_password(_("New password"))

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user


class ChangePasswordForm(NewPasswordForm):
    """A new password for somebody who is signed in."""

    old_password = _present_password(_("Present password"))
    field_order = ("old_password", "password")

    def clean_old_password(self) -> str:
        """Refuse whoever found the page open."""
        return _checked(self.user, self.cleaned_data["old_password"])


class ProfileForm(AccountForm):
    """One's own name, address and language."""

    display_name = _name()
    email = _email()
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    present_password = _present_password(
        _("Present password"), required=False, help_text=_("Only to change the e-mail address.")
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        """Ask for the password where the address that signs in is to change."""
        said = super().clean() or self.cleaned_data
        if fold_email(said.get("email", "")) != self.user.email and "email" in said:
            try:
                _checked(self.user, said.get("present_password", ""))
            except forms.ValidationError as error:
                self.add_error("present_password", error)
        return said


class InvitedForm(AccountForm):
    """An account for somebody who was invited and has none."""

    display_name = _name()
    password = _new_password(_("Password"))


def _checked(user: User, password: str) -> str:
    if not user.check_password(password):
        raise forms.ValidationError(_("This is not your present password."))
    return password
