"""How forms look: label, hint, faults and field, tied together for those who cannot see them."""

from django.forms.renderers import TemplatesSetting


class SiteRenderer(TemplatesSetting):
    """Renders forms by templates/forms/: `{{ form }}` whole, or `{{ form.name.as_field_group }}` one by one.

    Django itself ties hint and faults to their field (aria-describedby) under the ids that those templates use.
    """

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
