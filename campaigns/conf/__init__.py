"""How the product is wired: settings, addresses, Celery, WSGI.

The Celery application is made with the settings, so that every process sends to its broker.
"""

from campaigns.conf.celery import app as celery_app

__all__ = ["celery_app"]
