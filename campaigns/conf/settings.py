"""One settings file, driven by the environment.

Without any variable it is the embedded profile: SQLite, a Celery broker made of files, both
under `var/`. `DATABASE_URL` and `CELERY_BROKER_URL` make it the server profile. The secret key
is made on the first start and kept in `var/`; there is no default one.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()


def _whole(name: str, default: int) -> int:
    """A variable that is a whole number, 1 at least."""
    text = env.str(name, default=str(default)).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text)):
        raise ImproperlyConfigured(f"{name}: {text!r} is not a whole number from 1 up.")
    return int(text)


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"SITREP_VAR: Sitrep cannot write to the folder {VAR_DIR} ({error.strerror})."
            " Name one that it may make or write to."
        ) from error


BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(env.str("SITREP_VAR", default=str(BASE_DIR / "var")))
with _written():
    VAR_DIR.mkdir(parents=True, exist_ok=True)
PACKS_DIR = BASE_DIR / "fixtures" / "packs"


def _secret_key() -> str:
    """The key of this installation, made once and readable by its owner only."""
    path = VAR_DIR / "secret-key"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = path.read_text().strip()
        if kept:
            return kept
        handle = os.open(path, os.O_WRONLY | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        key = secrets.token_urlsafe(64)
        file.write(key + "\n")
    return key


SECRET_KEY_GIVEN = bool(env.str("SECRET_KEY", default=""))
with _written():
    SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()
DEBUG = env.bool("DEBUG", default=False)
SERVER = bool(env.str("DATABASE_URL", default="").startswith(("postgres", "psql")))
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "campaigns",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "campaigns.views.characters.refuse_nul",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "campaigns.conf.urls"
WSGI_APPLICATION = "campaigns.conf.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- stores ----------------------------------------------------------------------------------

DATABASES: dict[str, Any] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'sitrep.sqlite3'}")
}
if "ENGINE" not in DATABASES["default"]:
    raise ImproperlyConfigured(
        "DATABASE_URL: no address of a database. It is like postgres://user:password@host:5432/name."
    )
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue instead of failing: a transaction takes the write lock when it begins.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# What is counted of wrong passwords and bad tokens: in Redis for all processes together, in the
# memory of the one web process where there is none.
CACHES: dict[str, Any] = {"default": env.cache("CACHE_URL", default="locmemcache://")}
_redis = env.str("CELERY_BROKER_URL", default="")
if _redis.startswith(("redis://", "rediss://")) and not env.str("CACHE_URL", default=""):
    CACHES = {
        "default": {
            "BACKEND": "campaigns.conf.shared_counts.SharedCounts",
            "LOCATION": _redis,
            "KEY_PREFIX": "sitrep",
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
        },
        "alone": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    }

# --- people ----------------------------------------------------------------------------------

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
INVITATION_DAYS = _whole("INVITATION_DAYS", 14)
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600

# --- language and time -----------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

# --- files the browser asks for --------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
with _written():
    STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# --- safety ----------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
HTTPS = env.bool("HTTPS", default=SERVER and not DEBUG)
if HTTPS:
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=True)
    SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=True)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
# A club's own network has no certificates: what only matters under https is not warned of there.
SILENCED_SYSTEM_CHECKS = (
    [] if HTTPS else ["security.W004", "security.W008", "security.W012", "security.W016"]
)

# --- the API ---------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "campaigns.api.tokens.Bearer",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "campaigns.api.problem.handler",
}
KNOX_TOKEN_MODEL = "campaigns.ApiToken"
# The prefix lets scanners of published code recognise a token that was committed by mistake.
REST_KNOX: dict[str, Any] = {"TOKEN_MODEL": KNOX_TOKEN_MODEL, "TOKEN_PREFIX": "sitrep_"}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Sitrep",
    "VERSION": "1",
    "DESCRIPTION": (
        "Campaigns, orders of battle, battles and the ledger, as JSON. Sign in with a token"
        " (`Authorization: Bearer ...`) or use the session of the pages, with its CSRF token in"
        " `X-CSRFToken` where something is changed. What is hidden from you is not there."
    ),
    "OAS_VERSION": "3.1.1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["campaigns.api.schema.complete"],
    "SCHEMA_PATH_PREFIX": r"/api/v[0-9]",
}

# --- the worker ------------------------------------------------------------------------------

BROKER_DIR = VAR_DIR / "broker"
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://localhost/")
ALLOW_EMBEDDED_BROKER = env.bool("ALLOW_EMBEDDED_BROKER", default=False)
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {}
if CELERY_BROKER_URL.startswith("filesystem://"):
    for _folder in ("messages", "control", "done"):
        with _written():
            (BROKER_DIR / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "messages"),
        "data_folder_out": str(BROKER_DIR / "messages"),
        "control_folder": str(BROKER_DIR / "control"),
        # The transport looks once a second by default, which is one task a second.
        "polling_interval": 0.1,
        "store_processed": False,
    }
elif CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 5}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False  # the lease recovers a lost battle, not the broker
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE
CELERY_TASK_DEFAULT_QUEUE = "battles"
CELERY_TASK_TIME_LIMIT = _whole("TASK_TIME_LIMIT", 600)
CELERY_TASK_SOFT_TIME_LIMIT = CELERY_TASK_TIME_LIMIT - 10
CELERY_TASK_PUBLISH_RETRY = False  # a message that cannot be sent is sent by the next tick
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "tick": {
        "task": "tick",
        "schedule": 5.0,
        "options": {"queue": "battles", "expires": 5.0},
    },
    "pulse of the bulk workers": {
        "task": "pulse",
        "args": ["bulk"],
        "schedule": 15.0,
        "options": {"queue": "bulk", "expires": 15.0},
    },
}
JOB_LEASE_SECONDS = _whole("JOB_LEASE_SECONDS", 20)
JOB_MAX_ATTEMPTS = 5  # three gave healthy battles up where workers were killed every few seconds
BATTLE_EVENT_CAP = _whole("BATTLE_EVENT_CAP", 200_000)

_level = env.str("LOG_LEVEL", default="")
if _level and _level not in logging.getLevelNamesMapping():
    raise ImproperlyConfigured(f"LOG_LEVEL: {_level!r} is none of DEBUG, INFO, WARNING and ERROR.")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"short": {"()": "campaigns.conf.logs.Short"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["short"],
        }
    },
    "root": {"handlers": ["stderr"], "level": _level or "WARNING"},
    "loggers": {"campaigns": {"level": _level or "INFO"}},
}
