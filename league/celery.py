"""The Celery application: `celery -A league worker`, `celery -A league beat`.

Everything that can be set stands in settings.py under CELERY_; jobs stand in tasks.py. Without a broker
(BROKER_URL unset) every job runs at once, in the process that asks for it.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
