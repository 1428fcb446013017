"""Tags and filters of the pages: small words of templates, no reading of rows."""
