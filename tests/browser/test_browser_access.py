"""Every page for everybody: WCAG's rules, what jumps as it loads, keyboard, phone, paper."""

import math
import re
from urllib.parse import urljoin

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from lists import TWO_FRAMES, calm, choose_option, leave_for, settle
from playwright.sync_api import expect
from test_browser_explore import FILLED, click_until_ringed, ready

from pages.shell.navigation import PAGES

pytestmark = pytest.mark.browser

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
SHIFTS = """
window.shifts = []  // by how much, and what: its part, its first words, from where to where
const named = ({node, previousRect, currentRect}) => {
  const part = (node?.parentElement ?? node)?.closest?.("[class*=st-key-]")?.className ?? ""
  const at = rect => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ")
  return [part.match(/st-key-\\S+/)?.[0], (node?.textContent ?? "").slice(0, 40),
    at(previousRect), at(currentRect)].join(" | ")
}
// Streamlit's own frame comes first: the page beside its sidebar, and the style sheet, for which it
// fetches a script
window.framed = Infinity
const settled = () => requestAnimationFrame(() => { window.framed = performance.now() })
const look = () => requestAnimationFrame(
  document.querySelector(".stSidebar ~ * .st-key-status-bar") &&
  document.querySelector("[data-testid=stHtml] style") ? settled : look)
look()
new PerformanceObserver(list => {
  const late = entry => !entry.hadRecentInput && entry.startTime > window.framed
  for (const entry of list.getEntries().filter(late))
    window.shifts.push([entry.value, ...entry.sources.map(named)])
}).observe({ type: "layout-shift", buffered: true })
"""
BACKGROUND = "() => firstChart()?._fullLayout?.paper_bgcolor ?? ''"
# What is about to be replaced fades, where a machine is busy while axe looks.
UNFADED = "[data-stale] { opacity: 1 !important; transition: none !important }"
STILL_PAGES = "Explore", "Explain"
OPENED = """() => document.querySelector("[data-testid=stSidebar]")
                  .getAnimations({ subtree: true }).length === 0"""
# The picture first: at most so far down, so much of it in view, and so many words on the page.
SIZE = {"width": 1280, "height": 720}
LATEST_TOP, LEAST_SHARE, MOST_WORDS = 260, 0.6, 250
FIRST_SIGHT = """() => {
  const all = root => [...root.querySelectorAll("*")].flatMap(
    each => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])])
  const main = document.querySelector("[data-testid=stMain]")
  const charts = all(main).filter(each => each.matches(".js-plotly-plot, canvas"))
    .map(chart => chart.getBoundingClientRect()).filter(box => box.height > 200)
    .sort((a, b) => a.top - b.top)
  const { top, bottom, height } = charts[0] ?? { top: 0, bottom: 0, height: 1 }
  return {
    top: Math.round(top),
    share: Math.max(0, Math.min(innerHeight, bottom) - top) / height,
    words: main.innerText.split(/\\s+/).filter(word => /\\w/.test(word)).length,
  }
}"""
MOST_SHIFT = 0.10  # of the cumulative layout shift: good by the Core Web Vitals


def violations(page, dark):
    """What axe finds: the rule and the first elements that break it; in the dark, of colours."""
    page.add_style_tag(content=UNFADED)
    page.evaluate(AXE_SCRIPT)
    rules = (
        {"type": "rule", "values": ["color-contrast"]} if dark else {"type": "tag", "values": RULES}
    )
    only = {"runOnly": rules, "resultTypes": ["violations"]}
    found = page.evaluate("only => axe.run(document, only)", only)["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found]


def slow_to_see(page):
    """Where the first picture and the words are, if that is not what a projector needs."""
    found = page.evaluate(FIRST_SIGHT)
    seen = found["top"] <= LATEST_TOP and found["share"] >= LEAST_SHARE
    return {} if seen and found["words"] <= MOST_WORDS else found


def unnamed(page):
    """Charts and pictures that say nothing to whoever does not see them."""
    seen = page.locator(
        "[data-testid=stPlotlyChart], [data-testid=stMain] canvas.map:not([aria-hidden])"
    )
    names = seen.evaluate_all("all => all.map(e => e.getAttribute('aria-label') || e.alt || '')")
    return [name for name in names if len(name) < 15]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page_keeps_the_rules_and_lies_still(visit, dark):
    page, found = visit(PAGES[STILL_PAGES[0]][0], dark=dark, before=SHIFTS, **SIZE), {}
    if dark:  # the figures are dark as well
        page.wait_for_function(f"() => ({BACKGROUND})().toUpperCase() === '#0E1117'")
    for title in sorted(PAGES, key=(*STILL_PAGES, *PAGES).index):
        folder = PAGES[title][0]
        if title not in STILL_PAGES or dark:
            leave_for(page, title)
        elif folder not in page.url:  # by address: what a last page leaves behind moves as it goes
            page.goto(urljoin(page.url, folder))
        expect(page).to_have_title(re.compile(title))  # which the server tells as it begins
        page.wait_for_function(f"() => ({FIRST_SIGHT})().share > 0")  # which may need a job
        settle(page)
        found[title] = violations(page, dark), unnamed(page), slow_to_see(page)
        if title in STILL_PAGES and not dark:
            framed, shifts = page.evaluate("[window.framed, window.shifts]")
            assert framed < math.inf
            assert sum(by for by, *_ in shifts) < MOST_SHIFT, (title, shifts)
    assert found == dict.fromkeys(PAGES, ([], [], {}))


def test_the_line_on_top_is_one_line_where_names_are_long(visit):
    page = visit("?dataset=A, B and C in many dimensions&method=1-nearest neighbour", **SIZE)
    line = page.locator(".st-key-slim-line")
    expect(line).to_contain_text(re.compile(r"1-nearest neighbour.* all \d+: "))
    assert line.bounding_box()["height"] < 40


def test_the_keyboard_reaches_folds_the_example_terms_and_what_buttons_open_and_leads_out(visit):
    page = visit("explain")
    settle(page)
    page.locator("summary", has_text="Position against distance from the line").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Distances: full (as fitted)")).to_be_visible()

    summary = page.locator(".st-key-in-short")
    before = summary.inner_text()
    page.get_by_role("button", name="View", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("spinbutton", name="Example").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(summary).not_to_have_text(before)
    expect(page).to_have_url(re.compile("(?=.*open_side=true)(?=.*point=)"))
    page.keyboard.press("Escape")
    calm(page)
    chart = page.get_by_test_id("stPlotlyChart").first
    chart.get_by_role("button", name="Fullscreen").focus()
    expect(chart.locator(".modebar")).to_have_css("opacity", "1")  # its buttons are to be seen

    gallery, links = page.get_by_role("button", name="Examples"), page.locator(".sights a")
    gallery.focus()
    page.keyboard.press("Enter")
    expect(links.first).to_be_visible()
    page.keyboard.press("Tab")
    expect(links.first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(gallery).to_be_focused()
    links.last.focus()
    page.keyboard.press("Tab")
    words = page.get_by_role("button", name="Glossary")
    expect(words).to_be_focused()
    page.keyboard.press("Enter")
    listed = page.get_by_role("dialog", name="Glossary")
    expect(listed).to_be_focused()
    expect(listed.get_by_role("heading").first).to_have_text("On this page")
    expect(listed.get_by_role("term").filter(has_text="calibration")).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(words).to_be_focused()

    tip, shots = page.locator(".tip"), page.get_by_role("link", name="shots", exact=True).first
    shots.hover()
    expect(tip).to_contain_text("shots: The number of support examples per class")
    expect(shots).to_have_attribute("aria-description", "The number of support examples per class. "
                                    "Few-shot means that it is small.")  # fmt: skip
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    address = page.url
    shots.click()
    expect(tip).to_be_visible()
    assert page.url == address
    page.keyboard.press("Escape")

    page.set_viewport_size({"width": 390, "height": 1000})  # where there are two, one hidden
    share = page.get_by_role("button", name="Share", exact=True)
    expect(page.get_by_test_id("stPopoverButton").filter(has_text="Share")).to_have_count(2)
    share.focus()
    page.keyboard.press("Enter")
    link, make = page.get_by_label("Link to this view"), "Make the report"
    expect(link).to_be_visible()
    expect(page.get_by_test_id("stCode")).to_be_visible()
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="This page")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=make)).to_be_focused()
    expect(page.get_by_role("button", name=make)).to_have_css("outline-style", "solid")
    page.keyboard.press("Escape")
    expect(link).to_have_count(0)
    expect(share).to_be_focused()

    page.set_viewport_size({"width": 320, "height": 640})  # the sidebar lies over the page
    calm(page)
    expand = page.get_by_test_id("stExpandSidebarButton")
    expand.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Collapse sidebar")).to_be_focused()
    page.wait_for_function(OPENED)  # growing wide, it scrolls, which ends a list that is open
    method = page.get_by_role("combobox", name="Method", exact=True)
    method.focus()
    page.evaluate(TWO_FRAMES)  # it was scrolled to
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("listbox")).to_be_visible()
    page.keyboard.press("Escape")  # of the list
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(method).to_be_focused()
    page.keyboard.press("Escape")
    expect(expand).to_be_focused()


def test_who_presses_what_then_leaves_goes_on_with_what_came_of_it(visit, tmp_path):
    page = visit("learn?ask=answer")
    calm(page)
    main = page.get_by_test_id("stMain")

    def press(control, key="Enter"):
        calm(page)  # what is drawn anew loses the focus before the key
        control.focus()
        page.keyboard.press(key)

    press(main.get_by_role("button", name=re.compile("4 · Closer classes")))
    expect(main.get_by_text("What a prototype gives to each class")).to_be_focused()
    for told in ("Step 2 of 2", "Question"):
        press(main.get_by_role("button", name="Next", exact=True))
        expect(main.get_by_text(told, exact=True).last).to_be_visible()
    expect(
        main.get_by_text(
            "A line carries three classes. Which one has the smallest share at prototype A?"
        )
    ).to_be_focused()
    press(main.get_by_role("button", name="Exit lesson"))
    expect(main.get_by_role("button", name=re.compile("4 · Closer classes"))).to_be_focused()

    leave_for(page, "Explore")
    press(main.get_by_role("radio", name="negative", exact=True), "Space")
    expect(main.get_by_text(re.compile("Correct: negative|Your guess: negative"))).to_be_focused()
    main.get_by_role("button", name="Stop asking").click()  # which brings the sidebar back

    choose_option(page, "Dataset", "Product reviews")
    expect(page.locator(".st-key-status-bar")).to_contain_text("Product reviews")
    leave_for(page, "Encoders")
    fold = main.locator("summary", has_text="How an episode of meta-training works")
    fold.click()
    press(main.get_by_role("button", name="Run the steps"))
    expect(main.get_by_text(re.compile("^Each step moves examples"))).to_be_focused()

    upload = page.get_by_role("button", name="Upload a dataset")
    press(upload)
    press(page.locator(".st-key-close-upload button"))
    expect(upload).to_be_focused()
    press(upload)
    file = tmp_path / "three.csv"
    file.write_text("x,y,label\n0,0,a\n0,1,a\n3,0,b\n3,1,b\n")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    press(page.get_by_role("button", name="Use this dataset"))
    dataset = page.get_by_role("combobox", name="Dataset")
    expect(dataset).to_be_focused()
    expect(dataset).to_have_value("Three")


SCROLLED = """slider => {
  const boxes = []
  for (let box = slider.parentElement; box.dataset.testid !== "stMain"; box = box.parentElement)
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) boxes.push(box.className)
  return boxes
}"""


def scrolls_one_way(page, title):
    wide, fits = page.get_by_test_id("stMain").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert wide <= fits, title


def test_a_phone_scrolls_one_way_and_shows_the_picture_first_and_paper_no_controls(visit):
    page = visit(width=380, height=800)
    settle(page)
    scrolls_one_way(page, "Explore")
    page.wait_for_function(FILLED)
    ready(page)
    page.locator(".js-plotly-plot:visible").first.scroll_into_view_if_needed()
    click_until_ringed(page, 9)
    layers = page.get_by_text("Layers", exact=True)
    expect(layers).to_be_hidden()
    chart = page.locator(".st-key-map-figure")
    ends = "all => Math.max(...all.map(e => e.getBoundingClientRect().bottom))"
    key, whole = chart.locator(".legend, .legend2").evaluate_all(ends), chart.evaluate_all(ends)
    assert whole - key < 40  # no empty band
    page.get_by_role("button", name="View", exact=True).click()
    expect(layers).to_be_visible()
    page.emulate_media(media="print")
    expect(layers).to_be_hidden()
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()

    page.emulate_media(media="screen")
    page.keyboard.press("Escape")
    for title in ("Explain", "Soft labels"):
        page.get_by_test_id("stExpandSidebarButton").click()
        leave_for(page, title)
        expect(page).to_have_title(re.compile(title))
        settle(page)
        scrolls_one_way(page, title)
    sliders = page.get_by_test_id("stSlider")  # both prototypes, without a box to scroll
    expect(sliders).to_have_count(6)
    assert sliders.last.evaluate(SCROLLED) == []
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("button", name="Upload a dataset").click()  # whose place is not covered
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    expect(page.locator(".st-key-upload-panel")).to_be_visible()
