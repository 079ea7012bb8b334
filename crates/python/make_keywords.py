"""Makes python/throng/keywords.py, for type checkers, of what the engine declares.

    python make_keywords.py [--check]
"""

import pathlib
import sys
import textwrap

import throng

PATH = pathlib.Path(__file__).parent / "python" / "throng" / "keywords.py"
CLASSES = {
    "group": ("GroupTraits", "What the agents of a group are like: keywords of `add_group`."),
    "weapon": ("WeaponNumbers", "What a group shoots with: keywords of `add_weapon`."),
    "settings": ("Settings", "What holds for the whole run: keywords of `Simulation`."),
    "source": ("SourceTimes", "How the agents of a source come: keywords of `add_source`."),
    "exit": ("ExitTraits", "What an exit is like: keywords of `Exit`."),
    "choice": ("Choice", "How agents choose among exits: keywords of `choose`."),
    "follow": ("Following", "How agents follow others: keywords of `follow`."),
    "structure": ("StructureTraits", "What a wall with hit points is like: keywords of `add_structure`."),
}
MORE = {
    "group": [("terrain", "dict[str, int]", "Slowness in 1/16 of letters of the map; 0 forbids them.")],
    "settings": [("seed", "int", "Seed of all randomness. 1 when it is not said.")],
}


def kind(field: dict) -> str:
    """The type of a keyword."""
    if "words" in field:
        return f"Literal[{', '.join(repr(word) for word in field['words'])}]".replace("'", '"')
    if field["takes"] == "a weapon":
        return "Weapon | int | None"
    if field["takes"] == "layers" or field["keyword"] == "foes":
        return "Iterable[int] | int"
    if field["default"] is None:
        return "int | None"
    return type(field["default"]).__name__


def meaning(field: dict) -> str:
    """What it means, its range and its default."""
    words = field["meaning"]
    if "range" in field:
        words += f" {field['range'][0]} to {field['range'][1]}."
    default = "all" if field["takes"] == "layers" else repr(field["default"])
    return f"{words} {default} when it is not said."


def text() -> str:
    """The module."""
    lines = [
        '"""Keywords of definitions, for type checkers. Made by make_keywords.py: do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Iterable",
        "from typing import Literal, TypedDict",
        "",
        "from ._engine import Weapon",
    ]
    for what, (name, about) in CLASSES.items():
        lines += ["", "", f"class {name}(TypedDict, total=False):", f'    """{about}"""', ""]
        fields = [(field["keyword"], kind(field), meaning(field)) for field in throng.declared(what)]
        for keyword, typed, words in fields + MORE.get(what, []):
            lines += textwrap.wrap(words, 96, initial_indent="    #: ", subsequent_indent="    #: ")
            lines.append(f"    {keyword}: {typed}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PATH.write_text(text())
    elif PATH.read_text() != text():
        sys.exit("keywords.py is not what the engine declares: make it anew by leaving out --check")
