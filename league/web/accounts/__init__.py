"""Accounts: the first one, signing in and out, passwords, invitations, one's own profile and keys for programs."""
