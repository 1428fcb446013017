"""The public pages on which people register themselves."""
