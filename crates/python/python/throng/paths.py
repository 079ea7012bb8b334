"""Ways from one point to another on a map, by every method there is."""

from ._engine import Way, methods, shortest

#: What each method promises of a way's length: "nothing", "found", "octile" or "straight".
METHODS = dict(methods())

__all__ = ["METHODS", "Way", "shortest"]
