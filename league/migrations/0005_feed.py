"""The feed of changes begins: its triggers, its head, and a line for everything that is there already."""

from django.db import migrations, models

from league.triggers.install import FeedBegins, WithTriggers


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0004_webhooks"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="change",
            name="league_change_once",
        ),
        migrations.RemoveIndex(
            model_name="change",
            name="league_change_pending",
        ),
        migrations.AddField(
            model_name="change",
            name="listed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="change",
            constraint=models.UniqueConstraint(
                condition=models.Q(("position__isnull", True)),
                fields=("transaction", "kind", "object_id", "listed"),
                name="league_change_once",
            ),
        ),
        FeedBegins(),
        WithTriggers(),
    ]
