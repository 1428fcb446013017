"""The administration pages, for staff: everything to read, little to change, and that through the services.

Nothing is added, edited or deleted here. Three actions exist: accounts are closed and opened again, tokens revoked,
live rankings renewed.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.contrib import admin, messages
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.db.models import Model, QuerySet, URLField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.errors import UserFault
from league.models import (
    ApiToken,
    Attempt,
    AuditEntry,
    Bye,
    Championship,
    Club,
    Delivery,
    Entry,
    Invitation,
    LiveRow,
    MailAddress,
    Manche,
    Membership,
    Partie,
    Player,
    PublishedRanking,
    Result,
    ResultEvent,
    ResultScore,
    Seat,
    Team,
    User,
    Webhook,
)
from league.policy import Actor
from league.services.accounts import open_or_close_account
from league.services.mail_addresses import revoke_mail_address
from league.services.renewal import renew_live_ranking
from league.services.tokens import revoke_token
from league.visitor import address_of

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
    _TabularInline = admin.TabularInline[Any, Any]
else:  # generic for the type checker only
    _ModelAdmin, _TabularInline = admin.ModelAdmin, admin.TabularInline

M = TypeVar("M", bound=Model)

# Importing auth's own pages first has them registered; groups give nobody a right here (league.policy does).
assert auth_admin
admin.site.unregister(Group)


class OnlyStaff:
    """Staff may look at everything; whoever has a form here could pass by the services, so nobody has."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the app is listed."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Whether rows may be read."""
        return bool(request.user.is_active and getattr(request.user, "is_staff", False))

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


class ReadOnly(OnlyStaff, _ModelAdmin):
    """A model to read."""

    show_full_result_count = False

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """The model's own actions; to delete is none."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def done(self, request: HttpRequest, rows: QuerySet[M], do: Callable[[Actor, M], object]) -> None:
        """Let a service do something to each row, and say for how many it did, and why not for the others."""
        assert isinstance(request.user, User)
        actor = Actor(user=request.user, ip=address_of(request), request_id=getattr(request, "request_id", ""))
        count = 0
        for row in rows:
            try:
                do(actor, row)
                count += 1
            except UserFault as fault:
                told = _("%(name)s: %(value)s") % {"name": row, "value": fault.message}
                self.message_user(request, told, messages.ERROR)
        if count:
            self.message_user(request, _("Done for %(count)s.") % {"count": count}, messages.SUCCESS)


class Rows(OnlyStaff, _TabularInline):
    """Rows of another model to read, below the one that they belong to."""

    extra = 0
    can_delete = False
    show_change_link = True


class SeatRows(Rows):
    """Who sits at a partie."""

    model = Seat
    fields = ("label", "entry", "forfeited_at", "forfeit_reason")


class MancheRows(Rows):
    """The manches of a partie."""

    model = Manche
    fields = ("number", "voided_at", "void_reason")


class ScoreRows(Rows):
    """What each entry had."""

    model = ResultScore
    fields = ("seat", "points", "penalty", "penalty_reason", "km", "coups_fourres", "won", "lines")


class MembershipRows(Rows):
    """Who runs a championship."""

    model = Membership
    fields = ("user", "role", "since")


@admin.register(User)
class UserAdmin(ReadOnly):
    """Accounts. The password's digest is not shown."""

    list_display = ("email", "display_name", "is_active", "may_organise", "is_staff", "joined_at", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "display_name")
    fields = (
        *("email", "display_name", "is_active", "may_organise", "is_staff", "is_superuser"),
        *("joined_at", "last_login"),
    )
    actions = (
        "close_accounts",
        "open_accounts",
    )

    @admin.action(description=_("Close these accounts"))
    def close_accounts(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Let them sign in no more."""
        self.done(request, rows, lambda by, user: open_or_close_account(actor=by, user_id=user.pk, is_open=False))

    @admin.action(description=_("Open these accounts again"))
    def open_accounts(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Let them sign in again."""
        self.done(request, rows, lambda by, user: open_or_close_account(actor=by, user_id=user.pk, is_open=True))


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly):
    """Tokens. Their secrets are known to nobody."""

    list_display = ("name", "prefix", "user", "championship", "expires_at", "revoked_at", "last_used_at")
    list_select_related = ("user", "championship")
    search_fields = ("name", "prefix", "user__email")
    actions = ("revoke",)

    @admin.action(description=_("Revoke these tokens"))
    def revoke(self, request: HttpRequest, rows: QuerySet[ApiToken]) -> None:
        """Make them worthless, for good."""
        self.done(request, rows, lambda by, token: revoke_token(actor=by, token_id=token.pk))


@admin.register(MailAddress)
class MailAddressAdmin(ReadOnly):
    """Addresses for results by mail. Their secrets are known to nobody."""

    list_display = ("name", "user", "championship", "created_at", "revoked_at", "last_used_at")
    list_select_related = ("user", "championship")
    search_fields = ("name", "user__email", "championship__slug")
    actions = ("revoke",)

    @admin.action(description=_("Revoke these addresses"))
    def revoke(self, request: HttpRequest, rows: QuerySet[MailAddress]) -> None:
        """Let nothing come in by them any more."""
        self.done(request, rows, lambda by, one: revoke_mail_address(actor=by, address_id=one.pk))


@admin.register(Championship)
class ChampionshipAdmin(ReadOnly):
    """Championships. The secret is not shown here either."""

    list_display = ("name", "slug", "club", "rulebook", "visibility", "status", "ranking_due_since")
    list_filter = ("visibility", "status", "rulebook")
    list_select_related = ("club",)
    search_fields = ("name", "slug")
    inlines = (MembershipRows,)
    actions = ("renew",)

    @admin.action(description=_("Renew the live ranking now"))
    def renew(self, request: HttpRequest, rows: QuerySet[Championship]) -> None:
        """Do what the sweep would do."""
        self.done(request, rows, lambda _by, row: renew_live_ranking(championship_id=row.pk))


@admin.register(Club)
class ClubAdmin(ReadOnly):
    """Clubs."""

    list_display = ("name", "slug", "created_at")
    search_fields = ("name_folded",)


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Players, with their private addresses."""

    list_display = ("name", "club", "licence", "email", "created_at")
    list_select_related = ("club",)
    search_fields = ("name_folded", "licence")


@admin.register(Team)
class TeamAdmin(ReadOnly):
    """Teams."""

    list_display = ("name", "championship")
    list_select_related = ("championship",)
    search_fields = ("name_folded",)


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """Entries."""

    list_display = ("number", "team", "championship", "withdrawn_at", "penalty")
    list_select_related = ("team", "championship")
    search_fields = ("team__name_folded",)


@admin.register(Partie)
class PartieAdmin(ReadOnly):
    """Parties with their seats and manches."""

    list_display = ("number", "championship", "round", "table_number", "status", "closed_how", "closed_at")
    list_filter = ("status", "closed_how")
    list_select_related = ("championship",)
    inlines = (SeatRows, MancheRows)


@admin.register(Result)
class ResultAdmin(ReadOnly):
    """Results in all their versions."""

    list_display = ("manche", "version", "kind", "state", "claim_ok", "by", "at")
    list_filter = ("state", "kind", "claim_ok")
    list_select_related = ("manche__partie__championship", "by")
    inlines = (ScoreRows,)


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    """Refused documents."""

    list_display = ("partie", "number", "code", "by", "at")
    list_filter = ("code",)
    list_select_related = ("partie__championship", "by")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """Who did what."""

    list_display = ("at", "user", "token", "action", "championship", "object_type", "object_id", "reason")
    list_filter = ("action",)
    list_select_related = ("user", "token", "championship")
    search_fields = ("request_id", "user__email", "reason")
    date_hierarchy = "at"


@admin.register(ResultEvent)
class ResultEventAdmin(ReadOnly):
    """The journals of results."""

    list_display = ("championship", "position", "what", "partie", "manche", "entry", "reason", "at")
    list_filter = ("what",)
    list_select_related = ("championship", "partie__championship", "manche__partie__championship", "entry__team")


@admin.register(PublishedRanking)
class PublishedRankingAdmin(ReadOnly):
    """Published versions."""

    list_display = ("championship", "number", "label", "round", "journal_position", "by", "at")
    list_select_related = ("championship", "by")


@admin.register(LiveRow)
class LiveRowAdmin(ReadOnly):
    """Live rankings."""

    list_display = ("championship", "position", "rank", "entry", "standing")
    list_select_related = ("championship", "entry__team")


@admin.register(Bye)
class ByeAdmin(ReadOnly):
    """Byes."""

    list_display = ("championship", "round", "entry")
    list_select_related = ("championship", "entry__team")


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    """Invitations; their links are known to who got them only."""

    list_display = ("email", "championship", "role", "invited_by", "created_at", "expires_at", "accepted_at")
    list_select_related = ("championship", "invited_by")


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    """Webhooks. Their secrets are not shown here."""

    list_display = ("url", "championship", "state", "created_by", "created_at", "removed_at")
    list_filter = ("state",)
    list_select_related = ("championship", "created_by")
    search_fields = ("url", "championship__name", "championship__slug")
    formfield_overrides: ClassVar = {URLField: {"assume_scheme": "https"}}  # Django asks for it, even to show one


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    """What was sent to webhooks, and what was answered."""

    list_display = ("message_id", "webhook", "state", "status", "error", "tries", "created_at", "next_at")
    list_filter = ("state",)
    list_select_related = ("webhook",)
    search_fields = ("message_id", "webhook__url")
