// Back returns to the view that was left. What somebody does may be answered by several addresses:
// one for each setting that it changes, and for who goes to another page first that of the page being
// left, without what counts on it alone. All but the last stand for nothing that anybody has seen, and
// a Back to one would be a view half made. So only the first is new, and the others take its place.
const AT_ONCE = 1000 // ms, in which the second follows: both come with the same answer
const DEEDS = ["pointerdown", "pointerup", "keydown", "change"]
const push = history.pushState.bind(history)
let shortened = null // the time of an address that was only shortened
let acted = false // whether somebody did something since the last address

const parts = (address) => new URLSearchParams(new URL(address, location.href).search)
const pathOf = (address) => new URL(address, location.href).pathname

function isShorter(address) {
  const before = [...parts(location.href)].map(String)
  const after = [...parts(address)].map(String)
  return after.length < before.length && after.every((part) => before.includes(part))
}

history.pushState = (state, title, address = location.href) => {
  const moves = pathOf(address) !== location.pathname
  const follows = moves && shortened !== null && performance.now() - shortened < AT_ONCE
  shortened = !moves && isShorter(address) ? performance.now() : null
  if (acted && !follows) push(state, title, address)
  else history.replaceState(state, title, address)
  acted = false
}

for (const deed of DEEDS) addEventListener(deed, () => { acted = true }, true)
addEventListener("popstate", () => {
  shortened = null
  acted = false
})
