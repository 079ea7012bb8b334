"""Ways and fields, against searches of their own."""

import heapq
import math

import numpy as np
import pytest
import throng

random = np.random.default_rng(11)
SLOWNESS = np.where(random.random((40, 50)) < 0.25, 0, 16).astype(np.uint8)
SLOWNESS[1:3, 1:3] = SLOWNESS[-3:-1, -3:-1] = 16
GROUND = throng.Map(SLOWNESS, cell=2.0)
START, END = (3.0, 3.0), (97.0, 77.0)
DIAGONAL = math.sqrt(2)


def octile(goal):
    """Least lengths in straight and diagonal steps that cut no corner, in cells, by Dijkstra."""
    open_ = SLOWNESS > 0
    least = np.full(SLOWNESS.shape, np.inf)
    least[goal] = 0.0
    queue = [(0.0, goal)]
    while queue:
        length, (y, x) = heapq.heappop(queue)
        if length > least[y, x]:
            continue
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                ny, nx = y + dy, x + dx
                inside = 0 <= ny < open_.shape[0] and 0 <= nx < open_.shape[1]
                if not inside or not open_[ny, nx] or not (open_[y, nx] and open_[ny, x]):
                    continue
                further = length + (DIAGONAL if dx and dy else 1.0)
                if further < least[ny, nx] - 1e-12:
                    least[ny, nx] = further
                    heapq.heappush(queue, (further, (ny, nx)))
    return least


LEAST = octile((38, 48))


def test_methods_keep_what_they_promise():
    best = throng.paths.shortest(GROUND, START, END, "exact").length
    wanted = LEAST[1, 1] * 2.0
    assert np.isfinite(wanted) and best <= wanted
    for method, promise in throng.paths.METHODS.items():
        way = throng.paths.shortest(GROUND, START, END, method)
        if promise == "octile":
            assert way.length == pytest.approx(wanted, rel=2e-4), method
        if promise in ("octile", "straight", "found"):
            assert way and way.length >= best - 1e-6, method
            assert way.points[0].tolist() == list(START) and way.points[-1].tolist() == list(END)
        if way and method != "flow":
            steps = np.diff(way.points, axis=0)
            assert np.hypot(*steps.T).sum() == pytest.approx(way.length, rel=1e-3), method


def test_distances_lie_between_straight_and_octile():
    far = throng.fields.distance(GROUND, END)
    assert far.shape == (40, 50) and far.dtype == np.float64
    reached = np.isfinite(far)
    assert (reached == np.isfinite(LEAST)).all() and reached.sum() > 500
    y, x = np.mgrid[:40, :50]
    straight = np.hypot((x - 48) * 2.0, (y - 38) * 2.0)
    assert (far[reached] >= straight[reached] - 2.0).all()
    assert (far[reached] <= LEAST[reached] * 2.0 * 1.05 + 2.0).all()


def test_directions_are_unit_vectors_that_lead_down():
    toward = throng.fields.direction(GROUND, throng.disc(97, 77, 1))
    far = throng.fields.distance(GROUND, throng.disc(97, 77, 1))
    known = np.isfinite(toward[..., 0]) & (far > 4)
    lengths = np.hypot(toward[..., 0], toward[..., 1])[known]
    assert toward.shape == (40, 50, 2) and np.allclose(lengths, 1.0, atol=1e-3)
    y, x = np.nonzero(known)
    step = np.rint(toward[known]).astype(int)
    after = far[np.clip(y + step[:, 1], 0, 39), np.clip(x + step[:, 0], 0, 49)]
    assert (after[np.isfinite(after)] < far[known][np.isfinite(after)]).all()


def test_mistakes_have_words():
    wall = next((x * 2 + 1.0, y * 2 + 1.0) for y, x in np.argwhere(SLOWNESS == 0))
    with pytest.raises(throng.RangeError, match="there is no method"):
        throng.paths.shortest(GROUND, START, END, "nonsense")
    with pytest.raises(throng.RangeError, match="it is in a wall"):
        throng.paths.shortest(GROUND, wall, END)
    with pytest.raises(throng.RangeError, match="off the map"):
        throng.paths.shortest(GROUND, START, (500, 1))
    with pytest.raises(throng.RangeError, match="lies wholly in walls"):
        throng.fields.distance(GROUND, wall)


def test_maps_come_from_rows_and_arrays():
    drawn = throng.Map.from_rows([".@.", "..."], cell=0.5)
    assert drawn.slowness.tolist() == [[16, 0, 16], [16, 16, 16]]
    assert (drawn.cell, drawn.size, drawn.shape) == (0.5, [1.5, 1.0], [2, 3])
    assert throng.Map(SLOWNESS.T.copy().T).slowness.tolist() == SLOWNESS.tolist()
