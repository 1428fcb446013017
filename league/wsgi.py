"""The WSGI entry: `gunicorn league.wsgi`."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

application = get_wsgi_application()

if not settings.BROKER_URL:
    from league.services.sending_here import SENDER  # models are there from here on

    SENDER.ask()  # what an earlier process had still to send
