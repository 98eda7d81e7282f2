// Back returns to the view that was left. Who goes to another page is sent two addresses: that of
// the page being left, without what counts on it alone, and the new page's. The first stands for
// nothing that anybody has seen, and a Back to it would take those settings away.
const AT_ONCE = 1000 // ms, in which the second follows: both come with the same answer
const push = history.pushState.bind(history)
let shortened = null // the time of an address that was only shortened

const parts = (address) => new URLSearchParams(new URL(address, location.href).search)
const pathOf = (address) => new URL(address, location.href).pathname

function isShorter(address) {
  const before = [...parts(location.href)].map(String)
  const after = [...parts(address)].map(String)
  return after.length < before.length && after.every((part) => before.includes(part))
}

history.pushState = (state, title, address = location.href) => {
  const moves = pathOf(address) !== location.pathname
  if (moves && shortened !== null && performance.now() - shortened < AT_ONCE) {
    shortened = null
    history.replaceState(state, title, address)
    return
  }
  shortened = !moves && isShorter(address) ? performance.now() : null
  push(state, title, address)
}

addEventListener("popstate", () => { shortened = null })
