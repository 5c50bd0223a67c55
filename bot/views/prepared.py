"""Positions of the rulebook, as shown in lessons, puzzles and positions of the day."""

from __future__ import annotations

from collections.abc import Iterator

from bot.i18n import sides
from bot.rulebook.lessons import Place, Step, TryResult
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import PageTarget, PuzzleId, RulesId
from engine.game import Action, View
from render import for_game
from render.hints import Reasons, reasons_text
from render.i18n import _

POSITION_FILE = "position.png"


def known(view: View) -> list[str]:
    """Return the knowledge of a puzzle's player that the picture does not show."""
    return [f"-# {line}" for line in for_game(view.game).hand(view).splitlines()]


def chosen(view: View, path: str) -> list[str]:
    """Return the beginning of a choice that a path leads to."""
    verb, *args = path.partition("/")[0].split() or [""]
    if not args:
        return []
    label = for_game(view.game).label(view, Action(view.seat, verb, tuple(args)))
    return [_("Chosen: {step}").format(step=label)]


def cost_of(step: Step, tried: TryResult) -> str:
    """Return the cost of a choice in a puzzle."""
    words = _(
        "By my estimate you'd then win about {value} of 100 matches from here, "
        "and {best} of 100 after the best choice."
    )
    if tried.value is None:
        words = _(
            "Not a serious option; the best choice wins about {best} of 100 matches from here."
        )
    return words.format(value=tried.value, best=step.values[0][1])


def compared(step: Step) -> str:
    """Return the gain of a puzzle's best choice over the next best."""
    (_name, best), (_other, second) = step.values[:2]
    words = _(
        "-# By my estimate it wins about {best} of 100 matches from here; the next best {second}."
    )
    return words.format(best=best, second=second)


def question_of(place: Place) -> Iterator[str]:
    """Yield the question of a puzzle, and the knowledge of the player to move."""
    view, names = place.view, sides(place.game)
    yield _("**{player}** to move. What's best?").format(player=names[view.seat])
    yield f"-# {for_game(place.game).prompt(view, names)}"
    yield from known(view)


def own_choice(
    place: Place, tried: TryResult | None, best: tuple[Action, Reasons]
) -> Iterator[str]:
    """Yield a user's choice in a puzzle, its cost, and the best choice."""
    if tried and tried.right:
        yield _("**You found it!**")
    elif tried:
        yield _("You chose **{action}**.").format(action=label_of(place, tried.action.notation))
        yield cost_of(place.step, tried)
    else:
        yield _("You didn't answer this one.")
    yield best_choice(place, *best)
    if tried is None or tried.right:
        yield compared(place.step)


def best_choice(place: Place, action: Action, reasons: Reasons) -> str:
    """Return the best choice of a puzzle, and the arguments for it."""
    words = _("The best choice for {player}: **{action}** – {reasons}.")
    return words.format(
        player=sides(place.game)[place.step.seat],
        action=for_game(place.game).label(place.view, action),
        reasons=reasons_text(place.game, reasons, players=sides(place.game)),
    )


def label_of(place: Place, line: str) -> str:
    """Return a choice as its button names it; in the notation if it is no longer legal."""
    view = place.view
    legal_action = next((action for action in view.legal if action.notation == line), None)
    return line if legal_action is None else for_game(place.game).label(view, legal_action)


def rule_button(place: Place) -> tuple[ui.Button, ...]:
    """Return the button to the rule of a decision, if it has one."""
    rule = for_game(place.game).rule(place.view)
    words = _("Rule {rule}").format(rule=rule)
    return (button(words, RulesId(place.game, rule, PageTarget.OPEN)),) if rule else ()


def puzzle_button(game: str) -> ui.Button:
    """Return the button to a puzzle of a game."""
    return button(_("Another puzzle"), PuzzleId(game))


def alt_of(view: View) -> str:
    """Return the alternative text of the picture of a position without a match."""
    return for_game(view.game).alt_text(view, sides(view.game))
