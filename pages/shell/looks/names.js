// For whoever does not see them, Streamlit names sliders by their labels as written, in Markdown with
// its backslashes. They are named by what is read on the page: label, then whose shares they are.
function name(slider) {
  const label = slider.querySelector("label p")?.textContent
  if (!label) return
  const whose = slider.closest('[class*="st-key-shares-at-end"]')?.querySelector("p")?.textContent
  // The name of a handle is its own and that of the group that it stands in.
  for (const each of slider.querySelectorAll("[aria-label]")) {
    const said = each.role === "group" ? whose ?? label : label
    if (each.ariaLabel !== said) each.ariaLabel = said
  }
}

// A card's button says what it does, and the card what it does it to: heard alone, it says both.
function nameOfCard(card) {
  const button = card.querySelector("button")
  const said = button && `${button.textContent} ${card.querySelector("p").textContent}`
  if (button && button.ariaLabel !== said) button.ariaLabel = said
}

document.addEventListener("slp-drawn", () => {
  document.querySelectorAll('[data-testid="stSlider"]').forEach(name)
  document.querySelectorAll('[class*="st-key-card-"]').forEach(nameOfCard)
})
