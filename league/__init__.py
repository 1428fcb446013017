"""The league: records, the two doors to them (pages and API), and jobs. Django's project and its one app.

It calls scoring, which calls engine; neither knows anything of this package.
"""

from league.celery import app as celery_app

__all__ = ["celery_app"]
