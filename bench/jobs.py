"""The yardstick of batches, done by the same workers: the least that a job can do with the lines of a lane."""

import hashlib

from celery import shared_task
from django.db import transaction

from league.models import BatchItem, Document


@shared_task
def insert_rows(batch_id: int, lane: int, up_to: int, run: str) -> None:
    """Insert the bytes of a lane's lines up to `up_to`, each in a transaction of its own; nothing is read or judged."""
    items = BatchItem.objects.filter(batch=batch_id, lane=lane, line__lte=up_to).values_list("line", "body")
    for line, body in items.iterator(chunk_size=20):
        digest = hashlib.sha256(f"{run} {line}".encode() + bytes(body)).hexdigest()
        with transaction.atomic():
            Document.objects.create(sha256=digest, body=bytes(body), media="json")
