"""Rows, their constraints and small properties. Writes go through league.services, reads through league.selectors."""

from league.models.people import User

__all__ = ["User"]
