"""The mathematics of the tournaments: points, score sheets, rankings (RULES 8 and 11; STANDINGS 1 to 3 and 7).

Standard library and `engine` only; `league` calls it, never the other way round. Everything is exact (whole numbers
and fractions) and works on decoded JSON documents, so that anyone can compute again what a page shows:

    python -m scoring rank FILE        a document `classement/1`, or many, to their rankings
    python -m scoring judge FILE       hand logs and score sheets to their verdicts

The rooms, in the order in which a result passes through them:

- `points`, `sheets`, `verdicts`: an outcome to its itemised points; a sheet to its faults or its outcome; a log or
  sheet to its verdict.
- `ranking_reader`, `ranking_shapes`: the strict way in of a ranking document; `ranking_document`: what it is once read,
  and `RankingError`.
- `parties`: places and match points of one partie; `records`: what each entry did in all of them.
- `tiebreaks`: every key, and the tables of what may be chosen; `ordering`: the field split key by key.
- `standings`: `rank`, `explain`, `standings`; `why`: why a row stands above the next, as data and in words.
- `cli_rank`, `cli_judge`: the commands, with what they read from a stream and print for people.
"""
