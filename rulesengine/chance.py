"""Exact odds: the pure functions that resolve, run over every fall of the dice.

A distribution is a `Spread`: outcomes with whole-number weights that add up to `of`.
Chaining multiplies weights, so nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import Generic, TypeVar

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)


class Spread(Generic[A]):
    """Outcomes and their weights; the weights add up to `of`."""

    __slots__ = ("of", "weights")

    def __init__(self, weights: dict[A, int], of: int) -> None:
        if sum(weights.values()) != of:
            raise ValueError(f"weights add up to {sum(weights.values())}, not {of}")
        self.weights = weights
        self.of = of

    def chance(self, outcome: A) -> Fraction:
        return Fraction(self.weights.get(outcome, 0), self.of)

    def then(self, follow: Callable[[A], Spread[B]]) -> Spread[B]:
        """What comes of each outcome in turn."""
        parts = [(weight, follow(outcome)) for outcome, weight in self.weights.items()]
        common = lcm(*(part.of for _, part in parts))
        weights: dict[B, int] = {}
        for weight, part in parts:
            scale = weight * (common // part.of)
            for outcome, inner in part.weights.items():
                weights[outcome] = weights.get(outcome, 0) + scale * inner
        return Spread(weights, self.of * common)

    def mean(self, worth: Callable[[A], int]) -> Fraction:
        return Fraction(sum(worth(o) * w for o, w in self.weights.items()), self.of)


def certain(outcome: A) -> Spread[A]:
    return Spread({outcome: 1}, 1)


@cache
def falls(sides: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Every fall of `count` dice of `sides` sides, equally likely."""
    return tuple(product(range(1, sides + 1), repeat=count))


def over_falls(sides: int, count: int, rule: Callable[[tuple[int, ...]], A]) -> Spread[A]:
    """What a rule makes of every fall of its dice."""
    weights: dict[A, int] = {}
    for faces in falls(sides, count):
        outcome = rule(faces)
        weights[outcome] = weights.get(outcome, 0) + 1
    return Spread(weights, sides**count)


def totals(sides: int, count: int) -> Spread[int]:
    """The total of dice, a die at a time: of six dice there are too many falls to look at."""
    spread: Spread[int] = certain(0)
    for _ in range(count):
        spread = spread.then(lambda so_far: over_falls(sides, 1, lambda face: so_far + face[0]))
    return spread
