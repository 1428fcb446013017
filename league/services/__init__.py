"""Writes: one verb a function, keyword-only, in one transaction, under the championship's lock, audited.

A service is told who acts (`policy.Actor`) and ids; doors have asked `policy.require` before. It raises faults of
`league.errors` and then has written nothing, or returns what it made. `Stale` answers an edit of an old `version`.

    accounts        first account, organisers, invitations
    profile         one's own name, address and password
    tokens          keys of programs
    people          clubs and players
    claims          a player's profile taken over by link or code, and left
    numbers         numbers that others gave a player
    merging         two profiles made one, and two again
    anonymising     a name taken away for good
    substitutes     who may sit in for a player, and who did
    championships   a championship, its keys, its visibility
    entries         teams, entries, withdrawals, penalties on the championship
    parties         parties, byes, forfeits
    results         hand_in: logs, sheets, corrections
    rulings         confirm, settle a claim, penalise, annul
    publishing      frozen versions of the ranking
    renewal         the live ranking (called by tasks)
    checking        a log or a sheet judged for anybody, nothing kept
    once            what a page sends, done once

The rest serve these:

    locks, audit, journal       what every write takes and leaves
    privacy, mail               public names written where everybody reads; mails sent after the transaction
    settings_of_play, texts     what was filled in, checked
    documents, fit, progress    what was handed in, whether it fits its partie, and what the partie comes to
    hand_in_answers             what is answered to it, and remembered
"""
