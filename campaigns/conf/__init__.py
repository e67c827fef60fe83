"""How the product is wired: settings, addresses, Celery, WSGI."""
