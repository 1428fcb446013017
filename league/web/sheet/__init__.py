"""The score sheet as a form, for whoever enters it: organisers at the desk, players at their table.

What differs from one to the other stands in a door, a class of its own below `entry.SheetDoor`: who asks, where the
form's addresses are, which page it stands in, what handing in does and where it leads. The rest is here:

- `cells`: what is typed, as the document `marque/1`, and the notes of each cell.
- `state`: what that comes to now.
- `entry`: the views, `sheet(door)` and `live_score(door)`.

To put the form into another page:

1. Write a door, and two views that check who asks and then call `sheet(door)` (GET and POST) and `live_score(door)`
   (POST).
2. Write a template that extends what you like, with `{% include "sheet/styles.html" %}` in its block `styles`,
   `{% include "sheet/scripts.html" %}` in its block `scripts`, and `{% include "sheet/form.html" %}` where the form is
   to stand. What it is given is what `SheetDoor.page` gets, plus what the door adds.
3. Let every page to which somebody may go after handing in have `<div hidden data-drafts-done="{{ drafts_done }}">`
   (`league.web.organiser.shown.drafts_done(request)`): by it the browser forgets what it kept.

`league/web/organiser/sheets.py` is the organisers' door.
"""
