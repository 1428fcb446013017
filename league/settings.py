"""Every setting of the project, read from the environment. No secret stands here.

Without any variable this is one club's evening: SQLite and jobs in the process, mail printed on the console, on
this machine only. A federation sets (names as in docker-compose.yml):

    BORNAGE_PRODUCTION=1    https, secure cookies, JSON logs; refuses to start without the two that follow
    BORNAGE_SECRET_KEY      at least 50 characters; changing it signs everybody out
    BORNAGE_ALLOWED_HOSTS   names under which the site is reached, separated by commas
    BORNAGE_PROXIES         how many proxies of your own stand before it (0): whom to believe about a visitor's address
    DATABASE_URL            postgres://user:password@host/name
    DATABASE_POOL           connections kept open by one web process (0: one a request)
    BROKER_URL              redis://host/0: jobs go to workers (bin/worker, bin/beat)
    BROKER_PREFIX           of its keys, when several sites share one Redis
    CACHE_URL               redis://host/1: counts of throttles, shared by all web processes
    EMAIL_URL               smtp+tls://user:password@host:587 ; BORNAGE_MAIL_FROM: the sender's address
    BORNAGE_MAIL_TO         address whose mail is piped to manage.py receive_mail: results@club.example gives secret
                            addresses results+SECRET@club.example (empty: no results by mail)
    BORNAGE_API_READS       requests a minute of one token or one address (600); likewise BORNAGE_API_HAND_INS (600),
                            BORNAGE_API_WRITES (600: all other writes), BORNAGE_API_COSTLY (30: checks without a
                            token, whole ranking documents, rankings published or computed)
    BORNAGE_BATCH_LIMIT     bytes that a batch may have (32 MiB)
    BORNAGE_WEBHOOK_NETWORKS  networks that webhooks may be sent into besides the open internet, without https too
                            (10.1.0.0/16,127.0.0.0/8)
    BORNAGE_TIME_ZONE       of the times on pages that belong to no championship (Europe/Paris)
    BORNAGE_FEED_WAITERS    requests of one web process that may wait for changes at once (8; bin/web: half its threads)
    BORNAGE_VAR             folder of the SQLite file, the development key and collected files (var/)
    BORNAGE_LOG_LEVEL       INFO ; BORNAGE_DEBUG=1: Django's debug pages, never in production
"""

import contextlib
import ipaddress
import os
import secrets
import tempfile
import zoneinfo
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from league.log_lines import log_to_console

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.str("BORNAGE_VAR", default=str(BASE_DIR / "var")))

PRODUCTION: bool = env.bool("BORNAGE_PRODUCTION", default=False)
DEBUG: bool = env.bool("BORNAGE_DEBUG", default=False)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("BORNAGE_DEBUG shows the program's insides: it cannot be set with BORNAGE_PRODUCTION.")


# --- secrets and hosts -------------------------------------------------------------------------------------------


def _development_key() -> str:
    """Return the key kept in var/, made on first use; readable by its owner only."""
    file = VAR / "secret-key"
    if not file.exists():
        VAR.mkdir(parents=True, exist_ok=True)
        # mkstemp makes it 0600; of two processes that start together the first link stands, and is never half-written.
        handle, draft = tempfile.mkstemp(dir=VAR)
        with os.fdopen(handle, "w") as new:
            new.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
        Path(draft).unlink()
    return file.read_text()


def _production_key() -> str:
    key: str = env.str("BORNAGE_SECRET_KEY", default="")
    if len(key) < 50 or len(set(key)) < 5:
        raise ImproperlyConfigured(
            "BORNAGE_PRODUCTION needs a BORNAGE_SECRET_KEY of its own, of at least 50 characters; make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
        )
    return key


SECRET_KEY = _production_key() if PRODUCTION else env.str("BORNAGE_SECRET_KEY", default="") or _development_key()

ALLOWED_HOSTS: list[str] = env.list(
    "BORNAGE_ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"]
)
if PRODUCTION and (not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS):
    raise ImproperlyConfigured("BORNAGE_PRODUCTION needs BORNAGE_ALLOWED_HOSTS: the site's own names, not *.")

PROXIES: int = env.int("BORNAGE_PROXIES", default=0)

# --- the program -------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "league.apps.LeagueConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.forms",  # its widgets' templates, for FORM_RENDERER
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "axes",
    "csp",
]

MIDDLEWARE = [
    "league.middleware.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "league.middleware.Language",
    "league.middleware.PagesTime",
    "league.api.compression.Compression",
    "league.middleware.BodyLimit",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",  # last, as axes asks
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "league.web.forms.SiteRenderer"

# --- data --------------------------------------------------------------------------------------------------------


def _database() -> dict[str, Any]:
    database: dict[str, Any] = env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'bornage.sqlite3'}")
    options = database.setdefault("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        VAR.mkdir(parents=True, exist_ok=True)
        # Both are needed: readers go on while one writes (WAL), and a writer waits for its turn from the start of
        # its transaction instead of failing in the middle (IMMEDIATE).
        options |= {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    else:
        options |= {"connect_timeout": 5, "application_name": "bornage"}
        # Only the web processes ask for a pool: its threads do not survive the fork of a Celery worker.
        if pool := env.int("DATABASE_POOL", default=0):
            options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10}
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES: dict[str, dict[str, Any]] = {"default": env.cache_url("CACHE_URL", default="locmemcache://")}
if "redis" in CACHES["default"]["BACKEND"].lower():
    CACHES["default"]["BACKEND"] = "league.cache.ForgivingRedisCache"
    CACHES["default"]["OPTIONS"] = {"socket_connect_timeout": 1, "socket_timeout": 1}

# --- people ------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "league.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTH_PASSWORD_VALIDATORS[0]["OPTIONS"] = {"user_attributes": ("email", "display_name")}  # type: ignore[assignment]
PASSWORD_RESET_TIMEOUT = 24 * 3600

AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # a stranger elsewhere cannot lock an organiser out
AXES_USERNAME_CALLABLE = "league.models.people.sign_in_name"
AXES_LOCKOUT_TEMPLATE = "429.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # who signed in when is nobody's business but failures are counted
AXES_IPWARE_PROXY_COUNT = PROXIES
AXES_IPWARE_META_PRECEDENCE_ORDER = ["HTTP_X_FORWARDED_FOR", "REMOTE_ADDR"] if PROXIES else ["REMOTE_ADDR"]

# --- safety ------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "worker-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = SESSION_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = PRODUCTION

SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^health/"]  # asked from inside, without https
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

BODY_LIMIT = 1024 * 1024  # bytes; no body is larger, whatever the door, but a batch of many
BATCH_LIMIT: int = env.int("BORNAGE_BATCH_LIMIT", default=32 * 1024 * 1024)  # bytes
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT
FILE_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 4

# --- languages and time ------------------------------------------------------------------------------------------

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
FORMAT_MODULE_PATH = ["league.formats"]
TIME_ZONE = "UTC"
PAGES_TIME_ZONE: str = env.str("BORNAGE_TIME_ZONE", default="Europe/Paris")  # a championship's pages have its own
try:
    zoneinfo.ZoneInfo(PAGES_TIME_ZONE)
except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as unknown:
    raise ImproperlyConfigured("BORNAGE_TIME_ZONE is none of the IANA database, as Europe/Paris is.") from unknown

# --- static files ------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
if not PRODUCTION:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns of a folder that is not there
WHITENOISE_USE_FINDERS = not PRODUCTION  # nothing to collect on one's own machine
WHITENOISE_AUTOREFRESH = DEBUG

# --- mail --------------------------------------------------------------------------------------------------------

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("BORNAGE_MAIL_FROM", default="bornage@localhost")
MAIL_TO: str = env.str("BORNAGE_MAIL_TO", default="").strip()
if MAIL_TO and not all(MAIL_TO.rpartition("@")[::2]):
    raise ImproperlyConfigured("BORNAGE_MAIL_TO is an address, as in results@club.example")

# --- jobs --------------------------------------------------------------------------------------------------------

BROKER_URL: str = env.str("BROKER_URL", default="")
CELERY_BROKER_URL = BROKER_URL or "memory://localhost/"  # a host, for kombu warns at each job that there is none
CELERY_TASK_ALWAYS_EAGER = not BROKER_URL
CELERY_TASK_EAGER_PROPAGATES = False  # as with a worker: a job's fault is logged, its caller has succeeded
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True  # a job taken by a worker that dies is given to another; jobs are idempotent
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker for ever
# The message only wakes a worker, the row is the truth: a request does not wait for a broker that is down.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "global_keyprefix": env.str("BROKER_PREFIX", default=""),
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "visibility_timeout": 3600,
}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "sweep": {"task": "league.tasks.sweep", "schedule": 30.0},  # seconds
    "sweep-deliveries": {"task": "league.tasks.sweep_deliveries", "schedule": 30.0},
    "sweep-batches": {"task": "league.tasks.sweep_batches", "schedule": 30.0},
    "forget-answers": {"task": "league.tasks.forget_answers", "schedule": 3600.0},
}

# --- webhooks ----------------------------------------------------------------------------------------------------


def _networks() -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    try:
        return [ipaddress.ip_network(text.strip()) for text in env.list("BORNAGE_WEBHOOK_NETWORKS", default=[])]
    except ValueError as error:
        raise ImproperlyConfigured(f"BORNAGE_WEBHOOK_NETWORKS: {error}") from error


WEBHOOK_NETWORKS = _networks()

# --- API ---------------------------------------------------------------------------------------------------------

# Requests of one process that may wait for a change at once; each keeps a thread (bin/web).
FEED_WAITERS: int = env.int("BORNAGE_FEED_WAITERS", default=8)
API_RATES = {
    "reads": env.int("BORNAGE_API_READS", default=600),
    "hand-ins": env.int("BORNAGE_API_HAND_INS", default=600),
    "writes": env.int("BORNAGE_API_WRITES", default=600),
    "costly": env.int("BORNAGE_API_COSTLY", default=30),
}
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.identity.TokenAuthentication",
        "league.api.identity.SessionForReading",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "league.api.negotiation.ByPreference",
    "DEFAULT_METADATA_CLASS": None,  # OPTIONS is answered 405, with Allow
    "DEFAULT_PARSER_CLASSES": [],  # league.api.bodies reads bodies
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "league.api.openapi.Schema",
    "EXCEPTION_HANDLER": "league.api.problems.answer_fault",
    "NUM_PROXIES": PROXIES,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Bornage",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "LICENSE": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
    "POSTPROCESSING_HOOKS": ["league.api.openapi.describe"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SORT_OPERATIONS": False,  # as in league/api/urls.py
    "SWAGGER_UI_DIST": "SIDECAR",
}

# --- log ---------------------------------------------------------------------------------------------------------

LOGGING = log_to_console(as_json=PRODUCTION, level=env.str("BORNAGE_LOG_LEVEL", default="INFO"))
