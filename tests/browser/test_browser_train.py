"""A run is played in the browser: by itself, by hand, at another speed, from a link."""

import re
import time

import pytest
from lists import act_until, calm, leave_for, stood
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
CLICKS = """map => {  // wherever an example is
  const { x, y, width, height } = map.getBoundingClientRect()
  for (let down = 10; down < height; down += 18)
    for (let across = 10; across < width; across += 18)
      map.dispatchEvent(new MouseEvent("click", { clientX: x + across, clientY: y + down }))
}"""

NOTE_EPOCHS = """output => {
  window.epochs = new Set([output.textContent])
  new MutationObserver(() => epochs.add(output.textContent)).observe(output, { childList: true })
}"""


def epoch(page):
    return int(re.search(r"epoch (\d+)", page.locator("output.epoch").inner_text())[1])


def at(page, wanted):
    expect(page.locator("output.epoch")).to_have_text(re.compile(rf"^epoch {wanted} of"))


def button(page, name):
    return page.locator(".controls").get_by_role("button", name=name, exact=True)


def colours(page):
    """How many colours the landscape has: none before it is drawn."""
    return page.locator("canvas.map").evaluate(
        """canvas => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
          return new Set(new Uint32Array(data.buffer)).size
        }"""
    )


def test_a_run_plays_by_itself_to_its_end_and_is_never_blank(visit):
    page = visit("train?method=DeepSLP", still=False)
    expect(page.locator("output.epoch")).to_have_text(re.compile("epoch"))
    page.locator("output.epoch").evaluate(NOTE_EPOCHS)
    for _ in range(600):
        assert colours(page) > 3
        if epoch(page) == 60:
            break
        page.wait_for_timeout(50)
    at(page, 60)
    assert page.evaluate("epochs.size") > 3
    expect(page.get_by_text("after 60 epochs")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_play_pause_step_scrub_and_speed(visit):
    options = "method=DeepSLP&run_preset=custom&run_epochs=30&epoch=30&pace=1+epoch+a+second"
    page = visit(f"train?{options}")
    at(page, 30)
    slider = page.locator("input.scrub")
    slider.focus()
    page.keyboard.press("Home")
    at(page, 1)
    expect(slider).to_have_attribute("aria-valuetext", "epoch 1")
    button(page, "Next epoch").click()
    at(page, 2)
    button(page, "Previous epoch").click()
    at(page, 1)
    expect(page.locator("select.speed")).to_have_value("1")
    began = time.monotonic()
    button(page, "Play").click()
    expect(page.locator("output.epoch")).not_to_have_text(re.compile(r"epoch 1\b"))
    assert epoch(page) <= 1 + time.monotonic() - began  # an epoch a second
    page.locator("select.speed").select_option("20")
    expect(button(page, "Play")).to_be_visible()  # it has come to its end
    at(page, 30)
    slider.focus()
    page.keyboard.press("Home")
    page.locator("select.speed").select_option("1")
    button(page, "Play").click()
    expect(page.locator("output.epoch")).not_to_have_text(re.compile(r"epoch 1\b"))
    button(page, "Pause").click()
    there = epoch(page)
    assert 1 < there < 30
    page.wait_for_timeout(1_200)
    assert epoch(page) == there
    expect(page).to_have_url(re.compile(rf"[?&]epoch={there}(&|$)"))
    page.reload()
    at(page, there)  # a link opens where it was stopped
    leave_for(page, "Explore")
    expect(page.locator(".js-plotly-plot:visible").first).to_be_visible()
    leave_for(page, "Train")
    at(page, there)
    expect(page.locator("svg.curves")).to_contain_text("query")
    page.get_by_role("button", name="Resample").click()  # which is trained at once
    expect(page.locator(".st-key-status-bar")).to_contain_text("support set 1;")
    at(page, there)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_linear_programme_is_played_step_by_step_beside_the_picture(visit):
    page = visit("train?method=constraintSLP&epoch=24", width=1280, height=720)  # of a projector
    expect(button(page, "Previous step")).to_be_in_viewport(ratio=1)
    expect(page.locator("canvas.map")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("output.epoch")).to_have_text("step 24 of 24")
    expect(page.locator("svg.curves")).to_contain_text("violation 0.000")
    page.locator("input.scrub").focus()
    page.keyboard.press("Home")
    expect(page.locator("output.epoch")).to_have_text("step 1 of 24")
    expect(page.locator(".soft .bar").first.get_by_title("neutral: 1.000")).to_have_count(1)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_click_on_a_support_example_opens_its_menu(visit):
    page = visit("train?method=DeepSLP&shots=2")
    expect(page.locator("output.epoch")).to_have_text(re.compile("epoch"))
    calm(page)
    remove = page.get_by_role("button", name="Remove", exact=True)
    expect(remove).to_have_count(0)
    menu = page.get_by_text("Without it: ")
    act_until(lambda: page.locator("canvas.map").evaluate(CLICKS), menu, 1, first=5_000)
    remove.click()
    expect(page).to_have_url(re.compile("edits=r"))
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_support_example_is_chosen_by_keyboard_and_its_influence_comes_by_itself(visit):
    computed = "Its influence is being computed."
    page = visit("train?method=DeepSLP&dataset=Customer+intents&shots=16", before=stood(computed))
    box = page.get_by_role("combobox", name="Support example")
    calm(page)
    box.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function("() => stood")
    expect(page.get_by_text("Without it: ")).to_be_visible()
    expect(page.get_by_role("button", name="Remove", exact=True)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
