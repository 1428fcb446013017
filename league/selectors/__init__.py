"""Reads: what pages and API show, in a constant number of queries. No query stands elsewhere.

Public selectors return frozen values that hold nothing private: no e-mail address, no draft, no secret. Those of
`inside` are for organisers; doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first.
"""
