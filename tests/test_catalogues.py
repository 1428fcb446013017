"""The catalogues: every text is translated and sure, in its language's typography; French pages hold no English."""

import html
import importlib.util
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import polib
import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from league.models import Championship, Partie
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, as_bytes, owner_of, play, sheet

ROOT = Path(__file__).resolve().parent.parent


def _program() -> ModuleType:
    """bin/catalogues.py, which is a program and no module of the project's."""
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "bin" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


catalogues = _program()
FRENCH: polib.POFile = catalogues.catalogue_of("fr")


# ---- the catalogues themselves ---------------------------------------------------------------------------------------


def test_there_is_a_catalogue_for_every_language_that_is_offered_but_that_of_the_code() -> None:
    assert {*catalogues.LANGUAGES, "en"} == {code for code, _name in settings.LANGUAGES}
    assert [code for code in catalogues.LANGUAGES if not catalogues.file_of(code).exists()] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_every_text_is_translated_and_sure_with_the_placeholders_that_it_is_given(language: str) -> None:
    assert list(catalogues.faults(catalogues.catalogue_of(language), catalogues.texts())) == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_what_the_program_reads_is_what_is_written(language: str) -> None:
    """`make setup` compiles; an old .mo shows old words."""
    file = catalogues.file_of(language)
    read = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in polib.mofile(str(file.with_suffix(".mo")))}
    written = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in polib.pofile(str(file))}
    assert read == written


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"msgid": "A draw", "msgstr": ""}, "not translated"),
        ({"msgid": "A draw", "msgstr": "Un tirage", "flags": ["fuzzy"]}, "unsure"),
        ({"msgid": "{card} is played", "msgstr": "on la joue"}, "other placeholders"),
        ({"msgid": "A draw", "msgstr": "Un tirage de {n}"}, "other placeholders"),
        ({"msgid": "%(n)s point", "msgstr": "%(m)s point"}, "other placeholders"),
        (
            {"msgid": "%(n)s point", "msgid_plural": "%(n)s points", "msgstr_plural": {0: "%(n)s point", 1: ""}},
            "not translated",
        ),
        (
            {
                "msgid": "%(n)s point",
                "msgid_plural": "%(n)s points",
                "msgstr_plural": {0: "un point", 1: "%(k)s points"},
            },
            "other placeholders",
        ),
    ],
)
def test_check_finds_what_is_wrong_with_an_entry(entry: dict[str, Any], fault: str) -> None:
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(**entry))
    wanted = {catalogues.Text(None, entry["msgid"], entry.get("msgid_plural")): ["page.html"]}
    found = list(catalogues.faults(catalogue, wanted))
    assert len(found) == 1
    assert found[0].startswith(fault)


def test_check_finds_a_text_that_no_catalogue_has_and_one_that_nothing_uses() -> None:
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid="Gone", msgstr="Parti"))
    found = list(catalogues.faults(catalogue, {catalogues.Text(None, "New", None): ["page.html"]}))
    assert sorted(fault.partition(":")[0] for fault in found) == [
        "missing (make messages)",
        "stands nowhere any more (make messages)",
    ]


OF_SEVERAL_GENDERS = {"done", "cancelled", "None yet."}


def test_words_for_things_of_several_genders_say_which_thing() -> None:
    assert {text.msgid for text in catalogues.texts() if text.context is None} & OF_SEVERAL_GENDERS == set()


def test_no_template_sets_a_colon_behind_a_text_as_english_does() -> None:
    found = []
    for file in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        text = re.sub(r"{% blocktranslate.*?{% endblocktranslate %}", "{{ text }}", file.read_text(), flags=re.DOTALL)
        found += [(file.name, here) for here in re.findall(r".{0,20}[}%]}:(?=[ <{]).{0,20}", text)]
    assert found == []


# ---- French typography -----------------------------------------------------------------------------------------------

MISPRINTS = {
    "an ordinary space where no line may break": re.compile(r" (?:[;!?»]|:(?!\w))|« "),
    "no space before a high sign": re.compile(r"(?<=[\w)}»])[;?]|(?<=[\w)}»]):(?=\s|$)"),
    "a typewriter's apostrophe": re.compile(r"(?<=\w)'(?=\w)"),
    "English quotation marks": re.compile(r"[“”]"),
    "a number that its unit may leave": re.compile(r"(?:\d|\}|\)s) km\b"),
    "two spaces": re.compile(r"\S  +\S"),
}


@pytest.mark.parametrize("misprint", MISPRINTS)
def test_french_is_printed_as_french_is(misprint: str) -> None:
    said = [text for entry in FRENCH for text in (entry.msgstr, *entry.msgstr_plural.values())]
    plain = [re.sub(r"<[^>]*>|&\w+;|Authorization: Bearer ", "", text) for text in said]
    assert [text for text in plain if MISPRINTS[misprint].search(text)] == []


# ---- pages -----------------------------------------------------------------------------------------------------------

ENGLISH_WORDS = frozenset(
    re.findall(
        r"\w+",
        "the of is are was not this that these with from which who what when where there here nobody everybody yet its "
        "has have been cannot must should may only than then please sign enter field required invalid value",
    )
)
"""Words that no French sentence has."""

NOT_READ = frozenset({"script", "style", "code", "textarea"})
VOID = frozenset({"br", "img", "input", "meta", "link", "hr", "path", "wbr"})
READ_ATTRIBUTES = ("title", "aria-label", "placeholder", "alt")


class _Words(HTMLParser):
    """What a reader sees or hears of a page: runs of text, and attributes; nothing that says it is English."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.runs: list[str] = []
        self._inside: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag not in VOID:
            self._inside.append((tag, tag in NOT_READ or known.get("lang") == "en"))
        if not self._is_hidden:
            self.runs += [said for name in READ_ATTRIBUTES if (said := known.get(name))]

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if (run := " ".join(data.split())) and not self._is_hidden:
            self.runs.append(run)

    @property
    def _is_hidden(self) -> bool:
        return any(hidden for _tag, hidden in self._inside)


def _plain(text: str) -> str:
    return " ".join(html.unescape(text).split())


UNTRANSLATED = {_plain(entry.msgid) for entry in FRENCH if entry.msgid != entry.msgstr and not entry.msgid_plural}
FRENCH_TOO = {_plain(entry.msgstr) for entry in FRENCH}
"""An English word may be a French one of another text: “Organiser”."""


def english_of(page: str) -> list[str]:
    """The runs of a page that are English: an English text of the catalogue, or with a word that French has not."""
    return [
        run
        for run in _Words(page).runs
        if (run in UNTRANSLATED and run not in FRENCH_TOO)
        or ENGLISH_WORDS & set(re.findall(r"[a-zà-ÿ]+", run.lower().replace("’", " ")))
    ]


def test_english_is_found_where_it_stands() -> None:
    page = '<p>Bonjour</p><p lang="en">The rules</p><code>is</code><a title="Close the partie">3</a><h1>Entries</h1>'
    assert english_of(page) == ["Close the partie", "Entries"]


PUBLIC = (
    "",
    "about/",
    "championships/",
    "championships/?q=rien",
    "check/",
    "rulebooks/",
    "rulebooks/fournier/",
    "rulebooks/moderne/",
    "rulebooks/differences/?all=1",
    "account/sign-in/",
    "account/forgotten/",
    "nulle-part/",
)
OF_A_CHAMPIONSHIP = (
    "",
    "terms/",
    "journal/",
    "entries/",
    "entries/1/",
    "parties/",
    "parties/1/",
    "parties/1/manches/1/",
    "parties/1/manches/2/",
    "published/",
    "published/1/",
)
OF_ORGANISERS = (
    "",
    "settings/",
    "settings/keys/",
    "settings/organisers/",
    "settings/format/",
    "settings/webhooks/",
    "mail/",
    "tables/",
    "entries/",
    "entries/1/",
    "entries/1/substitutes/",
    "entries/import/",
    "check-in/",
    "registrations/",
    "players/",
    "players/new/",
    "parties/",
    "parties/round/",
    "parties/draw/",
    "parties/1/",
    "parties/1/who-plays/",
    "parties/1/manches/1/",
    "parties/1/manches/2/",
    "parties/1/manches/2/sheet/",
    "parties/2/manches/1/",
    "parties/2/manches/1/sheet/",
    "parties/2/manches/1/log/",
    "disputes/",
    "attempts/",
    "ranking/",
    "print/",
    "journal/",
    "journal/audit/",
)
STAFF = ("championship", "entry", "partie", "result", "resultevent", "publishedranking", "user", "apitoken")


@pytest.fixture
def championship(db: None) -> Championship:
    """Six entries; partie 1, whose second manche waits for a decision, and partie 2, which begins; a version."""
    made: Championship = ChampionshipFactory(name="Coupe d’essai", slug="coupe")
    names = ("Les Essieux", "Les Moyeux", "Les Écrous", "Les Jantes", "Les Pneus", "Les Bielles")
    entries = [EntryFactory(championship=made, name=name) for name in names]
    partie: Partie = PartieFactory(championship=made, entries=entries[:2])
    play(partie, 1)
    play(partie, 2, sheet(claim={"A": 1, "B": 475}))
    PartieFactory(championship=made, entries=entries[2:4])
    publish(actor=owner_of(made), championship_id=made.pk, label="Après la ronde 1")
    renew_live_ranking(championship_id=made.pk)
    made.refresh_from_db()
    return made


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_page_in_french_holds_no_english(client: Client, db: None, address: str) -> None:
    assert english_of(client.get(f"/fr/{address}").content.decode()) == []


def test_pages_of_a_championship_in_french_hold_no_english(client: Client, championship: Championship) -> None:
    for address in OF_A_CHAMPIONSHIP:
        answer = client.get(f"/fr/championships/coupe/{address}")
        assert (address, answer.status_code, english_of(answer.content.decode())) == (address, 200, [])


def test_pages_of_organisers_in_french_hold_no_english(client: Client, championship: Championship) -> None:
    client.force_login(owner_of(championship).user)
    addresses = [f"organise/coupe/{address}" for address in OF_ORGANISERS]
    for address in ["organise/", "organise/new/", "account/", "account/tokens/", "account/password/", *addresses]:
        answer = client.get(f"/fr/{address}", follow=True)
        assert (address, answer.status_code, english_of(answer.content.decode())) == (address, 200, [])


def test_administration_pages_in_french_hold_no_english(client: Client, championship: Championship) -> None:
    staff = owner_of(championship).user
    staff.is_staff = True
    staff.save()
    client.force_login(staff)
    for model in STAFF:
        answer = client.get(f"/admin/league/{model}/", headers={"Accept-Language": "fr"})
        english = [run for run in english_of(answer.content.decode()) if run != "Search"]  # Django's own, of an image
        assert (model, answer.status_code, english) == (model, 200, [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"format":',
            "Ceci ne peut pas être lu. Ligne 1, colonne 11\u00a0: ceci n’est pas du JSON\u00a0: il faut une valeur.",
        ),
        (
            json.dumps(
                {
                    "format": "bornes/1",
                    "rulebook": "classique",
                    "teams": {"A": ["a1"], "B": ["b1"]},
                    "seats": ["a1", "b1"],
                    "moves": ["a1:FV", "b1:FR>A", "a1:100"],
                }
            ),
            "la carte Feu rouge couvre sa pile de bataille et demande la carte Feu vert.",
        ),
        (
            as_bytes(sheet(sabot_empty=None) | {"end": "exhausted"}).decode(),
            "Omettez cette case quand on ne la connaît pas\u00a0: null n’est pas une valeur.",
        ),
    ],
)
def test_what_is_wrong_with_a_document_is_said_in_french(client: Client, db: None, text: str, said: str) -> None:
    page = client.post("/fr/check/", {"text": text}).content.decode()
    assert said in html.unescape(page)
    assert english_of(page) == []


def test_a_problem_of_the_api_is_said_in_french_to_who_asks_for_it(client: Client, db: None) -> None:
    problem = client.get("/api/v1/championships/none", headers={"Accept-Language": "fr"}).json()
    assert (problem["title"], problem["detail"]) == (
        "Cela n’existe pas",
        "Cette page n’existe pas, ou n’est pas publique.",
    )


def test_the_mail_for_a_forgotten_password_is_french(client: Client, championship: Championship) -> None:
    client.post("/fr/account/forgotten/", {"email": owner_of(championship).user.email})
    (sent,) = mail.outbox
    assert sent.subject == "Un nouveau mot de passe pour Bornage"
    assert english_of(sent.body.replace(sent.to[0], "")) == []
