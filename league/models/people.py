"""People who sign in."""

import unicodedata
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def fold_email(email: str) -> str:
    """Return the one spelling under which an e-mail address is kept, compared and counted at sign-in.

    Lower case comes last: a few scripts fold to capitals, which the database's own LOWER would not leave alone.
    """
    return unicodedata.normalize("NFKC", email.strip()).casefold().lower()


def sign_in_name(request: HttpRequest | None, credentials: dict[str, Any] | None) -> str | None:
    """Return the folded address of a sign-in attempt, so that spellings of one address share one lock-out count.

    Called by axes (AXES_USERNAME_CALLABLE). None: the attempt gave no address.
    """
    name = (credentials or {}).get("username")
    if name is None and request is not None:
        name = request.POST.get("username")
    return fold_email(name) if name is not None else None


class UserManager(BaseUserManager["User"]):
    """Makes and finds users by their folded e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Save and return a user. Without a password nobody can sign in as them until they set one.

        Raises ValueError when the address is empty, IntegrityError when it is taken.
        """
        if not email.strip():
            raise ValueError("a user needs an e-mail address")
        user = self.model(email=fold_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Save and return a user who may do everything (`manage.py createsuperuser`)."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user who signs in with this address, however it is capitalised. Raises User.DoesNotExist."""
        return self.get(email=fold_email(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """An account: signs in with an e-mail address, is shown by a display name."""

    email = models.EmailField(_("e-mail"), max_length=254, help_text=_("Kept private; used to sign in."))
    display_name = models.CharField(_("displayed name"), max_length=80)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("May open the administration pages."))
    may_organise = models.BooleanField(
        _("may make championships"), default=True, help_text=_("Not who only took over a player's profile.")
    )
    joined_at = models.DateTimeField(_("joined"), default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["display_name"]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = (
            models.UniqueConstraint(
                fields=["email"],
                name="league_user_email_unique",
                violation_error_message=_("This e-mail address already has an account."),
            ),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="league_user_email_folded"),
        )

    def __str__(self) -> str:
        return self.display_name

    def clean(self) -> None:
        """Fold the address that a form gave before it is checked and kept."""
        self.email = fold_email(self.email)

    def get_full_name(self) -> str:
        """Return the displayed name (Django's admin asks for it)."""
        return self.display_name

    def get_short_name(self) -> str:
        """Return the displayed name (Django's admin asks for it)."""
        return self.display_name
