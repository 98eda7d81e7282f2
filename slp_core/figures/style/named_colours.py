"""Colours for classes that are called after one, light and dark, in seven languages."""

from __future__ import annotations

from colorsys import rgb_to_hls

from plotly.colors import hex_to_rgb

_CLEAR = 30 / 360  # of the colour circle: no other class comes nearer to a named hue

# Words of English, German, French, Spanish, Italian, Portuguese and Dutch; light and dark colour
_TABLE = {
    "red rot rouge rojo roja rosso rossa vermelho vermelha rood": ("#D32F2F", "#FF5C5C"),
    "orange naranja arancione laranja oranje": ("#D96C00", "#FF9A3C"),
    "yellow gelb jaune amarillo amarilla giallo gialla amarelo amarela geel": (
        "#A88B00",
        "#FFDD40",
    ),
    "green grün vert verte verde groen": ("#1E8E3E", "#4CD964"),
    "turquoise türkis cyan teal turquesa turchese": ("#00838F", "#3FD0D4"),
    "blue blau bleu bleue azul blu blauw": ("#1F5FD0", "#5B9BFF"),
    "purple violet violett lila violette morado morada viola roxo roxa paars": (
        "#7B2FBE",
        "#B57BFF",
    ),
    "pink rosa rose roze": ("#D6498F", "#FF8AC4"),
    "brown braun marron marrón marrone castanho bruin": ("#7A4A21", "#B98A5E"),
}
NAMED = {word: colours for words, colours in _TABLE.items() for word in words.split()}


def palette_for(classes: tuple[str, ...], palette: tuple[str, ...], dark: bool) -> tuple[str, ...]:
    """Colours of these classes: the named ones, and of the palette what is clear of them."""
    named = [NAMED.get(name.strip().casefold(), (None, None))[dark] for name in classes]
    hues = [_hue(colour) for colour in named if colour]
    if not hues:
        return palette
    clear = [c for c in palette if all(_apart(_hue(c), hue) >= _CLEAR for hue in hues)]
    usual = [palette[place % len(palette)] for place in range(len(classes))]
    kept = {usual[place] for place, colour in enumerate(named) if not colour}
    spare = [c for c in clear if c not in kept] or clear or list(palette)
    chosen, used = [], 0
    for colour, own in zip(named, usual, strict=True):
        if colour is None and own not in clear:
            colour, used = spare[used % len(spare)], used + 1
        chosen.append(colour or own)
    return tuple(chosen)


def _hue(colour: str) -> float:
    red, green, blue = hex_to_rgb(colour)
    return rgb_to_hls(red / 255, green / 255, blue / 255)[0]


def _apart(one: float, other: float) -> float:
    away = abs(one - other)
    return min(away, 1 - away)
