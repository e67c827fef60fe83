#!/usr/bin/env python3
"""Django's command line: `manage.py up`, `loadpack`, `reconcile`, `demo` and the usual ones."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaigns.conf.settings")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        _ = settings.INSTALLED_APPS
    except ImproperlyConfigured as fault:
        sys.exit(f"Sitrep cannot start. {fault}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
