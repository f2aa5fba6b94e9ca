"""Every setting of Touchstone, read from TOUCHSTONE_* environment variables (docs/deploy.md lists them)."""

import sys
from pathlib import Path

from django.urls import reverse_lazy

from annotation.web import broker, middleware
from config import environment as env
from config import theme

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR", str(BASE_DIR / "var")))

# Offline commands need neither of these. The web server and the worker refuse to start without: config/serving.py.
SECRET_KEY = env.text("SECRET_KEY")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS")
DEBUG = env.switch("DEBUG", default=False)

# Set to 0 only where people reach the site over plain HTTP, as `make run` does on loopback.
HTTPS_ONLY = env.switch("HTTPS_ONLY", default=True)
CSRF_TRUSTED_ORIGINS = env.words("CSRF_ORIGINS")
SECURE_SSL_REDIRECT = HTTPS_ONLY
BEHIND_PROXY = env.switch("BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_REDIRECT_EXEMPT = [r"^health$"]
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_SECURE = HTTPS_ONLY
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS_ONLY else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS_ONLY
SECURE_HSTS_PRELOAD = HTTPS_ONLY
# `same-origin`, for `no-referrer` makes Django's CSRF check refuse a form sent over TLS.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Packages that plug commands, presets and figures in: `agreement/plugins.py` says what they may bring.
TOUCHSTONE_PLUGINS = ["studies"]
INSTALLED_APPS = [
    "unfold",
    "annotation",
    "annotation.releases",
    *TOUCHSTONE_PLUGINS,
    "config.late_admin.LateAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
]

MIDDLEWARE = [
    "annotation.web.security.PermissionsPolicy",
    "django.middleware.security.SecurityMiddleware",
    "annotation.accounts.request_bodies.BodyLimits",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.web.middleware.PagesCompressed",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "annotation.web.middleware.EnglishAdmin",
    "annotation.web.unavailable.TriggersInPlace",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "annotation.web.middleware.Workday",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "annotation.web.security.ContentSecurityPolicy",
    "annotation.web.middleware.UnfitValues",
    "annotation.web.unavailable.DatabaseUnavailable",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "annotation.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = reverse_lazy("admin:login")
LOGIN_REDIRECT_URL = reverse_lazy("admin:index")
# Researchers alone have sessions; annotation/web/middleware.py ends them after twelve hours in any case.
SESSION_COOKIE_AGE = middleware.IDLE_SECONDS

TEMPLATES: list[dict[str, object]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "annotation" / "answering" / "kinds"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotation.media.institution.institution",
            ],
        },
    },
]

DATABASES = {"default": env.database(env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'touchstone.sqlite3'}"))}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("sv", "Svenska"),
    ("zh-hans", "简体中文"),
    ("ar", "العربية"),
]
LOCALE_PATHS = [BASE_DIR / "annotation" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "static/"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    *(
        (f"questions/{own.parent.name}", own)
        for own in sorted((BASE_DIR / "annotation" / "answering" / "kinds").glob("*/static"))
    ),
]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "annotation.web.vega_script.VegaScript",
]
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# Before `collectstatic` has run (a fresh clone's tests, for example) files are found where they lie.
COLLECTS_STATIC = "collectstatic" in sys.argv
WHITENOISE_USE_FINDERS = not COLLECTS_STATIC and not (STATIC_ROOT / "staticfiles.json").exists()
if WHITENOISE_USE_FINDERS:
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

# Signing in by OpenID Connect, beside passwords: docs/accounts.md.
OIDC_PROVIDERS = env.providers(env.text("OIDC_FILE"))
if OIDC_PROVIDERS:
    INSTALLED_APPS += env.OIDC_APPS
    MIDDLEWARE.append(env.OIDC_MIDDLEWARE)
SOCIALACCOUNT_PROVIDERS = env.allauth_providers(OIDC_PROVIDERS)
SOCIALACCOUNT_ADAPTER = "annotation.pages.admin.single_sign_on.Adapter"
SOCIALACCOUNT_STORE_TOKENS = False

# How long a process that has seen the triggers of append-only tables takes them to be there.
TRIGGERS_CHECKED_EVERY_SECONDS = 5

REST_FRAMEWORK = {
    # Never HTTP Basic, which is among the defaults: it would check passwords past the limits of the log-in page.
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotation.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "annotation.api.schema.ScopedSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "annotation.api.parsing.handle",
    "URL_FORMAT_OVERRIDE": None,
}
# Requests that one token, or one network without a token, may send a machine's web processes together in a minute.
API_READS_PER_MINUTE = env.number("API_READS_PER_MINUTE", 600)
API_WRITES_PER_MINUTE = env.number("API_WRITES_PER_MINUTE", 120)
API_VISITS_PER_MINUTE = env.number("API_VISITS_PER_MINUTE", 60)
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "DESCRIPTION": "Collect human judgments, clean them by rules, release gold, and measure models against people.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        name: f"annotation.models.{choices}"
        for name, choices in (
            ("QuestionKind", "question.KINDS_OF_QUESTION"),
            ("StudyStatus", "Study.Status"),
            ("Order", "Study.Order"),
            ("ItemKind", "Item.Kind"),
            ("LinkKind", "EntryLink.Kind"),
            ("JobStatus", "Job.Status"),
            ("ParticipantStatus", "Participation.Status"),
            ("AssignmentStatus", "Assignment.Status"),
            ("PaymentStatus", "Payment.Status"),
            ("WebhookEvent", "Webhook.Event"),
        )
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.api.schema.with_refusals",
    ],
}

UNFOLD = theme.UNFOLD

CELERY_BROKER_URL = env.text("BROKER_URL", "filesystem://")
CELERY_BROKER_TRANSPORT = broker.transport(CELERY_BROKER_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL, VAR_DIR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A request never waits for a broker that does not answer: its job is a row, and the sweep sends it later.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# A running job that has been silent for so long is taken to have lost its worker, and is sent again.
JOB_SILENCE_SECONDS = env.number("JOB_SILENCE_SECONDS", 60)
JOB_ATTEMPTS = env.number("JOB_ATTEMPTS", 5)
SWEEP_SECONDS = env.number("SWEEP_SECONDS", 10)
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
PURGE_SECONDS = 3600
NOTIFY_SECONDS = 60
SUMMARISE_SECONDS = 300
# What could not run before it was due again is dropped.
CELERY_BEAT_SCHEDULE = {
    name.rpartition(".")[2]: {"task": name, "schedule": seconds, "options": {"expires": seconds}}
    for name, seconds in (
        ("annotation.tasks.sweep", SWEEP_SECONDS),
        ("annotation.tasks.expire", SWEEP_SECONDS),
        ("annotation.tasks.purge", PURGE_SECONDS),
        ("annotation.tasks.notify", NOTIFY_SECONDS),
        ("annotation.tasks.tell_webhooks", SWEEP_SECONDS),
        ("annotation.releases.tasks.summarise", SUMMARISE_SECONDS),
    )
}

# Where media lie that are too large for the database (docs/decisions/0028-media-in-a-folder.md).
MEDIA_DIR = Path(env.text("MEDIA_DIR", str(VAR_DIR / "media")))

# E-mails to researchers who asked for them. Without a mail server none is sent, and the page says so.
EMAIL_HOST = env.text("EMAIL_HOST")
SENDS_EMAIL = bool(EMAIL_HOST)
EMAIL_PORT = env.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = env.switch("EMAIL_TLS", default=True)
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if SENDS_EMAIL else 'dummy'}.EmailBackend"
# Whose site this is: a name, and a picture in a file; nothing is shown without them.
INSTITUTION = env.text("INSTITUTION")
INSTITUTION_LOGO = env.text("INSTITUTION_LOGO")

# What e-mails are from, and what the links in them begin with: the first of the public names, if none is given.
FIRST_HOST = next((host.lstrip(".") for host in ALLOWED_HOSTS if host != "*"), "localhost")
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", f"touchstone@{FIRST_HOST}")
PUBLIC_ADDRESS = env.text("PUBLIC_ADDRESS", f"{'https' if HTTPS_ONLY else 'http'}://{FIRST_HOST}").rstrip("/")

# Whether webhooks may go to machines of private networks, and by plain HTTP: for a lab that receives them on its own.
WEBHOOKS_TO_PRIVATE = env.switch("WEBHOOKS_TO_PRIVATE", default=False)

# Where the keys are that Prolific signs its links with (Secured External URL).
PROLIFIC_JWKS_URL = env.web_address("PROLIFIC_JWKS_URL", "https://api.prolific.com/.well-known/study/jwks.json")

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FILES = 500  # pictures with a file of items; more of them come in a zip
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    # Addresses authorise, and platforms put people's ids in them: neither is written down.
    "filters": {
        "refusals": {"()": "annotation.web.security.RefusalsInOneLine"},
        "masked": {"()": "annotation.web.security.MaskSecrets"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["refusals", "masked"]},
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "WARNING")},
}
