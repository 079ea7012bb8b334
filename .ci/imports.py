"""Puts pictures of other programs beside throng's of the same files, and counts where they differ.

imports.py FOLDER: what .ci/imports has made; the pictures go to docs/pictures/imports.
"""

import pathlib
import sys

import numpy
import pedpy
import shapely
from matplotlib import pyplot
from PIL import Image

folder = pathlib.Path(sys.argv[1])
pictures = pathlib.Path("docs/pictures/imports")


def walls_of(name):
    """Walls of a map that was imported: a picture, black where they are."""
    return Image.open(folder / name).convert("L")


def differing(theirs, ours):
    """Says in how many points of a hundred two arrays of walls differ, and how many are walls in each."""
    share = 100 * numpy.mean(theirs != ours)
    print(f"{100 * theirs.mean():.1f} and {100 * ours.mean():.1f} % walls; {share:.1f} % differ")


def beside(name, theirs, ours, height):
    """Writes two pictures of one height as one, with few colours."""
    parts = [part.convert("RGB") for part in (theirs, ours)]
    widths = [round(part.width * height / part.height) for part in parts]
    parts = [part.resize((width, height), Image.LANCZOS) for part, width in zip(parts, widths)]
    whole = Image.new("RGB", (sum(widths) + 16, height), "white")
    whole.paste(parts[0], (0, 0))
    whole.paste(parts[1], (widths[0] + 16, 0))
    whole.quantize(64, dither=Image.Dither.NONE).save(pictures / name, optimize=True)
    print(pictures / name)


# Vadere: the white ground of its window, and its walls in one grey. A point of the window is 1 / 1.6175 m.
window = Image.open(folder / "window.png").convert("RGB").crop((503, 173, 1016, 999))
points = numpy.asarray(window).astype(int)
grey = abs(points - 178).max(axis=2) < 14
ours = walls_of("town.png").resize((round(318 * 1.6175), round(511 * 1.6175)), Image.BILINEAR)
ours = numpy.asarray(ours)[1:, :] < 128
rows, columns = (min(grey.shape[axis], ours.shape[axis]) for axis in (0, 1))
differing(grey[:rows, :columns], ours[:rows, :columns])
beside("vadere.png", window, Image.open(folder / "town-map.png"), 760)

# JuPedSim: its geometry as PedPy draws it, and which middles of cells lie in it.
area = pedpy.WalkableArea((folder / "hall.wkt").read_text())
ours = numpy.asarray(walls_of("hall.png")) < 128
left, _, _, top = area.bounds
y, x = numpy.mgrid[: ours.shape[0], : ours.shape[1]]
middles = shapely.points(left + (x + 0.5) * 0.1, top - (y + 0.5) * 0.1)
differing(~shapely.contains(area.polygon, middles), ours)
figure, axes = pyplot.subplots(figsize=(10, 6.7))
pedpy.plot_walkable_area(walkable_area=area, axes=axes)
axes.set_aspect("equal")
figure.tight_layout()
figure.savefig(folder / "theirs.png", dpi=110)
beside("jupedsim.png", Image.open(folder / "theirs.png"), Image.open(folder / "hall-map.png"), 480)
