"""Files with lists, as spreadsheets and people write them."""

import io
import zipfile
from typing import Any

import pytest
from openpyxl import Workbook

from league.errors import UserFault
from league.services.list_columns import column_of, columns_of_lists, titles
from league.services.list_reading import fault_in_words, read_list


def people(body: bytes, size: int = 1) -> list[list[str]]:
    """The names on a list, by entry."""
    return [[player.name for player in entry.players] for entry in read_list(body, size=size).entries]


def refusal(body: bytes, size: int = 1) -> str:
    """The code with which a file is refused."""
    with pytest.raises(UserFault) as fault:
        read_list(body, size=size)
    assert str(fault.value.message)
    return fault.value.code


def faults(text: str, size: int = 1) -> list[tuple[int, str]]:
    """The line and the code of all that is wrong with lines."""
    return [(fault[0], fault[1]) for entry in read_list(text.encode(), size=size).entries for fault in entry.faults]


def workbook(*rows: list[Any], **sheets: list[list[Any]]) -> bytes:
    """An XLSX with these rows in its first sheet."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for title, more in sheets.items():
        sheet = book.create_sheet(title)
        for row in more:
            sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    @pytest.mark.parametrize("parting", [";", ",", "\t"])
    def test_accents_are_read_in_every_encoding_and_with_every_sign_between_cells(
        self, encoding: str, parting: str
    ) -> None:
        text = f"Prénom{parting}Nom{parting}Club\r\nZoé{parting}Çelik{parting}Été 36\r\n"
        (entry,) = read_list(text.encode(encoding), size=1).entries
        assert (entry.players[0].name, entry.players[0].club) == ("Zoé Çelik", "Été 36")

    def test_windows_own_signs_are_read(self) -> None:
        assert people("Nom\nD’Œuvre\n".encode("cp1252")) == [["D’Œuvre"]]

    def test_bytes_that_are_letters_nowhere_are_refused(self) -> None:
        assert refusal(b"Nom\n\x81\x8d\n") == "unknown-encoding"


class TestCsv:
    def test_quoted_cells_hold_signs_line_ends_and_quotation_marks(self) -> None:
        body = 'name;club\n"Zoé ""Zo"" Roy";"A; B"\n"Ana\nBo";C\nCy;D\n'.encode()
        entries = read_list(body, size=1).entries
        assert [entry.players[0].name for entry in entries] == ['Zoé "Zo" Roy', "Ana Bo", "Cy"]
        assert entries[0].players[0].club == "A; B"
        assert [entry.line for entry in entries] == [2, 3, 5], "lines are counted as an editor counts them"

    def test_empty_lines_are_passed_over_and_counted(self) -> None:
        entries = read_list(b"\n\nname;club\n\nAna;\n;;\n  ;\nBo;X\n", size=1).entries
        assert [(entry.line, entry.players[0].name) for entry in entries] == [(5, "Ana"), (8, "Bo")]

    def test_what_a_spreadsheet_says_of_its_signs_is_believed(self) -> None:
        assert people(b"sep=;\nname;club\nRoy, Ana;X\n") == [["Roy, Ana"]]

    def test_one_column_is_a_list(self) -> None:
        assert people(b"Nom\nAna\nBo\n") == [["Ana"], ["Bo"]]

    def test_a_quotation_mark_that_never_closes_is_said_with_its_line(self) -> None:
        with pytest.raises(UserFault) as fault:
            read_list(b'name;club\nAna;X\n"Bo;Y\nCy;Z\n', size=1)
        assert fault.value.code == "bad-csv"
        assert fault.value.extra == {"line": 3}

    def test_the_escape_of_a_formula_is_taken_off_again(self) -> None:
        assert people(b"name\n'=Ana\n'Bo\n") == [["=Ana"], ["'Bo"]]
        assert people(b"name\n'7/11\n'3-5\n'7/11 Bo\n") == [["7/11"], ["3-5"], ["'7/11 Bo"]]

    def test_old_macs_line_ends(self) -> None:
        assert people(b"name;club\rAna;X\rBo;Y\r") == [["Ana"], ["Bo"]]


class TestTitles:
    @pytest.mark.parametrize(
        ("title", "column"),
        [
            ("NOM", ("name", 0)),
            ("Nom complet", ("name", 0)),
            ("Prénom", ("first", 0)),
            ("prenom 2", ("first", 2)),
            ("First name", ("first", 0)),
            ("Nom de famille", ("surname", 0)),
            ("Joueur 1", ("name", 1)),
            ("Nom du joueur 2", ("name", 2)),
            ("Player2", ("name", 2)),
            ("Équipe", ("team", 0)),
            ("team name", ("team", 0)),
            ("N°", ("number", 0)),
            ("Numéro", ("number", 0)),
            ("N° de licence", ("licence", 0)),
            ("License number", ("licence", 0)),
            ("Licence joueur 2", ("licence", 2)),
            ("Courriel", ("email", 0)),
            ("E-MAIL 1", ("email", 1)),
            ("mineur(e) ?", ("minor", 0)),
            ("Under 18", ("minor", 0)),
            ("Date de naissance", None),
            ("", None),
        ],
    )
    def test_are_known_in_both_languages(self, title: str, column: object) -> None:
        assert column_of(title) == column

    @pytest.mark.parametrize("language", ["fr", "en"])
    @pytest.mark.parametrize("size", [1, 2])
    def test_all_that_are_written_are_read(self, language: str, size: int) -> None:
        columns = columns_of_lists(size)
        assert [column_of(title) for title in titles(columns, language)] == columns

    def test_columns_that_mean_nothing_are_named(self) -> None:
        assert read_list(b"name;shoes;shoes\nAna;36;37\n", size=1).unused == ["shoes", "shoes"]

    def test_first_name_and_name_are_put_together_in_whichever_order_they_stand(self) -> None:
        assert people("Nom;Prénom\nRoy;Zoé\n".encode()) == [["Zoé Roy"]]
        assert people(b"Name,Surname\nAna,Roy\n") == [["Ana Roy"]]

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            (b"", "empty-file"),
            (b" \n \n", "empty-file"),
            (b"Ana;Club X\nBo;Club Y\n", "no-columns"),
            (b"name;club\n", "only-titles"),
            (b"name;club;nom\nAna;X;Bo\n", "column-twice"),
            (b"%PDF-1.7 ...", "not-a-list"),
            (b"\x89PNG\r\n\x1a\n\0\0\0", "not-a-list"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old-workbook"),
            (b"PK\x03\x04 no archive", "bad-workbook"),
            (b"name\n" + b"Ana\n" * 2001, "too-many-lines"),
            (b"name\n" + b"A" * 1024 * 1024, "file-too-large"),
        ],
    )
    def test_what_is_no_list_is_refused_by_a_code_of_its_own(self, body: bytes, code: str) -> None:
        assert refusal(body) == code

    def test_a_first_line_longer_than_any_cell_is_no_fault_of_ours(self) -> None:
        assert refusal(b"Name" + b";" * 200_000) == "only-titles"
        assert refusal(b"Name" * 50_000) in ("bad-csv", "only-titles", "no-columns")

    def test_two_thousand_lines_are_read(self) -> None:
        assert len(read_list(b"name\n" + b"Ana\n" * 2000, size=1).entries) == 2000


class TestLines:
    def test_each_bad_line_is_named_and_the_others_are_read(self) -> None:
        text = (
            "name;club;e-mail;minor\n"
            "Ana;X;ana@example.org;no\n"
            ";X;;\n"
            "Bo;;bo at example;\n"
            "Cy;;;perhaps\n"
            f"{'D' * 101};;;\n"
            "Ed;;;;more\n"
        )
        assert faults(text) == [
            (3, "name-missing"),
            (4, "bad-email"),
            (5, "bad-minor"),
            (6, "too-long"),
            (7, "too-many-cells"),
        ]

    def test_every_fault_has_its_sentence(self) -> None:
        text = f"name;e-mail;minor\n;;\n;x;?\n{'D' * 101};;\n"
        for entry in read_list(text.encode(), size=1).entries:
            for _line, code, said in entry.faults:
                assert fault_in_words(code, said)

    def test_minors_are_told_in_both_languages(self) -> None:
        said = ("oui", "X", "yes", "1", "Mineure", "non", "", "0", "no")
        body = "\n".join(["nom;mineur", *(f"Ana {n};{answer}" for n, answer in enumerate(said))]).encode()
        assert [entry.players[0].minor for entry in read_list(body, size=1).entries] == [True] * 5 + [False] * 4

    def test_licence_numbers_are_written_alike(self) -> None:
        (entry,) = read_list(b"name;licence\nAna; ab 12 \n", size=1).entries
        assert entry.players[0].licence == "AB12"

    def test_a_number_that_is_none_is_left_alone(self) -> None:
        entries = read_list("n°;nom\n7;Ana\nA-7;Bo\n²;Cy\n".encode(), size=1).entries
        assert [entry.number for entry in entries] == [7, None, None]


class TestTeamsOfTwo:
    def test_stand_on_one_line(self) -> None:
        text = "Équipe;Joueur 1;Club 1;Joueur 2;Mineur 2\nLes Essieux;Ana;X;Bo;oui\n;Cy;;Di;\n"
        first, second = read_list(text.encode(), size=2).entries
        assert (first.team, [player.name for player in first.players]) == ("Les Essieux", ["Ana", "Bo"])
        assert [player.minor for player in first.players] == [False, True]
        assert [player.name for player in second.players] == ["Cy", "Di"]

    def test_or_on_two_that_name_the_same_team(self) -> None:
        text = "team;name;licence\nFoxes;Ana;1\nHares;Cy;2\nFOXES;Bo;3\nhares;Di;4\n"
        entries = read_list(text.encode(), size=2).entries
        assert [[player.line for player in entry.players] for entry in entries] == [[2, 4], [3, 5]]

    def test_one_club_is_both_players(self) -> None:
        (entry,) = read_list(b"player 1;player 2;club\nAna;Bo;X\n", size=2).entries
        assert [player.club for player in entry.players] == ["X", "X"]

    def test_of_another_size_are_faults(self) -> None:
        text = "team;name;name 2\nFoxes;Ana;\nHares;Cy;Di\nOwls;Ed;\nOwls;Flo;\nOwls;Gil;\n"
        assert faults(text, 2) == [(2, "player-missing"), (6, "too-many-players")]
        assert faults("player 1;player 2\nAna;Bo\n", 1) == [(2, "too-many-players")]


class TestWorkbooks:
    def test_numbers_formulas_and_gaps_are_read_as_people_see_them(self) -> None:
        body = workbook(["Nom", "Licence", "Mineur"], ["Ana", 1234.0, True], [], ["Bo", "0012", None])
        first, second = read_list(body, size=1).entries
        assert (first.players[0].licence, first.players[0].minor) == ("1234", True)
        assert (second.line, second.players[0].licence) == (4, "0012")

    def test_the_first_sheet_is_read(self) -> None:
        assert people(workbook(["name"], ["Ana"], second=[["name"], ["Bo"]])) == [["Ana"]]

    def test_the_first_sheet_that_is_shown(self) -> None:
        book = Workbook()
        book.active.sheet_state = "hidden"
        book.create_sheet("seen").append(["name"])
        book["seen"].append(["Bo"])
        written = io.BytesIO()
        book.save(written)
        assert people(written.getvalue()) == [["Bo"]]

    def test_another_archive_is_no_list(self) -> None:
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        assert refusal(written.getvalue()) == "not-a-list"

    def test_what_unpacks_to_too_much_is_not_unpacked(self) -> None:
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/workbook.xml", b" " * (17 * 1024 * 1024))
        assert len(written.getvalue()) < 100_000
        assert refusal(written.getvalue()) == "workbook-too-large"

    @pytest.mark.parametrize("part", ["xl/styles.xml", "xl/workbook.xml", "docProps/core.xml"])
    def test_a_few_bytes_of_millions_of_elements_are_not_read(self, part: str) -> None:
        written = io.BytesIO()
        whole = io.BytesIO(workbook(["Name"], ["Ana"]))
        with zipfile.ZipFile(whole) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, b"<a>" + b"<b/>" * 200_000 + b"</a>" if name == part else old.read(name))
        assert len(written.getvalue()) < 20_000
        assert refusal(written.getvalue()) == "workbook-too-large"

    def test_entities_of_its_own_are_refused(self) -> None:
        written = io.BytesIO(workbook(["name"], ["Ana"]))
        with zipfile.ZipFile(written, "a") as archive:
            archive.writestr("xl/more.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
        assert refusal(written.getvalue()) == "not-a-list"

    def test_a_broken_one_is_told_from_a_fault_of_ours(self) -> None:
        whole = workbook(["name"], ["Ana"])
        broken = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(broken, "w") as new:
            for part in old.infolist():
                body = old.read(part)
                new.writestr(part.filename, body[:40] if "sheet1" in part.filename else body)
        assert refusal(broken.getvalue()) == "bad-workbook"

    def test_more_lines_than_a_list_may_have(self) -> None:
        assert refusal(workbook(["name"], *[[f"Ana {n}"] for n in range(2001)])) == "too-many-lines"
