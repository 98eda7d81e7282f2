"""The Learn page in a real Chromium: what a browser keeps, and what a teacher's link does."""

import re

import pytest
from lists import calm, leave_for
from playwright.sync_api import TimeoutError, expect
from test_browser_access import violations

from pages.session.lectures import lecture_of

FITS = """() => {
  const part = name => document.querySelector(`[class*="st-key-lecture-${name}"]`)
  const box = name => part(name).getBoundingClientRect()
  const [room, picture, words] = ["room", "picture", "words"].map(box)
  return picture.height > 0.9 * room.height && picture.bottom < words.top && picture.right < 1280
    && words.bottom < 720 && room.height > 0.7 * 720
}"""
LETTERS = """() => {  // what is written in the picture: px as it is shown, and text
  const picture = document.querySelector('[class*="st-key-lecture-picture"]')
  const width = part => part.getBoundingClientRect().width
  const sizes = root => [...root.querySelectorAll("*")].flatMap(part => {
    const own = [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim())
    const within = part.shadowRoot ? sizes(part.shadowRoot) : []
    if (!own || part.matches("style, option") || width(part) < 1) return within
    const svg = part.ownerSVGElement
    const scale = svg
      ? width(svg) / (svg.viewBox.baseVal?.width || svg.clientWidth)
      : width(picture) / picture.offsetWidth
    const shown = parseFloat(getComputedStyle(part).fontSize) * scale
    return [[shown, part.textContent.trim()], ...within]
  })
  return sizes(picture)
}"""
pytestmark = pytest.mark.browser


def is_legible(page):
    try:
        page.wait_for_function(f"() => ({LETTERS})().every(([size]) => size > 17.9)")
    except TimeoutError:  # the letters say more
        raise AssertionError(sorted(page.evaluate(LETTERS))[:5]) from None


def test_a_lesson_outlives_a_reload_and_back_leads_out_of_it(visit):
    page = visit("learn?shots=4")
    sidebar, main = page.get_by_test_id("stSidebar"), page.get_by_test_id("stMain")
    lessons = page.get_by_role("heading", name="drag a centroid")
    first = main.get_by_role("button", name=re.compile("1 · Two prototypes"))
    first.click()
    expect(page).to_have_url(re.compile("lesson=soft_label"))
    expect(main.get_by_text("A label can be shared", exact=True)).to_be_visible()
    expect(lessons).to_have_count(0)
    page.go_back()
    expect(lessons).to_be_visible()
    expect(page).to_have_url(re.compile(r"learn\?shots=4$"))
    first.click()
    expect(main.get_by_text("A label can be shared", exact=True)).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 600})  # the button is far below the text
    main.get_by_role("button", name="Next", exact=True).click()
    expect(main.get_by_text("Two prototypes make one prediction", exact=True)).to_be_in_viewport()
    expect(page).to_have_url(re.compile("(?=.*lesson=soft_label)(?=.*step=1)"))
    page.wait_for_function("() => document.cookie.includes('slp_lessons=soft_label.1.1')")

    page.reload()
    expect(main.get_by_text("Two prototypes make one prediction", exact=True)).to_be_visible()
    dataset = sidebar.get_by_role("combobox", name="Dataset")
    expect(dataset).to_have_value("Blue, green, yellow")
    main.get_by_role("radio", name="3", exact=True).click()
    shares = page.get_by_role("slider", name="green")
    expect(shares).to_have_count(2)
    for share, side in zip(shares.all(), "AB", strict=True):
        expect(share).to_have_accessible_name(re.compile(f"^. green Prototype {side} "))
    main.get_by_role("button", name="Exit lesson").click()
    expect(dataset).to_have_value("Airline tweets")
    expect(sidebar.get_by_role("combobox", name="Shots per class")).to_have_value("4")
    expect(first).to_be_visible()


def test_a_teachers_link_hides_and_covers(visit):
    page = visit("?dataset=A%2C+B+and+C&hide=method,status&ask=answer")
    sidebar, main = page.get_by_test_id("stSidebar"), page.get_by_test_id("stMain")
    expect(main.get_by_text("Which class does constraintSLP predict?")).to_be_visible()
    opens = page.get_by_test_id("stExpandSidebarButton")
    opens.click()  # a question has the window to itself
    expect(sidebar.get_by_role("combobox", name="Dataset")).to_be_visible()
    expect(sidebar.get_by_text("Method", exact=True)).to_be_hidden()
    expect(page.locator(".st-key-status-bar")).to_be_hidden()
    expect(main.get_by_text("score")).to_have_count(0)
    main.get_by_test_id("stRadio").get_by_text("B", exact=True).click()
    expect(main.get_by_text(re.compile("Correct: B|Your guess: B")).first).to_be_visible()
    leave_for(page, "Explain")
    expect(main.get_by_text("Next question")).to_be_visible()
    expect(page.locator(".st-key-status-bar")).to_be_hidden()


def test_back_leads_to_the_step_before(visit):
    dataset = "dataset=A%2C+B+and+C+in+many+dimensions&dimension=2"
    page = visit(f"learn?lesson=dimensions&step=1&{dataset}")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("More dimensions, nothing else", exact=True)).to_be_visible()
    calm(page)
    before = page.url
    main.get_by_role("button", name="Next", exact=True).click()
    expect(main.get_by_text("Real tweets", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"learn\?lesson=dimensions&step=2$"))  # of three settings
    page.go_back()
    expect(main.get_by_text("More dimensions, nothing else", exact=True)).to_be_visible()
    expect(page).to_have_url(before)
    expect(main.get_by_text("The settings are no longer those of this step")).to_have_count(0)


def test_keys_lead_through_a_lecture_that_everybody_can_read_and_its_pictures_fit(visit):
    page = visit("?lecture=prototypes", width=1280, height=720)
    heading = page.get_by_role("heading", level=1)
    scenes = lecture_of("prototypes").scenes
    for scene in scenes:
        if scene is not scenes[0]:
            page.keyboard.press("ArrowRight")
        expect(heading).to_have_text(scene.title)
        calm(page)
        page.wait_for_function(FITS)
        is_legible(page)
        assert violations(page, dark=False) == [], scene.title
        page.get_by_role("button", name="Reveal").click()
        page.locator(".st-key-lecture-poll").get_by_text("✓").first.wait_for()
        calm(page)
        is_legible(page)
        assert violations(page, dark=False) == [], scene.title
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")  # before the first has come
    expect(heading).to_have_text(scenes[-3].title)
    page.go_back()
    expect(heading).not_to_have_text(scenes[-3].title)
    page.keyboard.press("PageDown")
    page.get_by_role("button", name="Exit").click()
    expect(page.get_by_role("button", name=re.compile("1 · Two prototypes"))).to_be_visible()
    expect(page).not_to_have_url(re.compile("lecture"))
