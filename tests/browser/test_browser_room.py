"""A lecture driven by keys, its question to the room, and phones that choose."""

import asyncio
import re
from contextlib import AsyncExitStack
from threading import Thread
from urllib.parse import urlsplit

import pytest
from conftest import PATIENCE
from lists import calm
from playwright.sync_api import expect
from test_browser_access import violations

from benchmarks.load import visitor
from pages.session.lectures import lecture_of
from slp_core.markdown import literal

pytestmark = pytest.mark.browser
SCENES = lecture_of("prototypes").scenes
POLL = ".st-key-lecture-poll"
PHONES = 30  # without a browser
PHONE = {"width": 390, "height": 844, "drawn": ".st-key-phone h1"}
FITS = """() => {
  const part = name => document.querySelector(`[class*="st-key-lecture-${name}"]`)
  const box = name => part(name).getBoundingClientRect()
  const [picture, poll, words] = ["picture", "poll", "words"].map(box)
  return picture.right <= poll.left && poll.right <= 1280 && poll.bottom <= words.top
    && words.bottom < 720 && poll.height > 400
}"""
REVEAL_AND_TURN = """button => {  // in one moment: what is pressed belongs to the scene that goes
  dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown" }))
  button.click()
}"""
WHY = "the largest stays the largest"


def turn(teacher, key, scene):
    """Press a key, and wait for the buttons of the scene that it leads to: each has the same."""
    teacher.keyboard.press(key)
    expect(teacher.get_by_role("heading", level=1)).to_have_text(SCENES[scene].title)
    calm(teacher)


def test_phones_choose_while_keys_lead_through_a_lecture(visit):
    teacher = visit("?lecture=prototypes", width=1280, height=720)
    expect(teacher.get_by_text("1 / 8")).to_be_visible()  # from then on keys are heard
    turn(teacher, "ArrowRight", 1)
    teacher.get_by_role("button", name="Ask the room").click()
    code = teacher.locator(f"{POLL} h2").inner_text()
    where = urlsplit(teacher.get_by_role("img", name="QR code").get_attribute("alt").split()[-1])
    assert where.query == f"room={code}"
    bars = teacher.locator(f"{POLL} .stProgress strong")
    expect(bars).to_have_text(["0", "0", "0"])
    teacher.wait_for_function(FITS)

    told, phones = [], []
    for dark in (False, True):
        phone = visit(f"?room={code}", dark=dark, **PHONE)
        phone.on("websocket", lambda ws: ws.on("framereceived", lambda sent: told.append(sent)))
        phone.reload()
        expect(phone.get_by_role("button", name="Only near the middle")).to_be_visible()
        calm(phone)
        assert violations(phone, dark) == []
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phones.append(phone)
    phones[0].get_by_role("button", name="Yes").click()
    phones[1].get_by_role("button", name="No", exact=True).click()
    expect(bars).to_have_text(["1", "1", "0"])
    phones[0].get_by_role("button", name="No", exact=True).click()
    expect(bars).to_have_text(["0", "2", "0"])
    phones[0].reload()  # the browser is known by its cookie
    expect(phones[0].get_by_text("You can change it")).to_be_visible()
    phones[0].get_by_role("button", name="Yes").click()
    expect(bars).to_have_text(["1", "1", "0"])
    assert violations(teacher, dark=False) == []
    assert told
    assert not [
        sent
        for sent in told
        if WHY.encode() in (sent if isinstance(sent, bytes) else sent.encode())
    ]

    turn(teacher, "PageDown", 2)
    turn(teacher, "PageUp", 1)
    expect(bars).to_have_text(["1", "1", "0"])
    teacher.get_by_role("button", name="Reveal").click()
    expect(teacher.get_by_text(WHY)).to_be_visible()
    expect(teacher.locator(f"{POLL} .stProgress", has_text="✓ correct")).to_have_text(
        re.compile("^No")
    )
    for phone, chosen in zip(phones, ("Yes", "No"), strict=True):
        expect(phone.get_by_text(WHY)).to_be_visible()
        expect(phone.get_by_text(f"You chose: {chosen}")).to_be_visible()

    turn(teacher, "PageDown", 2)
    teacher.get_by_role("button", name="Ask the room").click()
    expect(teacher.locator(f"{POLL} h2")).to_have_text(code)
    expect(phones[0].get_by_role("button", name="5", exact=True)).to_be_visible()
    teacher.get_by_role("button", name="Reveal").evaluate(REVEAL_AND_TURN)
    expect(teacher.get_by_role("heading", level=1)).to_have_text(SCENES[3].title)
    calm(teacher)
    expect(teacher.get_by_role("button", name="Reveal")).to_be_visible()
    turn(teacher, "PageUp", 2)
    expect(teacher.locator(f"{POLL} .stProgress", has_text="✓ correct")).to_have_text(
        re.compile("^5")
    )


@pytest.fixture
def beside():
    """Waits for what is done on a loop of its own: Playwright has the one of this thread."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()

    def done(coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(PATIENCE / 1_000)

    yield done
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_thirty_phones_answer_in_all_eight_scenes_and_each_is_counted_once(visit, address, beside):
    teacher = visit("?lecture=prototypes", width=1280, height=720)
    bars = teacher.locator(f"{POLL} .stProgress strong")
    phones, opened = [], AsyncExitStack()

    async def join(code):
        for number in range(PHONES):
            phone = await opened.enter_async_context(visitor(address, f"phone {number}"))
            # Streamlit drops what a run has sent if a timed fragment is asked for as it ends
            phone.query, phone.looks = f"room={code}", False
            phones.append(phone)

    async def choose(choices):
        async def one(phone, first, last):
            await phone.run()
            for choice in dict.fromkeys((first, last)):
                await phone.press(choice)

        await asyncio.gather(*map(one, phones, choices, reversed(choices)))

    for number in range(len(SCENES)):
        if number:
            turn(teacher, "PageDown", number)
        teacher.get_by_role("button", name="Ask the room").click()
        bars.first.wait_for()
        calm(teacher)
        said = teacher.locator(f"{POLL} .stProgress p").all_inner_texts()
        choices = [text.removesuffix(": 0") for text in said]
        assert len(choices) >= 3
        if not number:
            beside(join(teacher.locator(f"{POLL} h2").inner_text()))
        chosen = [choices[(number + n * n) % len(choices)] for n in range(PHONES)]
        beside(choose(list(map(literal, chosen))))
        expect(bars).to_have_text([str(chosen.count(each)) for each in choices])
        teacher.get_by_role("button", name="Reveal").click()
        expect(teacher.get_by_text("✓").first).to_be_visible()
        expect(bars).to_have_text([str(chosen.count(each)) for each in choices])
    beside(phones[-1].run())
    assert phones[-1].says("Correct: (.+)")
    beside(opened.aclose())


def test_a_code_that_is_no_room_is_asked_for_again(visit):
    phone = visit("?room=AAAA", **PHONE)
    expect(phone.get_by_role("heading")).to_have_text(re.compile("no room with this code"))
    assert violations(phone, dark=False) == []
    phone.get_by_label("Code on the screen").fill("BBBB")
    phone.get_by_role("button", name="Join").click()
    expect(phone).to_have_url(re.compile(r"/\?room=BBBB$"))
