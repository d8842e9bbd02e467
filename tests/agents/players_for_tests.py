"""Agents that do what agents must not do, where the boss is the first of the card set.

They lie in a file of their own because the workers of an evaluation import them by name.
"""

import os
import time

import numpy as np

from agents.agent import Agent, BatchAgent

BAD_DECISION = 5  # of a game, counted from 0


def is_bad(states):
    """The games and decisions in question."""
    return (states["boss"] == 0) & (states["num_decisions"] == BAD_DECISION)


def dice(masks, seeds):
    """A legal action for each row, by the decision's own seed."""
    counts = masks.sum(axis=1)
    ranks = seeds % counts
    return np.argmax(np.cumsum(masks, axis=1) > ranks[:, None], axis=1)


class Dice(BatchAgent):
    """Behaves."""

    def act_batch(self, observations, masks, turns):
        return dice(masks, turns.seeds)


class First(Agent):
    """Behaves too: the first legal action, from an observation, one at a time."""

    def act(self, observation, mask, info):
        assert observation.dtype == np.int8
        return int(mask.argmax())


class Peeking(Dice):
    """Asks for what its seat cannot know."""

    is_oracle = True


class Raising(Dice):
    def act_batch(self, observations, masks, turns):
        if is_bad(turns.states).any():
            raise RuntimeError("out of ideas")
        return super().act_batch(observations, masks, turns)


class Illegal(Dice):
    def act_batch(self, observations, masks, turns):
        actions = np.where(is_bad(turns.states), 1000, dice(masks, turns.seeds))
        masks[:] = 1  # its own copy, which nobody believes
        return actions


class Halves(First):
    def act(self, observation, mask, info):
        action = super().act(observation, mask, info)
        return action + 0.5 if is_bad(info.game.states)[0] else action


class WrongShape(Dice):
    """Wrong whenever it is asked about several at once, and right alone."""

    def act_batch(self, observations, masks, turns):
        return super().act_batch(observations, masks, turns)[:1]


class Hanging(Dice):
    def act_batch(self, observations, masks, turns):
        if is_bad(turns.states).any():
            time.sleep(600)
        return super().act_batch(observations, masks, turns)


class Deadly(First):
    def act(self, observation, mask, info):
        if is_bad(info.game.states)[0]:
            os._exit(7)
        return super().act(observation, mask, info)


class Chatty(Dice):
    def act_batch(self, observations, masks, turns):
        print("I think")
        return super().act_batch(observations, masks, turns)


class Unmakeable(Dice):
    def __init__(self):
        raise KeyError("weights")
