"""The addresses of webhooks."""

from django.urls import URLPattern, path

from league.api import webhooks

_ALL = "championships/<slug:slug>/webhooks"
_ONE = f"{_ALL}/<int:webhook>"
_MESSAGE = f"{_ONE}/deliveries/<slug:message>"


def paths() -> list[URLPattern]:
    """Below a championship, for whoever may change it."""
    return [
        path(_ALL, webhooks.WebhooksView.as_view(), name="api-webhooks"),
        path(_ONE, webhooks.WebhookView.as_view(), name="api-webhook"),
        path(f"{_ONE}/pause", webhooks.PauseWebhookView.as_view(), name="api-webhook-pause"),
        path(f"{_ONE}/resume", webhooks.ResumeWebhookView.as_view(), name="api-webhook-resume"),
        path(f"{_ONE}/secret", webhooks.WebhookSecretView.as_view(), name="api-webhook-secret"),
        path(f"{_ONE}/test", webhooks.WebhookTestView.as_view(), name="api-webhook-test"),
        path(f"{_ONE}/deliveries", webhooks.DeliveriesView.as_view(), name="api-webhook-deliveries"),
        path(_MESSAGE, webhooks.DeliveryView.as_view(), name="api-webhook-delivery"),
        path(f"{_MESSAGE}/resend", webhooks.ResendView.as_view(), name="api-webhook-resend"),
    ]
