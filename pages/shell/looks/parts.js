// A jump to a part that is folded away opens it; an address that names a part leads there. A page
// is drawn from its top: a part that is not there yet is waited for.
const PATIENCE = 60_000 // ms: a part may be long in coming
let coming // what looks for the part that somebody wants to see

// The fold of a part that can be folded away, undefined for others; null where it is to come.
function foldOf(part) {
  return part.closest('[class*="st-key-part-"]')?.querySelector("details")
}

function isThere(part) {
  return part && foldOf(part) !== null
}

function open(part) {
  const fold = foldOf(part)
  if (fold && !fold.open) fold.querySelector("summary").click()
}

function arrive(name, isSettled) {
  const end = Date.now() + PATIENCE
  clearInterval(coming)
  coming = setInterval(() => {
    const part = document.getElementById(name)
    const drawn = isThere(part) && isSettled()
    if (drawn) {
      open(part)
      part.scrollIntoView()
    }
    if (drawn || Date.now() > end) clearInterval(coming)
  }, 300)
}

document.addEventListener("click", event => {
  const link = event.target.closest?.('a[href^="#part-"]')
  if (!link) return
  const name = decodeURIComponent(link.hash.slice(1))
  const part = document.getElementById(name)
  clearInterval(coming)
  if (isThere(part)) open(part)
  else arrive(name, () => true)
})

const named = decodeURIComponent(location.hash.slice(1))
if (named.startsWith("part-"))
  arrive(named, () => !document.querySelector('[data-testid="stStatusWidget"]'))
