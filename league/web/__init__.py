"""The pages: for people, in their language, under /fr/ and /en/.

A module holds the views of one subject; urls.py gives each its address. A view asks who may see it, reads through
league.selectors, words what it found, and renders a template; nothing is computed here and no query stands here.
docs/pages.md says what pages are built from.
"""
