"""The client of clients/python against a live server."""
