// The fonts of the page's head in place of those that Streamlit's style sheet declares: it would ask
// for each of them whole. And as its theme arrives, the browser reads every font of a style sheet a
// second time: until it has, on a busy computer for seconds, the page stands in other letters and
// icons are words. Fonts that a script adds stay. This runs before Streamlit's own scripts. What is
// not fetched early waits for a letter of its range.
const links = [...document.querySelectorAll("link[data-family]")]
const families = links.map((link) => link.dataset.family)

function isOurs(rule) {
  const family = rule.style?.getPropertyValue("font-family").replaceAll('"', "")
  return rule instanceof CSSFontFaceRule && families.includes(family)
}

for (const sheet of document.styleSheets)
  for (let i = sheet.cssRules.length - 1; i >= 0; i--) if (isOurs(sheet.cssRules[i])) sheet.deleteRule(i)

for (const link of links) {
  const { family, style, range = "U+0-10FFFF" } = link.dataset
  const given = { style, weight: "100 900", unicodeRange: range }
  const face = new FontFace(family, `url(${link.href})`, given)
  document.fonts.add(face)
  if (link.rel) face.load()
}
