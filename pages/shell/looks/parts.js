// A jump to a part that is folded away opens it; an address that names a part leads there.
const PATIENCE = 60_000 // ms: a page is drawn from its top, and a part may be long in coming

function open(part) {
  const fold = part?.closest('[class*="st-key-part-"]')?.querySelector("details:not([open])")
  fold?.querySelector("summary").click()
}

document.addEventListener("click", event => {
  const link = event.target.closest?.('.parts a, a[href^="#part-"]')
  if (link) open(document.getElementById(decodeURIComponent(link.hash.slice(1))))
})

const named = decodeURIComponent(location.hash.slice(1))
if (named.startsWith("part-")) {
  const end = Date.now() + PATIENCE
  const look = setInterval(() => {
    const part = document.getElementById(named)
    const drawn = part && !document.querySelector('[data-testid="stStatusWidget"]')
    if (drawn) {
      open(part)
      part.scrollIntoView()
    }
    if (drawn || Date.now() > end) clearInterval(look)
  }, 300)
}
