"""Mails with results: read, and answered in words. Pure: no row is touched here (`league.services.received_mail` does).

message    a mail's headers and parts, as far as they can be read
document   the log or sheet in it, from its first line to its last
said       which manche is meant, and why something is corrected
answers    what is answered, in words
"""
