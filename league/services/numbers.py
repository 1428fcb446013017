"""Numbers that other systems gave a player: a federation's, an online server's."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import PlayerNumber
from league.names import tidy
from league.policy import Actor
from league.services import audit
from league.services.locks import lock_player_rows
from league.services.people import require_living


@transaction.atomic
def add_number(*, actor: Actor, player_id: int, system: str, number: str) -> PlayerNumber:
    """Note a number of a player. Noted already, it is returned. The audit says which system, not the number.

    Raises NotFound, Faults, Conflict `number-taken` when another player has it, `profile-gone`.
    """
    player = lock_player_rows([player_id])[player_id]
    require_living(player)
    texts = {"system": (tidy(system), 40), "number": ("".join(tidy(number).split()), 60)}
    faults: list[UserFault] = []
    for field, (text, limit) in texts.items():
        if not text:
            faults.append(UserFault("required", _("Fill this in."), field=field))
        elif len(text) > limit:
            faults.append(
                UserFault("too-long", _("At most %(limit)s characters, please.") % {"limit": limit}, field=field)
            )
    all_of(faults)
    by, said = texts["system"][0], texts["number"][0]
    try:
        with transaction.atomic():
            noted, is_new = PlayerNumber.objects.get_or_create(system=by, number=said, defaults={"player": player})
    except IntegrityError:  # noted at this very moment
        noted, is_new = PlayerNumber.objects.get(system=by, number=said), False
    if noted.player_id != player_id:
        message = _("%(name)s has this number: is it the same person?") % {"name": noted.player.name}
        raise Conflict("number-taken", message, field="number", extra={"player": noted.player_id})
    if is_new:
        audit.record(actor=actor, action="add_number", on=player, after={"system": by})
    return noted


@transaction.atomic
def remove_number(*, actor: Actor, player_id: int, number_id: int) -> None:
    """Take a number off a player. Raises NotFound."""
    player = lock_player_rows([player_id])[player_id]
    noted = PlayerNumber.objects.filter(pk=number_id, player=player).first()
    if noted is None:
        raise NotFound
    audit.record(actor=actor, action="remove_number", on=player, before={"system": noted.system})
    noted.delete()
