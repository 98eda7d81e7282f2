"""Rows of numeric data that are images are read as such, and nothing else is."""

from dataclasses import replace

import numpy as np

import slp_core as slp
from slp_core.data.images import image_of, pixel_svg


def test_a_row_of_pixels_is_an_image_whatever_the_order_of_its_features():
    digits = slp.load_dataset("digits")
    for row in (0, 700):
        np.testing.assert_allclose(
            image_of(digits, row), digits.examples.features[row].reshape(8, 8) / 16
        )
    order = np.random.default_rng(0).permutation(64)
    shuffled = replace(
        digits,
        examples=replace(digits.examples, features=digits.examples.features[:, order]),
        feature_names=tuple(digits.feature_names[i] for i in order),
    )
    np.testing.assert_array_equal(image_of(shuffled, 5), image_of(digits, 5))


def test_what_fills_no_grid_is_none():
    digits = slp.load_dataset("digits")
    for names in (
        ("pixel_0_0", "pixel_2_2", *digits.feature_names[2:]),
        ("x", *digits.feature_names[1:]),
    ):
        assert image_of(replace(digits, feature_names=names), 0) is None
    assert image_of(slp.load_dataset("iris"), 0) is None
    assert image_of(slp.load_dataset("airline"), 0) is None


def test_what_an_image_is_called_is_no_markup():
    svg = pixel_svg(np.array([[0.0, 1.0]]), '"><script>')
    assert "<script>" not in svg
    assert 'd="M1 0h1v1h-1z" opacity="1"' in svg
    assert svg.count("<path") == 2
    svg = pixel_svg(np.array([[0.0, 1.0], [0.5, 1.0]]), "")
    assert 'd="M1 0h1v1h-1zM1 1h1v1h-1z" opacity="1"' in svg
    assert 'd="M0 1h1v1h-1z" opacity="0.5"' in svg


def test_an_image_is_described_without_its_pixels():
    assert slp.load_dataset("digits").describe(0) == "image of 64 pixels"
