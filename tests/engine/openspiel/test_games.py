"""The games in OpenSpiel: `make openspiel` installs it and runs these tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine.game import PUBLIC
from tests.support.spiel_playthroughs import CHOICES, FOLDER, GAMES, file_of, limited, playthroughs

ROOT = Path(__file__).parents[3]

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make openspiel")

SHORT = ("starpost_wormholes", "starpost_warp6(setup=secret)", "starpost_tomtube")


@pytest.fixture(autouse=True)
def registered() -> None:
    import engine.openspiel.games  # noqa: F401, PLC0415 - it needs OpenSpiel


def one_of(state: Any) -> int:
    """Return an action or outcome; the first outcomes alone would tie again and again."""
    legal = state.legal_actions()
    return int(legal[len(state.history()) % len(legal)])


@pytest.mark.parametrize("text", GAMES)
def test_the_random_simulation_of_openspiel_passes(text: str) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_each_value_of_each_option_is_tried() -> None:
    for name in games.names():
        options = games.get(name).options
        tried = [pyspiel.load_game(text).terms for text in GAMES if f"_{name}" in text]
        for option, values in options.items():
            if not option.startswith("launch"):
                assert {dict(terms.options)[option] for terms in tried} == set(values)
        assert {terms.rules for terms in tried} == set(games.get(name).rules)


@pytest.mark.parametrize("text", GAMES)
def test_the_stored_playthrough_is_played_again(text: str) -> None:
    stored, played = playthroughs().replay(file_of(text))
    assert played.splitlines() == stored.splitlines()
    assert "InformationStateString(0)" in stored
    assert "ObservationString(1)" in stored
    assert stored.startswith(f"game: {limited(text, CHOICES)}\n")


def test_each_stored_playthrough_is_of_a_game() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_of(text).name for text in GAMES}


@pytest.mark.parametrize("text", SHORT)
def test_public_observation_is_what_spectators_see(text: str) -> None:
    from open_spiel.python.observation import make_observation  # noqa: PLC0415

    game = pyspiel.load_game(text)
    state = game.new_initial_state()
    for _ in range(30):
        state.apply_action(state.legal_actions()[0])
    kinds = (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    observations = [
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=False, private_info=kind))
        for kind in kinds
    ]
    public, private = (
        [observation.string_from(state, player) for player in (0, 1)]
        for observation in observations
    )
    assert public == [state.position.observation(PUBLIC)] * 2
    assert private == [state.position.observation(seat) for seat in state.position.terms.seats]


@pytest.mark.parametrize("text", SHORT)
def test_a_resampled_state_has_the_same_information(text: str) -> None:
    import numpy as np  # noqa: PLC0415 - it comes with OpenSpiel

    random = np.random.RandomState(1)
    state = pyspiel.load_game(text).new_initial_state()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for _ in range(80):
        player = state.current_player()
        if player >= 0:
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions()
            assert len(other.history()) == len(state.history())
        state.apply_action(int(random.choice(state.legal_actions())))


@pytest.mark.parametrize("text", SHORT[:2])
def test_ismcts_plays_a_match(text: str) -> None:
    import numpy as np  # noqa: PLC0415 - it comes with OpenSpiel
    from open_spiel.python.algorithms import ismcts, mcts  # noqa: PLC0415

    game, random = pyspiel.load_game(limited(text, 30)), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, random), 2.0, 4, random_state=random
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, parts = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(numbers, p=parts)))
        else:
            state.apply_action(int(bot.step(state)))
    assert sum(state.returns()) == 0


@pytest.mark.parametrize("text", SHORT)
@pytest.mark.parametrize("kind", ["OBSERVATION", "INFORMATION_STATE"])
def test_q_learning_learns_from_tensors(text: str, kind: str) -> None:
    """`rl_environment` gives its agents tensors and nothing else."""
    from open_spiel.python import rl_environment  # noqa: PLC0415 - it comes with OpenSpiel
    from open_spiel.python.algorithms import tabular_qlearner  # noqa: PLC0415

    observed = getattr(rl_environment.ObservationType, kind)
    environment = rl_environment.Environment(
        pyspiel.load_game(limited(text, 40)), observation_type=observed
    )
    environment.seed(1)
    size = environment.observation_spec()["info_state"][0]
    agents = [
        tabular_qlearner.QLearner(player, environment.action_spec()["num_actions"])
        for player in range(environment.num_players)
    ]
    for _ in range(2):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            assert len(step.observations["info_state"][player]) == size
            step = environment.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
    assert all(len(agent._q_values) > 5 for agent in agents)
    assert all(agent._last_loss_value is not None for agent in agents)


@pytest.mark.parametrize("text", SHORT)
def test_outcome_sampling_mccfr_makes_a_policy(text: str) -> None:
    from open_spiel.python.algorithms import outcome_sampling_mccfr  # noqa: PLC0415

    game = pyspiel.load_game(limited(text, 12))
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(4):
        solver.iteration()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(one_of(state))
    policy = solver.average_policy().action_probabilities(state)
    assert set(policy) == set(state.legal_actions())
    assert sum(policy.values()) == pytest.approx(1)


@pytest.mark.parametrize("text", SHORT)
def test_tensors_are_the_numbers_of_the_position(text: str) -> None:
    import numpy as np  # noqa: PLC0415 - it comes with OpenSpiel

    game = pyspiel.load_game(limited(text, 20))
    state = game.new_initial_state()
    while not state.is_terminal():
        for player, seat in enumerate(state.position.terms.seats):
            for tensor, parts in (
                (state.observation_tensor(player), state.position.observed(seat)),
                (state.information_state_tensor(player), state.position.recalled(seat)),
            ):
                numbers = [number for part in parts.values() for number in part]
                assert np.array_equal(tensor, np.array(numbers, np.float32))
        state.apply_action(one_of(state))


def test_no_such_rules_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rules is one of v0\.6, v0\.6-long, v0\.5\.2"):
        pyspiel.load_game("starpost_wormholes", {"rules": "0.7"})


def test_the_example_of_the_page_runs() -> None:
    page = (ROOT / "docs" / "developers" / "openspiel.md").read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    assert len(code.splitlines()) <= 10
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        cwd=ROOT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[")
