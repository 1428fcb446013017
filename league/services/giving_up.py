"""A webhook that is not sent to any more: noted, and its owners told by mail, once."""

from django.utils.translation import gettext as _

from league.delivery_words import WHY
from league.models import Membership, Webhook, WebhookState
from league.policy import ANYBODY, Action, roles_that_may
from league.services import audit
from league.services.mail import send_after_commit


def give_up(webhook: Webhook, state: WebhookState, error: str) -> None:
    """Stop sending to a locked webhook; those who may change its championship are told after the transaction.

    `error`: why, a key of `delivery_words.WHY`.
    """
    before = webhook.state
    webhook.state = state
    webhook.version += 1
    webhook.save(update_fields=["state", "version"])
    audit.record(
        actor=ANYBODY,
        action="give_up_webhook",
        on=webhook,
        championship=webhook.championship,
        before={"state": before},
        after={"state": state.value},
    )
    people = Membership.objects.filter(
        championship=webhook.championship, role__in=roles_that_may(Action.CHANGE), user__is_active=True
    )
    subject = _("Webhook stopped: %(championship)s") % {"championship": webhook.championship.name}
    body = "\n\n".join(
        (
            _("Messages of this championship do not arrive any more at:\n%(url)s") % {"url": webhook.url},
            str(WHY[error]),
            _("They wait. Look at the deliveries in the settings of the championship, then resume the webhook."),
        )
    )
    for address in people.order_by("pk").values_list("user__email", flat=True):
        send_after_commit(address, subject, body)
