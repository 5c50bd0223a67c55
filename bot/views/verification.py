"""Messages that verify the dice and the computer's choices."""

from __future__ import annotations

from bot.domain.computer_audit import AuditError
from bot.domain.models import Match
from bot.sanitize import escape
from bot.views import ui
from bot.views.attachments import record_file
from bot.views.controls import button
from bot.views.custom_ids import DiceId, VerifyId
from bot.views.message import Message, layout_of, note
from bot.views.names import title_of
from engine.computer.choosers import Audit
from engine.record import Record
from render.i18n import N_, _, ngettext

_COMMITMENT_BROKEN = N_("⚠️ **The dice seed of this match doesn't match its commitment.**")


def verified(match: Match, record: Record, rolls: int, *more: str) -> Message:
    """Return the message that confirms that all dice of a finished match follow from its seed.

    Args:
        rolls: number of rolls.
    """
    text = ngettext(
        "The {count} roll of {match} follows from the seed committed to before the match.",
        "All {count} rolls of {match} follow from the seed committed to before the match.",
        rolls,
    ).format(count=rolls, match=title_of(match))
    if match.commitment_late:
        words = _(
            "-# This match is older than my record of commitments; its commitment was added at "
            "an upgrade. Compare it with the one in the challenge, if you noted it."
        )
        text = f"{text}\n{words}"
    if match.lines_taken_over:
        words = _(
            "-# The dice before the start of this match come from the record it was taken over"
            " from."
        )
        text = f"{text}\n{words}"
    return _proof(match, record, "\n".join((text, *more)))


def audit_line(audit: Audit | None) -> str:
    """Return the result of choosing again for the computer; None while it is being done."""
    if audit is None:
        return _("I'm checking the computer's moves …")
    line = ngettext(
        "The {count} move of the computer follows from what its side knew, and from the seed.",
        "All {count} moves of the computer follow from what its side knew, and from the seed.",
        audit.checked,
    ).format(count=audit.checked)
    if not audit.unknown:
        return line
    words = ngettext(
        "{count} move is by another version of the computer and can't be checked here.",
        "{count} moves are by another version of the computer and can't be checked here.",
        audit.unknown,
    )
    return f"{line}\n-# {words.format(count=audit.unknown)}"


def failed_audit_line(error: AuditError) -> str:
    """Return the reason why the computer's choices are not verified."""
    if error.differs:
        return _("⚠️ **The computer's moves can't be verified:** another move was expected.")
    return _("The computer's moves couldn't be checked this time; the command below does that.")


def unverified(match: Match, record: Record, reason: str) -> Message:
    """Return the message that the dice of a match contradict its published commitment."""
    head = _("**The dice of {match} can't be verified.**").format(match=title_of(match))
    return _proof(match, record, f"{head}\n{escape(reason)}")


def _proof(match: Match, record: Record, text: str) -> Message:
    """Return the result, with all data needed to verify it without this bot."""
    name = f"{match.game}-{match.id}.match"
    proof = _("-# Commitment: {commitment}\n-# Seed: {seed}\nCheck it yourself: {command}").format(
        commitment=record.headers["Dice"],
        seed=record.headers["Seed"],
        command=f"`starpost engine verify {name} --commitment …`",
    )
    data = record_file(record, name)
    display = ui.TextDisplay(f"{text}\n{proof}")
    return Message(layout_of(display, ui.File(f"attachment://{name}")), (data,))


def dice_button(match: Match, published: str = "") -> ui.Button:
    """Return the button that shows the dice commitment; its custom_id publishes it.

    Args:
        published: the commitment in the message that the button belongs to; by default the stored
            one.
    """
    return button(_("Dice"), DiceId(match.id, published or match.commitment))


def verify_button(match: Match) -> ui.Button:
    """Return the button that recomputes the dice of a finished match."""
    return button(_("Verify the dice"), VerifyId(match.id))


def commitment_warnings(match: Match) -> list[str]:
    """Return a warning if the seed is not the one that was committed to; usually nothing."""
    return [] if match.commitment_holds else [_(_COMMITMENT_BROKEN)]


def dice(match: Match, published: str, seed: str) -> Message:
    """Return the dice commitment of a match, and how to check it.

    Args:
        published: the commitment in the custom_id of the clicked button; empty if it has none.
        seed: the seed in hexadecimal digits; empty before the end of the match.
    """
    about = _(
        "A secret seed, chosen before the match, decides all dice; this is its fingerprint. Keep a "
        "copy: after the match, *Dice* reveals the seed, and anyone can check both."
    )
    if seed:
        about = _("The match is over; its dice can be verified against this fingerprint.")
    lines = [
        _("**Dice of {match}**").format(match=title_of(match)),
        f"`{published or match.commitment}`",
        about,
    ]
    if seed:
        lines.append(_("-# Dice seed: {seed}").format(seed=f"`{seed}`"))
    if published and published != match.commitment:
        words = _("⚠️ **This was published, but I have stored another commitment:** {commitment}")
        lines.append(words.format(commitment=f"`{match.commitment}`"))
    rows = [ui.ActionRow(verify_button(match))] if seed else []
    return note("\n".join((*lines, *commitment_warnings(match))), *rows)
