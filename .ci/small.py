#!/usr/bin/env python3
"""Makes a picture small enough for the documents: small.py DRAWN SHOWN WIDTH COLOURS

It has at most that many colours, up to 256, and is no wider than WIDTH pixels. Needs Pillow.
"""

import sys

from PIL import Image


def small(drawn, width, colours):
    # The colours of the legend are kept as they are; of similar ones, the most frequent.
    strip = drawn.crop((0, drawn.height - 200, drawn.width, drawn.height))
    if drawn.width > width:
        drawn = drawn.resize((width, round(drawn.height * width / drawn.width)), Image.LANCZOS)
    kept = []
    for _, colour in sorted(strip.getcolors(1 << 24), reverse=True):
        if all(sum(abs(a - b) for a, b in zip(colour, other)) > 24 for other in kept):
            kept.append(colour)
    kept = kept[: colours // 4]
    # So are half tones of what is colourful there: dots of agents over the ground.
    ground = drawn.resize((1, 1), Image.BOX).getpixel((0, 0))
    for colour in [colour for colour in kept if max(colour) - min(colour) > 40]:
        kept.append(tuple((a + b) // 2 for a, b in zip(colour, ground)))
    kept = kept[: colours // 2]
    free = colours - len(kept)
    others = drawn.quantize(free).getpalette()[: 3 * free]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in kept for part in colour] + others)
    return drawn.quantize(palette=palette, dither=Image.Dither.NONE)


def main():
    drawn, shown, width, colours = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    small(Image.open(drawn).convert("RGB"), width, colours).save(shown, optimize=True)


main()
