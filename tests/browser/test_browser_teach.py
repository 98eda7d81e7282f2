"""A task of three classes is typed from nothing, broken by a wrong label, and mended."""

import json
import re

import pytest
from lists import calm
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

TASK = {
    "cats": [
        "My cat sleeps on the sofa.",
        "The kitten chased its tail.",
        "A cat purred on my lap.",
    ],
    "space": [
        "The rocket flew to the moon.",
        "Astronauts float in orbit.",
        "Mars is a red planet.",
    ],
    "food": ["We baked bread this morning.", "The soup needs more salt.", "She fried two eggs."],
}
WRONG = "The kitten sleeps beside the old cat."


def add(page, name, *texts):
    field = page.get_by_placeholder(f"Add to {name}:")
    field.fill("\n".join(texts))
    field.press("Enter")
    expect(field).to_have_value("")
    calm(page)


def test_a_task_is_typed_broken_and_mended(visit):
    page = visit("teach")
    main = page.get_by_test_id("stMain")
    page.get_by_role("button", name="Type your own").click()
    expect(main.get_by_text("Type an example of each class to see predictions.")).to_be_visible()
    for old, new in (("class 1", "cats"), ("class 2", "space")):
        card = page.locator(f".st-key-edit-shots-class-{old.replace(' ', '-')}")
        card.get_by_role("button").click()
        name = page.get_by_role("textbox", name="Name")
        name.fill(new)
        name.press("Enter")
        expect(page.get_by_placeholder(f"Add to {new}:")).to_be_visible()
        page.keyboard.press("Escape")
        expect(name).to_have_count(0)
    page.get_by_role("button", name="New class").click()
    name = page.get_by_role("textbox", name="Name")
    name.fill("food")
    name.press("Enter")
    expect(page.get_by_placeholder("Add to food:")).to_be_visible()
    page.keyboard.press("Escape")
    expect(name).to_have_count(0)
    # Without a pause, also while it begins to predict: no text and no letter is lost
    for name, texts in TASK.items():
        page.get_by_placeholder(f"Add to {name}:").click()
        for text in texts:
            page.keyboard.type(text, delay=60)
            page.keyboard.press("Enter")
    expect(main.get_by_text("· 3 examples")).to_have_count(3)
    page.wait_for_function(
        "own => new URL(location).searchParams.get('own') === own",
        arg=json.dumps(TASK, separators=(",", ":")),
    )
    right = main.get_by_text(re.compile(r"leave-one-out accuracy 100\.0%"))
    expect(right).to_be_visible()
    field = page.get_by_placeholder("Try your own text")
    field.fill("Two cats play with a ball.")
    field.press("Enter")
    expect(main.get_by_text(re.compile(r"Your text\. Predicted .*cats"))).to_be_visible()

    add(page, "food", WRONG)
    expect(right).to_have_count(0)
    # The most misleading shot is selected, and the map rings what it changes
    expect(main.get_by_test_id("stText").get_by_text(WRONG)).to_be_visible()
    expect(main.get_by_text(re.compile(r"Without it: .*→"))).to_be_visible()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(right).to_be_visible()
    expect(page).to_have_url(re.compile("own="))
    page.reload()
    expect(right).to_be_visible()
