"""The WSGI entry: `gunicorn league.wsgi`."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

application = get_wsgi_application()

if not settings.BROKER_URL:
    from league.services.sending_here import send_here  # models are there from here on

    send_here()  # what an earlier process had still to send
