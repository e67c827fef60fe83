"""The Celery application. A worker's command is `celery -A campaigns.conf.celery worker`."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaigns.conf.settings")

app = Celery("sitrep")
app.set_default()  # for the threads of the web process too
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["campaigns"])
