"""The project's settings with what tests need otherwise: fast passwords, plain static files, mail kept in memory.

DATABASE_URL chooses the database (SQLite without it); BORNAGE_TEST_REDIS the Redis server of tests marked `redis`.
"""

import os
from pathlib import Path

os.environ.setdefault("BORNAGE_SECRET_KEY", "tests only; this key has never guarded anything and never will")
os.environ["BORNAGE_VAR"] = str(Path(__file__).resolve().parent.parent / "build" / "tests")
os.environ.setdefault("BORNAGE_LOG_LEVEL", "WARNING")
for name in ("BORNAGE_PRODUCTION", "BORNAGE_DEBUG", "BROKER_URL", "CACHE_URL", "EMAIL_URL", "DATABASE_POOL"):
    os.environ.pop(name, None)

from league.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_EAGER_PROPAGATES = True
WHITENOISE_AUTOREFRESH = True  # else every client of a test reads all static files first
