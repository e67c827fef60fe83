"""The journal refuses to be changed."""

from django.db import migrations

from campaigns.models import append_only


def install(apps, schema_editor):
    append_only.install(schema_editor.connection)


def lift(apps, schema_editor):
    append_only.lift(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0001_initial")]
    operations = [migrations.RunPython(install, lift)]
