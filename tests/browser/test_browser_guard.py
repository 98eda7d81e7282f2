"""What the browser is told to refuse, it refuses; every other test sees that nothing else is."""

import pytest
from conftest import window

pytestmark = pytest.mark.browser
TRY = """async () => {
  const refused = [];
  document.addEventListener("securitypolicyviolation", e => refused.push(e.effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.head.append(script);
  const icon = document.createElement("img");
  icon.src = "https://fonts.example/icon.svg";
  document.body.append(icon);
  await fetch("https://example.org/").catch(() => null);
  for (let n = 0; n < 600 && refused.length < 3; n++)
    await new Promise(done => setTimeout(done, 200));
  return [refused.sort(), "ran" in window];
}"""


def test_scripts_and_other_hosts_are_refused_and_the_page_has_its_own_icon(browser, address):
    page = window(browser).new_page()
    icons = """new MutationObserver(() => {
      const icon = document.querySelector("link[rel='shortcut icon']")?.href;
      if (icon) (window.icons ??= new Set()).add(icon);
    }).observe(document, {subtree: true, childList: true, attributes: true});"""
    page.add_init_script(icons)  # a browser fetches an icon where no test can see it
    page.goto(f"{address}/train")
    page.wait_for_selector("[data-testid=stSidebarNavLink]")
    page.wait_for_function("() => [...icons].some(icon => icon.startsWith('data:'))")
    assert all(icon.startswith((address, "data:")) for icon in page.evaluate("[...icons]"))
    refused, ran = page.evaluate(TRY)
    assert refused == ["connect-src", "img-src", "script-src-elem"]
    assert not ran
    page.context.close()
