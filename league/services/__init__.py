"""Writes: one verb a function, keyword-only, in one transaction, under the championship's lock, audited.

A service is told who acts (`policy.Actor`) and ids; doors have asked `policy.require` before. It raises faults of
`league.errors` and then has written nothing, or returns what it made. `Stale` answers an edit of an old `version`.

Who there is:

    accounts        first account, organisers, invitations
    roles           what somebody is to a championship, and the tables of a table scorer
    profile         one's own name, address and password
    tokens          keys of programs
    mail_addresses  secret addresses for results by mail
    people          clubs and players
    claims          a player's profile taken over by link or code, and left
    numbers         numbers that others gave a player
    merging         two profiles made one, and two again
    anonymising     a name taken away for good
    substitutes     who may sit in for a player, and who did

Before the day, and at the door:

    championships   a championship, its keys, its visibility
    entries         teams, entries, withdrawals, penalties on the championship
    registrations   people register themselves; accepted and declined
    places          who moves up from the waiting list (called by others)
    imports         a list of people read, settled, accepted or thrown away
    dump_import     a championship taken in from a dump
    check_in        who is there

Rounds:

    stages          stages set up, changed, taken away
    stage_starts    who comes into a stage, in which order and pool
    draws           the next round drawn into a draft, and drawn again
    drafts          a draft changed by hand, or discarded
    rounds          published, locked, reopened, the last step taken back
    free_rounds     a whole round seated by hand
    clock           a round's clock
    absences        who does not play a round
    postponing      a table that plays later
    knockouts       who goes on from a table that ends level

Sent to others:

    webhooks        webhooks made, changed, stopped, resumed, removed; a test, a message again
    deliveries      changes of a championship brought to its webhooks (called by tasks)

Tables:

    parties         parties, byes, forfeits
    table_links     a table's secret link, renewed
    results         hand_in: logs, sheets, corrections
    batches         many items at once: kept, stopped, forgotten
    pushed          as programs do it: partie and manche under ids of their own
    received_mail   as mails do it: read, handed in, answered
    confirmation    the other side confirms or contests; all that agree, accepted
    disputes        what is said in a dispute, and the decision that closes it
    moving          results on the wrong table or the wrong side
    rulings         confirm, settle a claim, penalise, annul
    overdue         results that nobody contested in time (called by tasks)
    checking        a log or a sheet judged for anybody, nothing kept

Rankings:

    publishing      frozen versions of the ranking
    circuits        circuits, their championships, their published rankings
    renewal         the live ranking (called by tasks)

The rest serve these:

    locks, audit, journal           what every write takes and leaves
    messages, held_back             messages to workers, and those held back while many deeds follow each other
    here                            work without a broker, by a thread of this process
    batch_waking                    who works at batches is woken, or works here
    waking, sending_here            who sends to webhooks is woken: a worker, or a thread of this process
    webhook_messages, outward       what is sent there and how it is signed; requests to addresses that people typed
    giving_up                       a webhook that is not sent to any more, and its owners told
    once                            what is sent, done once
    external_ids                    what programs call our things
    feed                            the changes of all that, numbered in the order of commits
    privacy, mail                   public names written where everybody reads; mails sent after the transaction
    registration_mail               what those who registered are told
    settings_of_play, texts         what was filled in, checked
    list_files, list_columns        a file with a list: its cells, and what its columns are called
    list_reading, exports           such a file read into entries, and written
    dump_people, dump_parties       players and parties of a dump as rows
    dump_columns                    the same, as their columns have room
    drawn, seating                  a round's tables as its format has them, and the parties made of them
    withdrawals                     what becomes of the parties of who leaves a round robin
    documents, fit, progress        what was handed in, whether it fits its partie, and what the partie comes to
    versions, second_entries        a result as a new version, and a blind second entry beside it
    sides, dispute_rows             who speaks at a table, and the dispute that is opened or closed beside a deed
    own_manches                     manches under the ids of whoever hands in
    hand_in_answers                 what is answered to it, and remembered
    foreseen                        what a ruling would move, before it is saved
"""
