"""No side's key is a word that means an audience, an outcome or nobody."""

from django.core.management.base import CommandError
from django.db import migrations, models

WORDS = ('all', 'as', 'draw', 'failed', 'loss', 'myself', 'nobody', 'none', 'organiser', 'public', 'referee', 'spectator', 'staff', 'unknown', 'win')


def say_which(apps, schema_editor):
    """A constraint that rows break would only say its own name."""
    Side = apps.get_model('campaigns', 'Side')
    found = Side.objects.filter(key__in=WORDS).select_related('campaign').first()
    if found is not None:
        raise CommandError(
            f'The campaign "{found.campaign.title}" ({found.campaign.slug}) has a side with the key'
            f' "{found.key}", under which it read what was not its own. Delete the campaign'
            ' with the version of Sitrep that made it, then migrate again.'
        )


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0008_api_tokens'),
    ]

    operations = [
        migrations.RunPython(say_which, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='side',
            constraint=models.CheckConstraint(condition=models.Q(('key__in', WORDS), _negated=True), name='a_side_is_named_by_no_audience'),
        ),
    ]
