"""The mathematics of the tournaments: points, score sheets, rankings (RULES 8 and 11; STANDINGS 1 to 3 and 7).

Standard library and `engine` only; `league` calls it, never the other way round. Everything is exact (whole numbers
and fractions) and works on decoded JSON documents, so that anyone can compute again what a page shows:

    python -m scoring rank FILE        documents `classement/1`, `etapes/1` or `circuit/1` to their rankings
    python -m scoring judge FILE       hand logs and score sheets to their verdicts
    python -m scoring verify FILE      a dump `championnat/1`: every score and ranking computed again and compared

The rooms, in the order in which a result passes through them:

- `documents`, `json_stream`: what was handed in, read: a log or a sheet, in JSON or in text, alone or many in a file.
- `sheet_document`, `sheet_faults`, `sheets`: a sheet's cells; what is wrong with them; its faults or its outcome.
- `sheet_warnings`: what a sheet without faults hardly ever says.
- `points`, `claims`: an outcome to its itemised points; what a table announced, held against them.
- `verdicts`, `faults`: a log or a sheet to its verdict; what is wrong, as verdicts say it.
- `ranking_reader`, `partie_reader`, `ranking_shapes`: the strict way in of a ranking document; `ranking_document`: what
  it is once read, and `RankingError`.
- `parties`: places and match points of one partie; `records`: what each entry did in all of them.
- `tiebreaks`: every key, and the tables of what may be chosen; `ordering`: the field split key by key.
- `standings`: `rank`, `explain`, `standings`; `names`: how names are sorted; `why`: why a row stands above the next, as
  data and in words.
- `stages`: the ranking over all stages of a championship, from a document `etapes/1` (`stage_reader`,
  `stage_document`); `pools` and `knockout`: the order within a stage and who goes on from it; `withdrawals`: what
  leaving a round robin does; `circuits`: championships added up, from a document `circuit/1` (`circuit_document`).
- `stage_assembly`: the document of a championship put together from one table of results and what its stages are;
  `kept_rows`: the rows of a ranking as they are kept.
- `dump_stream`, `dump_format`, `dump_shapes`: a dump `championnat/1` read piece by piece; `dump_judging`: its documents
  judged again; `dump_reader`: what its championship is ranked from; `dump_verify`: all of it held against what it says.
- `rankings`: a ranking of any kind, as the `format` of its document says.
- `cli_rank`, `cli_judge`, `cli_verify`: the commands; `input_files` is what they read, `ranking_text` and
  `verdict_text` what they print for people, `progress` a bar for long files.
"""
