"""The journal refuses to be replaced, too."""

from django.db import migrations

from campaigns.models import append_only


def install(apps, schema_editor):
    append_only.install(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0002_append_only")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
