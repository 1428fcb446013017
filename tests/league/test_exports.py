"""Entries written as files, and read back."""

import io

import pytest
from openpyxl import load_workbook

from league.models import Championship, Club, Entry, Player, TeamMember
from league.selectors.exports import listed_entries
from league.selectors.imports import look_over, size_of_entries
from league.services.entries import enter_players, rename_team, withdraw
from league.services.exports import list_file
from league.services.imports import accept_list, keep_list
from league.services.list_reading import read_list
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PlayerFactory, owner_of

pytestmark = pytest.mark.django_db

ENDINGS = pytest.mark.parametrize("ending", ["csv", "xlsx"])
LANGUAGES = pytest.mark.parametrize("language", ["fr", "en", "eu", "es"])
SIZES = pytest.mark.parametrize("size", [1, 2])


def filled(size: int) -> Championship:
    """A championship with entries of every kind."""
    championship = ChampionshipFactory(players_per_team=size)
    actor = owner_of(championship)
    club = ClubFactory(name="L’Été; 36 “roues”")
    people = [
        PlayerFactory(name="Zoé Çelik", club=club, licence="12/07", email="zoe@example.org"),
        PlayerFactory(name="Bo Rouvre", email=""),
        PlayerFactory(name="Zoé Çelik", club=None, email="", licence=""),
        PlayerFactory(name="=SUM(A1)", email=""),
        PlayerFactory(name="Ed Petit", is_minor=True, shown_as="hidden", email=""),
        PlayerFactory(name='Flo "Flo", née Roy', email=""),
    ]
    for first in range(0, 6, size):
        ids = [player.pk for player in people[first : first + size]]
        enter_players(actor=actor, championship_id=championship.pk, player_ids=ids)
    rename_team(
        actor=actor,
        team_id=Entry.objects.get(championship=championship, number=2).team_id,
        version=None,
        name="Les Essieux",
    )
    withdraw(actor=actor, entry_id=Entry.objects.get(championship=championship, number=3).pk, reason="Ill")
    return championship


def written(championship: Championship, ending: str, language: str = "fr") -> bytes:
    """The export of a championship."""
    return list_file(
        listed=listed_entries(championship=championship),
        size=size_of_entries(championship),
        language=language,
        ending=ending,
    )


def seats(championship: Championship) -> list[tuple[object, ...]]:
    """Everything that the export tells, from the database."""
    columns = ("player__name", "player__club__name", "player__licence", "player__email", "player__is_minor")
    rows = TeamMember.objects.filter(team__championship=championship)
    return list(rows.order_by("team__entry__number", "position").values_list("team__entry__number", *columns))


@ENDINGS
@LANGUAGES
@SIZES
def test_imported_again_it_changes_nothing(ending: str, language: str, size: int) -> None:
    championship = filled(size)
    before = Player.objects.count(), Entry.objects.count(), Club.objects.count()
    found = keep_list(
        actor=owner_of(championship),
        championship_id=championship.pk,
        file_name=f"x.{ending}",
        body=written(championship, ending, language),
    )
    preview = look_over(championship=championship, found=found)
    assert [entry.kind for entry in preview.entries] == ["known"] * (6 // size)
    done = accept_list(actor=owner_of(championship), import_id=found.pk, seen=preview.digest)
    assert (done.outcome["entered"], done.outcome["made"]) == ([], 0)
    assert (Player.objects.count(), Entry.objects.count(), Club.objects.count()) == before


@ENDINGS
@SIZES
def test_imported_where_nothing_is_known_it_makes_everything_anew(ending: str, size: int) -> None:
    championship = filled(size)
    body, told = written(championship, ending), seats(championship)
    named = list(championship.entries.filter(team__is_named=True).values_list("number", "team__name"))
    Player.objects.update(name="Nobody", name_folded="nobody", licence="", email="")
    Club.objects.update(name="Nowhere", name_folded="nowhere")
    empty = ChampionshipFactory(players_per_team=size)
    found = keep_list(actor=owner_of(empty), championship_id=empty.pk, file_name="x", body=body)
    place = next(
        person.key
        for entry in look_over(championship=empty, found=found).entries
        for person in entry.people
        if person.is_open
    )
    answers = {place: "new"}  # the second Zoé Çelik
    seen = look_over(championship=empty, found=found).digest
    accept_list(actor=owner_of(empty), import_id=found.pk, seen=seen, answers=answers)
    assert seats(empty) == told
    assert list(empty.entries.filter(team__is_named=True).values_list("number", "team__name")) == named
    assert named == [(2, "Les Essieux")]


@pytest.mark.parametrize(("language", "parting"), [("fr", ";"), ("en", ",")])
def test_a_csv_is_written_as_excel_reads_it_in_the_language(language: str, parting: str) -> None:
    championship = ChampionshipFactory()
    EntryFactory(championship=championship)
    body = written(championship, "csv", language)
    assert body.startswith(b"\xef\xbb\xbf")
    first = body.decode("utf-8-sig").split("\r\n")[0]
    titles = {
        "fr": ["Numéro", "Équipe", "Nom", "Club", "Licence", "E-mail", "Mineur"],
        "en": ["Number", "Team", "Name", "Club", "Licence", "E-mail", "Minor"],
    }
    assert first.split(parting) == titles[language]


@pytest.mark.parametrize("name", ["=1+1", "+33 6", "-1", "@SUM(A1)"])
def test_no_name_becomes_a_formula(name: str) -> None:
    championship = ChampionshipFactory()
    enter_players(
        actor=owner_of(championship), championship_id=championship.pk, player_ids=[PlayerFactory(name=name).pk]
    )
    assert f";'{name};" in written(championship, "csv").decode("utf-8-sig")
    sheet = load_workbook(io.BytesIO(written(championship, "xlsx"))).worksheets[0]
    assert (sheet["C2"].data_type, sheet["C2"].value) == ("s", f"'{name}")
    for ending in ("csv", "xlsx"):
        (entry,) = read_list(written(championship, ending), size=1).entries
        assert entry.players[0].name == name


def test_of_nobody_only_the_titles_are_written() -> None:
    assert written(ChampionshipFactory(), "csv").count(b"\r\n") == 1
