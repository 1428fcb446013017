"""How fast the important paths are: `make bench`, or `python -m bench [NAME…]` for some of them.

A measurement is a module with a NAME, a sentence WHAT, and `run() -> Found`; __main__ registers it. Each measures a
yardstick beside what it measures, interleaved in the same run, so that what it finds is a ratio that another machine
finds too. Limits are shown, and shown loudly when they are exceeded; a bench is no test, and its exit status is 0.
"""
