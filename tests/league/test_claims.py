"""Taking a profile over by a link or a code: once, for a while, by one account; wrong codes are counted."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.errors import Conflict, Faults, NotFound, UserFault
from league.models import AuditEntry, Player, ProfileClaim, User
from league.policy import ANYBODY, Action, Actor, may
from league.services.accounts import accept_invitation, invite
from league.services.claims import (
    MOST_WRONG,
    claim_by_code,
    claim_by_link,
    leave_profile,
    make_claim_code,
    send_claim_link,
    waiting_claim,
)
from tests.factories import ChampionshipFactory, PlayerFactory, UserFactory, owner_of

pytestmark = pytest.mark.django_db

NEW = {"display_name": "Zoé", "password": "a phrase that nobody guesses"}


@pytest.fixture
def player() -> Player:
    """One with a private address."""
    return PlayerFactory(name="Zoé Çelik", email="Zoe@Example.org")


@pytest.fixture
def sent(player: Player, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any) -> str:
    """The token of a link that was sent."""
    with django_capture_on_commit_callbacks(execute=True):
        send_claim_link(actor=ANYBODY, player_id=player.pk, link=lambda token: f"https://x/claim/{token}/")
    assert mailoutbox[0].to == ["Zoe@Example.org"]
    return mailoutbox[0].body.partition("/claim/")[2].partition("/")[0]


class TestLinks:
    """A link to the private address."""

    def test_makes_an_account_of_the_address_which_may_make_no_championship(self, player: Player, sent: str) -> None:
        taken = claim_by_link(actor=ANYBODY, token=sent, **NEW)
        assert taken.pk == player.pk
        user = User.objects.get(player=player)
        assert (user.email, user.display_name, user.check_password(NEW["password"])) == ("zoe@example.org", "Zoé", True)
        assert not may(Actor(user=user), Action.CREATE)

    def test_is_taken_by_the_account_that_is_signed_in(self, player: Player, sent: str) -> None:
        user = UserFactory()
        assert claim_by_link(actor=Actor(user=user), token=sent).user == user
        assert may(Actor(user=user), Action.CREATE), "as before"

    def test_is_good_once(self, sent: str) -> None:
        claim_by_link(actor=Actor(user=UserFactory()), token=sent)
        with pytest.raises(NotFound):
            claim_by_link(actor=Actor(user=UserFactory()), token=sent)

    def test_ends_after_three_days(self, sent: str) -> None:
        old = timezone.now() - timedelta(days=4)
        ProfileClaim.objects.update(created_at=old, expires_at=old + timedelta(days=3))
        with pytest.raises(NotFound):
            waiting_claim(sent)

    def test_is_not_sent_again_at_once_and_ends_the_one_before_later(
        self, player: Player, sent: str, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
    ) -> None:
        def again() -> None:
            with django_capture_on_commit_callbacks(execute=True):
                send_claim_link(actor=ANYBODY, player_id=player.pk, link=str)

        again()
        assert len(mailoutbox) == 1
        assert waiting_claim(sent).player_id == player.pk
        ProfileClaim.objects.update(created_at=timezone.now() - timedelta(hours=1))
        again()
        assert len(mailoutbox) == 2
        with pytest.raises(NotFound):
            waiting_claim(sent)

    def test_an_address_that_has_an_account_signs_in_first(self, sent: str) -> None:
        UserFactory(email="zoe@example.org")
        with pytest.raises(Conflict, match="sign-in-first"):
            claim_by_link(actor=ANYBODY, token=sent, **NEW)

    def test_without_an_address_there_is_none(self) -> None:
        with pytest.raises(Conflict, match="no-address"):
            send_claim_link(actor=ANYBODY, player_id=PlayerFactory(email="").pk, link=str)

    def test_a_weak_password_takes_nothing(self, player: Player, sent: str) -> None:
        with pytest.raises(UserFault, match="weak-password"):
            claim_by_link(actor=ANYBODY, token=sent, display_name="Zoé", password="12345678")
        player.refresh_from_db()
        assert player.user is None
        assert waiting_claim(sent).player_id == player.pk

    def test_one_account_has_one_profile(self, sent: str) -> None:
        user = UserFactory()
        PlayerFactory(user=user)
        with pytest.raises(Conflict, match="has-a-profile"):
            claim_by_link(actor=Actor(user=user), token=sent)

    def test_one_profile_has_one_account(self, player: Player, sent: str) -> None:
        Player.objects.filter(pk=player.pk).update(user=UserFactory())
        with pytest.raises(Conflict, match="claimed-already"):
            claim_by_link(actor=Actor(user=UserFactory()), token=sent)
        with pytest.raises(Conflict, match="claimed-already"):
            make_claim_code(actor=ANYBODY, player_id=player.pk)


class TestCodes:
    """A code from an organiser's hand."""

    def test_is_short_and_has_no_sign_that_is_taken_for_another(self, player: Player) -> None:
        for _turn in range(30):
            number, *signs = make_claim_code(actor=ANYBODY, player_id=player.pk).split("-")
            assert (number, [len(part) for part in signs]) == (str(player.pk), [4, 4])
            assert not set("".join(signs)) & set("01OIL")

    def test_is_read_with_blanks_and_small_letters(self, player: Player) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        user = UserFactory()
        assert claim_by_code(actor=Actor(user=user), code=f" {code.lower().replace('-', ' - ')} ").user == user

    def test_makes_an_account(self, player: Player) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        taken = claim_by_code(actor=ANYBODY, code=code, email="Other@Example.org", **NEW)
        assert taken.user is not None
        assert taken.user.email == "other@example.org"

    def test_a_new_one_ends_the_one_before(self, player: Player) -> None:
        first = make_claim_code(actor=ANYBODY, player_id=player.pk)
        make_claim_code(actor=ANYBODY, player_id=player.pk)
        with pytest.raises(UserFault, match="wrong-code"):
            claim_by_code(actor=Actor(user=UserFactory()), code=first)

    @pytest.mark.parametrize("code", ["", "-", "abc", "99999999-AAAA-BBBB", "١-AAAA-BBBB", "9" * 40])
    def test_what_is_no_code_is_wrong(self, code: str) -> None:
        with pytest.raises(UserFault, match="wrong-code"):
            claim_by_code(actor=Actor(user=UserFactory()), code=code)

    def test_ten_wrong_ones_end_it(self, player: Player) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        user = UserFactory()
        for _try in range(MOST_WRONG):
            with pytest.raises(UserFault, match="wrong-code"):
                claim_by_code(actor=Actor(user=user), code=f"{player.pk}-AAAA-AAAA")
        with pytest.raises(UserFault, match="wrong-code"):
            claim_by_code(actor=Actor(user=user), code=code)
        fresh = make_claim_code(actor=ANYBODY, player_id=player.pk)
        assert claim_by_code(actor=Actor(user=user), code=fresh).user == user

    def test_wrong_ones_for_somebody_else_do_not(self, player: Player) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        other = PlayerFactory()
        make_claim_code(actor=ANYBODY, player_id=other.pk)
        for _try in range(MOST_WRONG):
            with pytest.raises(UserFault, match="wrong-code"):
                claim_by_code(actor=ANYBODY, code=f"{other.pk}-AAAA-AAAA")
        assert claim_by_code(actor=Actor(user=UserFactory()), code=code).pk == player.pk

    def test_a_wrong_account_is_no_wrong_code(self, player: Player) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        with pytest.raises(Faults):
            claim_by_code(actor=ANYBODY, code=code, email="no address", display_name="", password="x")
        assert ProfileClaim.objects.get().attempts == 0
        assert User.objects.count() == 0

    def test_is_kept_nowhere(self, player: Player) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        kept = str(list(ProfileClaim.objects.values())) + str(list(AuditEntry.objects.values()))
        assert code not in kept
        assert code.replace("-", "") not in kept


def test_what_is_done_stands_in_the_audit_without_an_address(player: Player, sent: str) -> None:
    claim_by_link(actor=ANYBODY, token=sent, **NEW)
    user = User.objects.get()
    leave_profile(actor=Actor(user=user))
    told = list(AuditEntry.objects.filter(object_type="player").order_by("pk").values_list("action", "user"))
    assert told == [("send_claim_link", None), ("claim_profile", user.pk), ("leave_profile", user.pk)]
    assert "example" not in str(list(AuditEntry.objects.values_list("before", "after"))).lower()


def test_who_leaves_a_profile_can_take_it_over_again(player: Player) -> None:
    user = UserFactory()
    claim_by_code(actor=Actor(user=user), code=make_claim_code(actor=ANYBODY, player_id=player.pk))
    assert leave_profile(actor=Actor(user=user)).user is None
    with pytest.raises(NotFound):
        leave_profile(actor=Actor(user=user))
    assert claim_by_code(actor=Actor(user=user), code=make_claim_code(actor=ANYBODY, player_id=player.pk)).user == user


def test_a_players_account_that_is_invited_to_organise_may_make_championships(player: Player, sent: str) -> None:
    claim_by_link(actor=ANYBODY, token=sent, **NEW)
    user = User.objects.get()
    championship = ChampionshipFactory()
    actor = owner_of(championship)
    _asked, token = invite(actor=actor, championship_id=championship.pk, email=user.email, link=str)
    accept_invitation(actor=Actor(user=user), token=token)
    assert may(Actor(user=User.objects.get(pk=user.pk)), Action.CREATE)
