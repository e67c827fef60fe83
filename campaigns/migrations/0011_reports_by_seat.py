"""Reports sent before they kept their side were of the side where their author sat."""

from django.db import migrations


def from_the_seat(apps, schema_editor):
    ResultDraft = apps.get_model('campaigns', 'ResultDraft')
    Seat = apps.get_model('campaigns', 'Seat')
    for draft in ResultDraft.objects.filter(submitted_at__isnull=False).select_related('battle'):
        seat = Seat.objects.filter(campaign_id=draft.battle.campaign_id, user_id=draft.author_id).first()
        if seat is not None and seat.side_id is not None:
            ResultDraft.objects.filter(pk=draft.pk).update(side_id=seat.side_id)


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0010_side_of_a_report'),
    ]

    operations = [
        migrations.RunPython(from_the_seat, migrations.RunPython.noop),
    ]
