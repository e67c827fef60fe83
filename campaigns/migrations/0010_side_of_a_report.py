"""A report keeps the side it was sent for."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0009_side_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='resultdraft',
            name='side',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='campaigns.side'),
        ),
    ]
