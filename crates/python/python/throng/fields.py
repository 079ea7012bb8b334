"""Fields over a map: how far it is to a goal from every cell, and where the way goes."""

from ._engine import direction, distance

__all__ = ["direction", "distance"]
