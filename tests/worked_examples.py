"""The worked examples of rules.md, section 2: variant, floor, play, what it takes, basra."""

ANY = ("dananeer", "classic", "standard", "egyptian")
SWEEPING_SEVEN = ("dananeer", "classic", "egyptian")

_EXAMPLES = [
    (ANY, "3C 5D 8H KS", "8C", "3C 5D 8H", 0),
    (ANY, "3C 6D 5H 4S 9H", "9C", "3C 6D 5H 4S 9H", 10),
    (ANY, "5C 4D 2H 7S", "9C", "5C 4D 2H 7S", 10),
    (ANY, "2C AD 6H", "9C", "2C AD 6H", 10),
    (ANY, "2C 4D 6H", "6C", "2C 4D 6H", 10),
    (ANY, "6H", "6C", "6H", 10),
    (ANY, "6H 6S KD", "6C", "6H 6S", 0),
    (ANY, "3C 2D", "5C", "3C 2D", 10),
    (ANY, "2C 6D 4H TS", "TC", "6D 4H TS", 0),
    (ANY, "4C 5D 6H 3S", "9C", "4C 5D 6H 3S", 10),
    (ANY, "7C 3D", "TC", "7C 3D", 10),
    (ANY, "QC", "QD", "QC", 10),
    (ANY, "QC 9D", "JH", "QC 9D", 0),
    (ANY, "", "JD", "", 0),
    (("dananeer",), "5C 4D 4H", "9C", "5C 4D 4H", 10),
    (SWEEPING_SEVEN, "7C 3H", "7D", "7C 3H", 10),
    (SWEEPING_SEVEN, "7C 3H 4S", "7D", "7C 3H 4S", 0),
    (SWEEPING_SEVEN, "QC 2H", "7D", "QC 2H", 0),
    (("standard",), "7C 3H 4S", "7D", "7C 3H 4S", 10),
    (("dananeer", "classic", "standard"), "JC", "JD", "JC", 0),
    (("egyptian",), "JC", "JD", "JC", 20),
]
FISHING = [(variant, *example) for variants, *example in _EXAMPLES for variant in variants]

CHOSEN = ("5C 4D 4H", "9C", ("5C 4D", "5C 4H"))
"""In `standard`: floor, play, and what may be chosen to be taken."""
