"""The operators' desk: rows to look at, few to change; the journal may only be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from campaigns import models
from campaigns.forms.sign_in import OperatorSignInForm

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[models.Line, models.Posting]
else:
    ModelAdmin, Inline = admin.ModelAdmin, admin.TabularInline


admin.site.login_form = OperatorSignInForm


class ReadOnly(ModelAdmin):
    """May be looked at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(models.Campaign)
class Campaigns(ReadOnly):
    list_display = ("title", "ruleset", "state", "created_at")
    list_filter = ("state", "ruleset")
    search_fields = ("title", "slug")


@admin.register(models.Seat)
class Seats(ReadOnly):
    list_display = ("user", "campaign", "role", "side")
    list_filter = ("role",)
    search_fields = ("user__username", "campaign__title")


@admin.register(models.Battle)
class Battles(ReadOnly):
    list_display = ("title", "campaign", "turn", "state", "attempt")
    list_filter = ("state",)


@admin.register(models.Job)
class Jobs(ReadOnly):
    list_display = ("uid", "task", "battle", "state", "attempt", "heartbeat_at", "error")
    list_filter = ("state", "task")


class Lines(Inline):
    model = models.Line
    extra = 0
    can_delete = False
    fields = readonly_fields = ("account", "item_name", "quantity", "cause")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(models.Posting)
class Postings(ReadOnly):
    list_display = ("uid", "campaign", "turn", "kind", "actor_name", "reason", "created_at")
    list_filter = ("kind",)
    inlines = (Lines,)


@admin.register(models.InstalledPack)
class Packs(ReadOnly):
    list_display = ("title", "key", "ruleset", "loaded_at")
    exclude = ("document",)
