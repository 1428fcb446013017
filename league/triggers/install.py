"""The SQL of the triggers, and how it comes into a database.

PostgreSQL: rows that come or go are handed over by the statement, all at once; an update is looked at row by row, after
a comparison that costs next to nothing. A line belongs to its transaction (`pg_current_xact_id`), so nobody waits for
anybody: a conflict is always with one's own line.

SQLite: all is row by row, and `transaction` is 0. There a line that has no number yet stands for every later change of
the same thing too, whichever transaction made it, and none is lost: numbering needs the same write lock as each of
these transactions, so it comes after all whose change the line stands for, and whoever reads the thing by that number
reads what they wrote. Once the line has its number, the next change writes another one.
"""

# ruff: noqa: S608 — every statement is made of the constants of the table

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

from league.models.feed import ROUNDS, ChangeKind
from league.triggers.table import EVERYTHING, WATCHES, Effect, Watch

PREFIX: Final = "league_feed_"
_CHAMPIONSHIP: Final = "league_championship"

_OBJECT: Final = {
    ChangeKind.ROUND: "{championship} * " + str(ROUNDS) + " + {x}.{number}",
    ChangeKind.RANKING: "{championship}",
}
"""What is no id of a row."""
_KEY: Final = {
    ChangeKind.CHAMPIONSHIP: "{x}.slug",
    ChangeKind.CLUB: "{x}.slug",
    ChangeKind.TEAM: "{x}.id",
    ChangeKind.PLAYER: "{x}.id",
    ChangeKind.RANKING: "''",
}
"""What is no number."""
_NOW: Final = {"postgresql": "clock_timestamp()", "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now') || '000'"}
_TRANSACTION: Final = {"postgresql": "pg_current_xact_id()::text::bigint", "sqlite": "0"}


def _selected(watch: Watch, effect: Effect, rows: str) -> str:
    """The things that an effect leads to, as (kind, championship_id, object_id, key, listed)."""
    x, kind, way = ("x" if " x " in effect.way else "r"), effect.kind, effect.way
    where = effect.where
    if kind == ChangeKind.CHAMPIONSHIP:
        championship, listed = f"{x}.id", f"{x}.visibility = 'public'"
    elif kind == ChangeKind.CLUB:
        championship, listed = "NULL", "1 = 1"
    else:
        c = "r" if watch.table == _CHAMPIONSHIP else "c"
        listed = f"{c}.visibility = 'public'"
        if kind == ChangeKind.PLAYER:
            championship, where = "NULL", f"{c}.visibility <> 'draft'"
        else:
            championship = f"{x}.championship_id"
            if c == "c":
                way = f"{way} JOIN {_CHAMPIONSHIP} c ON c.id = {x}.championship_id"
    names = {"x": x, "championship": championship, "number": effect.number}
    object_id = _OBJECT.get(kind, "{x}.id").format(**names)
    key = _KEY.get(kind, "{x}.{number}").format(**names)
    return (
        f"SELECT '{kind}' AS kind, CAST({championship} AS bigint) AS championship_id, {object_id} AS object_id, "
        f"CAST({key} AS varchar(60)) AS called, CASE WHEN {listed} THEN 1 ELSE 0 END AS seen "
        f"FROM {rows} r {way}{f' WHERE {where}' if where else ''}"
    )


def lines(watch: Watch, rows: str, vendor: str) -> str:
    """The statement that writes the lines of changed rows: a table, or a query in brackets."""
    selected = " UNION ALL ".join(_selected(watch, effect, rows) for effect in watch.effects)
    return (
        'INSERT INTO league_change (kind, championship_id, object_id, "key", "transaction", "at", listed) '
        f"SELECT kind, championship_id, object_id, MAX(called), {_TRANSACTION[vendor]}, {_NOW[vendor]}, MAX(seen) = 1 "
        f"FROM ({selected}) things GROUP BY kind, championship_id, object_id ON CONFLICT DO NOTHING"
    )


def _rows(watch: Watch, *versions: str) -> str:
    """The old and new version of a row, as a query, with the columns that the effects ask for."""
    used = sorted(set(re.findall(r"\br\.(\w+)", " ".join(_selected(watch, one, "") for one in watch.effects))))
    selects = (f"SELECT {', '.join(f'{version}.{name} AS {name}' for name in used)}" for version in versions)
    return f"({' UNION ALL '.join(selects)})"


def _compared(watch: Watch, columns: Iterable[str], differs: str) -> str:
    watched = [name for name in columns if name not in watch.but and (not watch.columns or name in watch.columns)]
    return " OR ".join(f'OLD."{name}" {differs} NEW."{name}"' for name in watched)


def _sqlite(watch: Watch, name: str, columns: list[str]) -> Iterator[tuple[str, str]]:
    versions = (
        {"UPDATE": ("OLD", "NEW")}
        if watch.updates_only
        else {"INSERT": ("NEW",), "DELETE": ("OLD",), "UPDATE": ("OLD", "NEW")}
    )
    for event, rows in versions.items():
        when = f" WHEN {_compared(watch, columns, 'IS NOT')}" if event == "UPDATE" else ""
        called = f"{name}_{event.lower()}"
        written = lines(watch, _rows(watch, *rows), "sqlite")
        yield called, f"CREATE TRIGGER {called} AFTER {event} ON {watch.table} FOR EACH ROW{when} BEGIN {written}; END"


def _postgresql(watch: Watch, name: str, columns: list[str]) -> Iterator[tuple[str, str]]:
    def function(called: str, rows: str) -> str:
        body = f"BEGIN {lines(watch, rows, 'postgresql')}; RETURN NULL; END"
        return f"CREATE FUNCTION {called}() RETURNS trigger LANGUAGE plpgsql AS $feed${body}$feed$"

    if not watch.updates_only:
        called = f"{name}_rows"
        yield called, function(called, "changed")
        for event, version in (("INSERT", "NEW"), ("DELETE", "OLD")):
            yield (
                f"{name}_{event.lower()}",
                (
                    f"CREATE TRIGGER {name}_{event.lower()} AFTER {event} ON {watch.table} "
                    f"REFERENCING {version} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION {called}()"
                ),
            )
    called = f"{name}_update"
    yield f"{called}_row", function(f"{called}_row", _rows(watch, "OLD", "NEW"))
    yield (
        called,
        (
            f"CREATE TRIGGER {called} AFTER UPDATE ON {watch.table} FOR EACH ROW "
            f"WHEN ({_compared(watch, columns, 'IS DISTINCT FROM')}) EXECUTE FUNCTION {called}_row()"
        ),
    )


def wanted(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """What makes the triggers of this database, by name, in order; of the tables that it has by now."""
    made: dict[str, str] = {}
    make = _postgresql if connection.vendor == "postgresql" else _sqlite
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        for place, watch in enumerate(WATCHES, 1):
            if watch.table in present:
                columns = [one.name for one in connection.introspection.get_table_description(cursor, watch.table)]
                made |= make(watch, f"{PREFIX}{place:02}_{watch.table.removeprefix('league_')}", columns)
    return made


def installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The triggers (SQLite) or the functions behind them (PostgreSQL) that this database has, with their text."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT proname, prosrc FROM pg_proc "
                "WHERE proname LIKE %s AND pronamespace = current_schema()::regnamespace "
                "UNION ALL SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
                "WHERE tgname LIKE %s AND relnamespace = current_schema()::regnamespace",
                [f"{PREFIX}%"] * 2,
            )
        else:
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s", [f"{PREFIX}%"]
            )
        return dict(cursor.fetchall())


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take all triggers of the feed away."""
    connection = schema_editor.connection
    for name, said in installed(connection).items():
        if connection.vendor != "postgresql":
            schema_editor.execute(f"DROP TRIGGER {name}")
        elif said.startswith("BEGIN"):
            schema_editor.execute(f"DROP FUNCTION {name}() CASCADE")


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put the triggers of the table as it is now in the place of those that are there."""
    remove(schema_editor)
    for made in wanted(schema_editor.connection).values():
        schema_editor.execute(
            made.replace("%", "%%") if schema_editor.connection.vendor == "postgresql" else made, None
        )


def begin(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write a line for everything that is there already, and the head of the feed."""
    connection = schema_editor.connection
    for watch in EVERYTHING:
        schema_editor.execute(lines(watch, watch.table, connection.vendor), None)
    schema_editor.execute("INSERT INTO league_feedhead (id, position) VALUES (1, 0) ON CONFLICT DO NOTHING", None)


def _forget(schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute("DELETE FROM league_change")
    schema_editor.execute("DELETE FROM league_feedhead")


class WithTriggers(RunPython):
    """The last operation of a migration that alters a watched table: the triggers are put there again."""

    def __init__(self) -> None:
        super().__init__(_operation(install), _operation(remove))

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """It takes nothing."""
        return (type(self).__name__, [], {})


class WithoutTriggers(WithTriggers):
    """The first operation of a migration that alters a watched table: the triggers are taken away."""

    def __init__(self) -> None:
        RunPython.__init__(self, _operation(remove), _operation(install))


class FeedBegins(WithTriggers):
    """A line for everything that is there before the triggers are, and the head of the feed."""

    def __init__(self) -> None:
        RunPython.__init__(self, _operation(begin), _operation(_forget))


def _operation(do: Any) -> Any:
    return lambda _apps, schema_editor: do(schema_editor)
