"""The documentation for programs, from docs/*.md to pages, below /docs/. English texts in the reader's frame.

texts       a file to HTML: anchors, links between the files, blocks that can be copied
operations  every operation of the API in tables, from its own document
problems    what each code means and what to do, from docs/problems.md
pages       the views; a block is shown with this site's address in it, and with a championship that there is
"""
