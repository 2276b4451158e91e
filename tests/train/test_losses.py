"""Advantages by hand, masked categoricals, the clipped loss."""

import numpy as np
import pytest
import torch

from agents.nets import MaskedCategorical, candidates
from train.losses import advantages, explained_variance, policy_loss, value_loss


def test_a_four_move_game_by_hand():
    """Seats 0, 1, 0, 1. Seat 0 gains 2 by its first move and loses 3 by the reply; seat 1's last move pays it 5."""
    rewards = np.array([[[2, -2]], [[-3, 3]], [[0, 0]], [[-5, 5]]], np.float32)
    values = np.array([[0.5], [0.25], [1.0], [-1.0]], np.float32)
    seats = np.array([[0], [1], [0], [1]], np.int8)
    ended = np.array([[False], [False], [False], [True]])
    got, known = advantages(rewards, values, seats, ended, gamma=0.9, gae_lambda=0.5)
    # Seat 0: its first decision is paid 2 - 3, its next value is that of its own second decision.
    second_0 = (0 - 5) + 0.0 - 1.0
    first_0 = (2 - 3) + 0.9 * 1.0 - 0.5 + 0.9 * 0.5 * second_0
    # Seat 1: paid -2 before its first decision, which belongs to nobody; then 3 + 0 until its second.
    second_1 = 5 + 0.0 - -1.0
    first_1 = (3 + 0) + 0.9 * -1.0 - 0.25 + 0.9 * 0.5 * second_1
    assert got[:, 0] == pytest.approx([first_0, first_1, second_0, second_1])
    assert known.all()


def test_a_decision_whose_answer_lies_beyond_the_rollout_is_not_trained_on():
    rewards = np.ones((3, 1, 2), np.float32)
    values = np.array([[1.0], [2.0], [4.0]], np.float32)
    seats = np.array([[0], [1], [0]], np.int8)
    got, known = advantages(rewards, values, seats, np.zeros((3, 1), bool), 1.0, 0.95)
    assert known[:, 0].tolist() == [True, False, False]
    assert got[:, 0].tolist() == [pytest.approx(1 + 1 + 4 - 1), 0, 0]


def test_nothing_leaks_from_one_episode_into_the_one_before():
    rewards = np.array([[[1, -1]], [[0, 0]], [[100, -100]]], np.float32)
    seats = np.array([[0], [0], [1]], np.int8)
    ended = np.array([[True], [False], [True]])
    got, known = advantages(rewards, np.zeros((3, 1), np.float32), seats, ended, 1.0, 0.95)
    assert got[:, 0].tolist() == [1, 100, -100]
    assert known.all()


def test_three_seats_each_follow_their_own():
    rewards = np.zeros((6, 1, 3), np.float32)
    rewards[4, 0] = [6, -3, -3]
    rewards[5, 0] = [0, 1, -1]
    seats = np.array([[0], [1], [2], [0], [1], [2]], np.int8)
    ended = np.zeros((6, 1), bool)
    ended[5] = True
    got, _ = advantages(rewards, np.zeros((6, 1), np.float32), seats, ended, 1.0, 1.0)
    assert got[:, 0].tolist() == [6, -2, -4, 6, -2, -1]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("scale", [1.0, 100.0, 1e4])
def test_a_million_samples_none_of_them_illegal(dtype, scale):
    generator = torch.Generator().manual_seed(1)
    logits = (torch.randn(170_000, 52, generator=generator) * scale).to(dtype)
    mask = torch.rand(170_000, 52, generator=generator) < 0.1
    mask[torch.arange(170_000), torch.randint(52, (170_000,), generator=generator)] = True
    distribution = MaskedCategorical(logits, mask)
    sample = distribution.sample(generator)
    assert mask.gather(1, sample.unsqueeze(1)).all()
    assert mask.gather(1, distribution.mode().unsqueeze(1)).all()
    assert torch.isfinite(distribution.log_prob(sample)).all()
    entropy = distribution.entropy()
    assert torch.isfinite(entropy).all()
    assert (entropy >= -1e-4).all()
    assert (entropy <= mask.sum(1).log() + 1e-3).all()


def test_entropy_counts_legal_actions_only_and_is_zero_for_one():
    mask = torch.tensor([[True, False, True, True], [False, True, False, False]])
    distribution = MaskedCategorical(torch.zeros(2, 4), mask)
    assert distribution.entropy().tolist() == pytest.approx([np.log(3), 0.0])
    assert distribution.log_prob(torch.tensor([0, 1])).tolist() == pytest.approx([-np.log(3), 0.0])


def test_gradients_of_a_masked_entropy_are_numbers():
    logits = torch.full((3, 4), 1e4, requires_grad=True)
    mask = torch.tensor([[True, False, False, False], [True, True, False, False], [True, True, True, True]])
    distribution = MaskedCategorical(logits, mask)
    (distribution.entropy().sum() + distribution.log_prob(torch.zeros(3, dtype=torch.long)).sum()).backward()
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~mask] == 0).all()


def test_sampling_follows_the_probabilities():
    logits = torch.tensor([0.0, 1.0, 2.0, 5.0]).expand(200_000, 4)
    mask = torch.tensor([True, True, True, False]).expand(200_000, 4)
    distribution = MaskedCategorical(logits, mask)
    counts = torch.bincount(distribution.sample(torch.Generator().manual_seed(3)), minlength=4) / 200_000
    expected = torch.softmax(torch.tensor([0.0, 1.0, 2.0]), 0)
    assert torch.allclose(counts[:3], expected, atol=0.005)
    assert counts[3] == 0


def test_candidates_are_the_legal_actions_in_id_order():
    mask = torch.zeros(2, 52, dtype=torch.bool)
    mask[0, [3, 17, 40]] = True
    mask[1, 51] = True
    index, present = candidates(mask)
    assert index[0, :3].tolist() == [3, 17, 40]
    assert index[1, 0] == 51
    assert present.tolist() == [[True, True, True], [True, False, False]]


def test_the_clipped_surrogate_by_hand():
    old = torch.log(torch.tensor([0.5, 0.5, 0.5, 0.5]))
    new = torch.log(torch.tensor([0.75, 0.55, 0.25, 0.45]))
    advantage = torch.tensor([1.0, 1.0, -1.0, -1.0])
    got = policy_loss(new, old, advantage, 0.2)
    assert float(got.loss) == pytest.approx(-(1.2 + 1.1 - 0.8 - 0.9) / 4)
    assert float(got.clip_fraction) == 0.5


def test_value_loss_and_explained_variance():
    value, old, returns = torch.tensor([1.0, 3.0]), torch.tensor([0.0, 3.0]), torch.tensor([2.0, 3.0])
    assert float(value_loss(value, old, returns, None)) == 0.25
    assert float(value_loss(value, old, returns, 0.5)) == pytest.approx(0.5 * 1.5**2 / 2)
    assert explained_variance(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 1
    assert np.isnan(explained_variance(np.array([1.0, 2.0]), np.array([1.0, 1.0])))
