"""Which row of which table is part of what everybody may read: the one table from which the triggers are made.

A trigger of the database writes a line of the feed (`league.models.feed.Change`) whenever a row here comes, goes or
changes, whoever writes it: a service, the admin, an `update()` of many rows, SQL by hand. A line says which thing is to
be read again; it may say so once too often, never once too seldom.

    table      WATCHES and PRIVATE: every table of the app stands in one of them (a test sees to it)
    install    the SQL of the triggers on PostgreSQL and SQLite, and how migrations put it there

**Migrations.** SQLite rebuilds a table to alter it: its triggers go, and those of others that read it stand in the
way. A migration that alters a watched table, and one that is needed because this table changed, begins with
`install.WithoutTriggers()` and ends with `install.WithTriggers()`. A test compares the database with this table.
"""
