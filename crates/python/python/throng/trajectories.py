"""Trajectories, for the tools that analyse them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas
    import pedpy

__all__ = ["Trajectories"]


@dataclass(frozen=True)
class Trajectories:
    """Where agents were, one row for each agent in each frame. Metres."""

    id: NDArray[np.int64]
    frame: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    group: NDArray[np.uint16]
    #: Frames a second.
    frame_rate: float

    def __len__(self) -> int:
        return len(self.id)

    def to_dict(self) -> dict[str, NDArray[np.generic]]:
        """The columns, as pandas.DataFrame and polars.DataFrame take them."""
        return {name: getattr(self, name) for name in ("id", "frame", "x", "y", "group")}

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_pedpy(self) -> pedpy.TrajectoryData:
        """The trajectories as PedPy has them."""
        import pedpy

        columns = self.to_pandas()[["id", "frame", "x", "y"]]
        return pedpy.TrajectoryData(columns, frame_rate=self.frame_rate)
