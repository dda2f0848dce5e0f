"""Random numbers that are the same on every machine and with every Python."""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Draw:
    """SplitMix64, seeded by the text of whatever names the instance.

    Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
    OOPSLA 2014, Fig. 17 (constants of the 64-bit mixer).
    """

    def __init__(self, *seed: Any) -> None:
        text = " ".join(map(str, seed)).encode()
        self._state = int.from_bytes(hashlib.sha256(text).digest()[:8], "big")

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """One of 0 … n - 1 (n far below 2**64: the bias is nothing)."""
        return (self.bits() * n) >> 64

    def flip(self) -> bool:
        """A fair coin."""
        return self.below(2) == 1

    def choice(self, among: Sequence[T]) -> T:
        """One of them."""
        return among[self.below(len(among))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """In place, all orders alike."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, n: int, k: int) -> list[int]:
        """``k`` different ones of 0 … n - 1, in random order."""
        moved: dict[int, int] = {}
        chosen = []
        for i in range(k):
            j = i + self.below(n - i)
            chosen.append(moved.get(j, j))
            moved[j] = moved.get(i, i)
        return chosen
