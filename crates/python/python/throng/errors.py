"""What can go wrong. The words are those of the engine."""


class Error(Exception):
    """Anything that throng refuses."""


class BusyError(Error):
    """Another thread is in a call on the simulation, or an array views it."""


class RangeError(Error, ValueError):
    """A value is none that is possible there: a trait, a setting, a map, a method."""


class RefusedError(Error):
    """An order cannot be carried out. It has changed nothing."""


class ReplayError(Error):
    """A replay cannot be written, read or played."""


class ScenarioError(Error, ValueError):
    """A scenario has mistakes, each named with its line."""


class SnapshotError(Error, ValueError):
    """A snapshot is damaged, or of another map, settings or version."""
