"""Who may do what: the table of rights, held cell by cell."""

from typing import Any

import pytest

from league.errors import NotFound, NotPermitted
from league.models import Championship, Membership
from league.policy import ANYBODY, Action, Actor, SideOfTable, may, require
from league.selectors.addresses import championship_at, manche_at, partie_at
from league.services.tokens import create_token
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, owner_of

pytestmark = pytest.mark.django_db

EVERY = set(Action) - {Action.CREATE}
RUNS = EVERY - {Action.CHANGE, Action.INVITE}


def rights(actor: Actor, championship: Championship) -> set[Action]:
    return {action for action in EVERY if may(actor, action, championship)}


def organiser_of(championship: Championship, role: str = "organiser", tables: tuple[int, ...] = ()) -> Actor:
    user = UserFactory()
    Membership.objects.create(user=user, championship=championship, role=role, tables=list(tables))
    return Actor(user=user)


def with_token(actor: Actor, *scopes: str, championship: Championship | None = None) -> Actor:
    assert actor.user is not None
    token, _text = create_token(actor=actor, user=actor.user, name="Hall", scopes=scopes, championship=championship)
    return Actor(user=actor.user, token=token)


class TestRoles:
    """Only an organiser of that championship writes to it."""

    def test_an_owner_may_do_everything(self) -> None:
        championship = ChampionshipFactory()
        assert rights(owner_of(championship), championship) == EVERY

    def test_an_organiser_runs_it_but_does_not_change_it_nor_choose_who_does(self) -> None:
        championship = ChampionshipFactory()
        assert rights(organiser_of(championship), championship) == RUNS

    @pytest.mark.parametrize(
        ("role", "given"),
        [
            ("referee", {Action.SEE, Action.LOOK_INSIDE, Action.HAND_IN, Action.CORRECT, Action.SETTLE}),
            ("scorer", {Action.SEE, Action.HAND_IN}),
            ("auditor", {Action.SEE, Action.LOOK_INSIDE}),
        ],
    )
    def test_a_helper_of_the_day_has_a_part_of_it(self, role: str, given: set[Action]) -> None:
        championship = ChampionshipFactory(visibility="draft")
        assert rights(organiser_of(championship, role), championship) == given

    def test_a_table_scorer_enters_at_the_tables_given_only(self) -> None:
        partie = PartieFactory(table_number=3)
        here = organiser_of(partie.championship, "scorer", (3, 4))
        elsewhere = organiser_of(partie.championship, "scorer", (4,))
        assert may(here, Action.HAND_IN, partie.championship, partie)
        assert not may(here, Action.CORRECT, partie.championship, partie)
        assert not may(elsewhere, Action.HAND_IN, partie.championship, partie)
        for actor in (here, elsewhere):  # the tables come along with the row that the address names
            found = partie_at(Actor(user=actor.user), partie.championship.slug, partie.number)
            asked = Actor(user=actor.user)
            assert may(asked, Action.HAND_IN, found.championship, found) is (actor is here)

    def test_the_link_of_a_table_is_good_for_entering_there_and_for_nothing_else(self) -> None:
        partie, other = PartieFactory(championship__visibility="draft"), PartieFactory()
        championship = partie.championship
        holder = Actor(at=SideOfTable(championship.pk, partie.pk, partie.number, "A"))
        assert rights(holder, championship) == {Action.SEE, Action.HAND_IN}
        assert may(holder, Action.HAND_IN, championship, partie)
        assert not may(holder, Action.HAND_IN, championship, PartieFactory(championship=championship))
        assert rights(holder, other.championship) == {Action.SEE}  # which is public
        assert not may(holder, Action.HAND_IN, other.championship, other)

    @pytest.mark.parametrize(
        ("visibility", "seen"), [("draft", set()), ("unlisted", {Action.SEE}), ("public", {Action.SEE})]
    )
    def test_everybody_else_sees_what_is_no_draft(self, visibility: str, seen: set[Action]) -> None:
        championship = ChampionshipFactory(visibility=visibility)
        for actor in (ANYBODY, Actor(user=UserFactory()), owner_of(ChampionshipFactory())):
            assert rights(actor, championship) == seen

    def test_staff_look_inside_and_do_not_write(self) -> None:
        championship = ChampionshipFactory(visibility="draft")
        assert rights(Actor(user=UserFactory(is_staff=True)), championship) == {Action.SEE, Action.LOOK_INSIDE}

    def test_who_was_shut_out_is_like_anybody(self) -> None:
        championship = ChampionshipFactory(visibility="draft")
        user = championship.created_by
        user.is_active = False
        assert rights(Actor(user=user), championship) == set()

    def test_championships_are_made_by_who_has_an_account(self) -> None:
        assert may(Actor(user=UserFactory()), Action.CREATE)
        assert not may(ANYBODY, Action.CREATE)


class TestTokens:
    """A token never gives more than its user has, nor more than its scopes."""

    @pytest.mark.parametrize(
        ("scopes", "given"),
        [
            (["read"], {Action.SEE, Action.LOOK_INSIDE}),
            (["hand_in"], {Action.SEE, Action.HAND_IN, Action.CORRECT}),
            (["read", "hand_in", "manage"], EVERY),
        ],
    )
    def test_scopes_limit_an_owner(self, scopes: list[str], given: set[Action]) -> None:
        championship = ChampionshipFactory()
        assert rights(with_token(owner_of(championship), *scopes), championship) == given

    def test_a_token_bound_to_another_championship_is_like_anybody(self) -> None:
        championship = ChampionshipFactory()
        actor = owner_of(championship)
        elsewhere = with_token(actor, "read", "hand_in", "manage", championship=ChampionshipFactory())
        assert rights(elsewhere, championship) == {Action.SEE}
        assert rights(with_token(actor, "hand_in", championship=championship), championship) >= {Action.HAND_IN}

    def test_it_gives_nothing_that_its_user_lost(self) -> None:
        championship = ChampionshipFactory()
        actor = with_token(owner_of(championship), "hand_in")
        Membership.objects.all().delete()
        assert not may(actor, Action.HAND_IN, championship)


class TestRequire:
    """What is answered to who may not."""

    def test_what_may_not_be_known_is_not_found(self) -> None:
        draft = ChampionshipFactory(visibility="draft")
        for action in EVERY:
            with pytest.raises(NotFound):
                require(ANYBODY, action, draft)

    def test_what_is_seen_and_not_allowed_is_not_permitted(self) -> None:
        championship = ChampionshipFactory()
        for action in EVERY - {Action.SEE}:
            with pytest.raises(NotPermitted) as fault:
                require(ANYBODY, action, championship)
            assert fault.value.status == 403

    def test_making_a_championship_needs_an_account(self) -> None:
        with pytest.raises(NotPermitted):
            require(ANYBODY, Action.CREATE)

    @pytest.mark.parametrize(
        "find",
        [
            lambda actor, slug: championship_at(actor, slug),
            lambda actor, slug: partie_at(actor, slug, 1),
            lambda actor, slug: manche_at(actor, slug, 1, 1),
        ],
    )
    def test_the_address_of_a_draft_is_none_for_others(self, find: Any) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(visibility="draft"))
        slug = partie.championship.slug
        assert find(owner_of(partie.championship), slug)
        for actor in (ANYBODY, Actor(user=UserFactory())):
            with pytest.raises(NotFound):
                find(actor, slug)
