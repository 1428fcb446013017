"""The organisers' pages: everything that a championship needs, done with a phone or a laptop in a noisy hall.

asked.py is their door. What a page does is a deed (deeds.py): a form, the right that it needs, and the service that
does it, once. A fault of a service is shown at its field, with all that was typed.
"""
