"""A class keeps its look, and no two looks are mistaken for one another."""

import colorsys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.colors import hex_to_rgb

from slp_core.figures.map.image import STRONGEST
from slp_core.figures.style.theme import DARK, LIGHT, NAMED, blend, class_style, ink_on

# Severe colour deficiencies on linear RGB: Machado, Oliveira and Fernandes (2009).
VISION = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colors):
    values = np.array([hex_to_rgb(color) for color in colors]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """Björn Ottosson's perceptual space, in which distances are even."""
    cones = rgb @ np.array(
        [
            [0.4122214708, 0.2119034982, 0.0883024619],
            [0.5363325363, 0.6806995451, 0.2817188376],
            [0.0514459929, 0.1073969566, 0.6299787005],
        ]
    )
    return np.cbrt(cones) @ np.array(
        [
            [0.2104542553, 1.9779984951, 0.0259040371],
            [0.7936177850, -2.4285922050, 0.7827717662],
            [-0.0040720468, 0.4505937099, -0.8086757660],
        ]
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("vision", VISION)
def test_class_colours_stay_apart(theme, vision):
    seen = oklab(np.clip(linear(theme.palette) @ VISION[vision].T, 0, 1))
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=2)[np.triu_indices(13, 1)]
    assert apart.min() > 0.05
    first = np.linalg.norm(seen[:6, None] - seen[None, :6], axis=2)[np.triu_indices(6, 1)]
    assert first.min() > 0.08


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("vision", VISION)
def test_tints_of_a_landscape_stay_apart(theme, vision):
    def seen(opacity):
        tints = [blend(color, theme.background, opacity) for color in theme.palette]
        return oklab(np.clip(linear(tints) @ VISION[vision].T, 0, 1))

    strong, pairs = seen(STRONGEST), ~np.eye(13, dtype=bool)
    apart = np.linalg.norm(strong[:, None] - strong[None], axis=2)[pairs].min()
    assert apart > (0.045 if vision == "normal" else 0.026)
    if vision == "normal":  # a class that is sure is no other class that is less sure
        for opacity in np.linspace(0.2, STRONGEST, 8):
            weaker = np.linalg.norm(strong[:, None] - seen(opacity)[None], axis=2)
            assert weaker[pairs].min() > 0.022


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_colours_stand_out_from_the_background(theme):
    def light(colors):
        return linear(colors) @ [0.2126, 0.7152, 0.0722] + 0.05

    under = light([theme.background])
    marks = light([*theme.palette, theme.correct, theme.wrong])
    words = light([theme.text, theme.muted])
    assert np.maximum(marks / under, under / marks).min() > 2.95
    assert np.maximum(words / under, under / words).min() > 4.5


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_words_stand_out_from_any_colour(channels):
    color = "#{:02X}{:02X}{:02X}".format(*channels)
    under, ink = linear([color, ink_on(color)]) @ [0.2126, 0.7152, 0.0722] + 0.05
    assert max(under / ink, ink / under) > 4.5


def test_every_class_has_a_look_of_its_own():
    looks = [(s.color, s.symbol) for s in (class_style(k, LIGHT) for k in range(100))]
    assert len(set(looks)) == 100
    for k in range(100):
        assert class_style(k, LIGHT).symbol == class_style(k, DARK).symbol
    assert len({class_style(k, LIGHT).character for k in range(13)}) == 13


def test_blend():
    assert blend("#FF0000", "#0000FF", 0.0) == "#0000FF"
    assert blend("#FF0000", "#0000FF", 1.0) == "#FF0000"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_a_class_called_after_a_colour_is_drawn_in_it(theme):
    def hue(color):
        return colorsys.rgb_to_hls(*np.array(hex_to_rgb(color)) / 255)[0]

    def apart(one, other):
        return min(abs(hue(one) - hue(other)), 1 - abs(hue(one) - hue(other)))

    assert theme.for_classes(("A", "B", "C")).palette == theme.palette
    blue, green, yellow = theme.for_classes(("blue", "Grün ", "amarillo")).palette
    assert np.argmax(hex_to_rgb(blue)) == 2
    assert np.argmax(hex_to_rgb(green)) == 1
    assert np.argmin(hex_to_rgb(yellow)) == 2
    assert apart(yellow, "#FFFF00") < 0.05
    for classes in (("a", "b", "green", "c"), ("rojo", "x", "y", "z", "w"), ("blue", "rest")):
        drawn = theme.for_classes(classes)
        assert len(set(drawn.palette)) == len(classes)
        for one, name in zip(drawn.palette, classes, strict=True):
            if name in NAMED:
                assert one == NAMED[name][theme is DARK]
                assert all(apart(one, c) >= 29 / 360 for c in drawn.palette if c != one)
    under = linear([theme.background]) @ [0.2126, 0.7152, 0.0722] + 0.05
    marks = linear([c[theme is DARK] for c in NAMED.values()]) @ [0.2126, 0.7152, 0.0722] + 0.05
    assert np.maximum(marks / under, under / marks).min() > 2.95
