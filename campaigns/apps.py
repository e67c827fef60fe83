"""The application's entry in Django's registry."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"
    verbose_name = "Sitrep"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import checks  # noqa: F401 registers the system checks
