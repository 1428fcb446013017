"""The page of a table at its secret address: for whoever holds the slip, without an account, on a phone.

`visit` is the door: it knows the table by its code, which side somebody speaks for, and what keeps the address secret.
"""
