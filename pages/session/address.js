// Writes a query into the address where that is no step to go back from, and marks the address that
// Back or Forward leads to, before Streamlit asks the server for it: choices are then read from it.
// What is opened or folded away is written where Streamlit would make a step of it.
// A server that knows nothing of this tab, and that a click came to before it read the address, is
// told what that was.
const MARK = "back"
const FOLD = "open_" // a key's beginning
const EMBEDDED = ["embed", "embed_options"] // Streamlit's own
let listens = false
let left = "" // what the address asked for where a link led to another page

function replace(params) {
  const here = new URL(location.href)
  here.search = params
  history.replaceState(history.state, "", here)
}

// Cancels a step to what differs in folds alone.
function folded(event) {
  const { url, sameDocument } = event.destination
  if (event.navigationType !== "push" || event.hashChange || !sameDocument) return
  if (unfolded(url) !== unfolded(location.href)) return
  event.preventDefault()
  replace(new URL(url).search)
}

function unfolded(url) {
  const { pathname, searchParams } = new URL(url)
  const params = [...searchParams].filter(([key]) => !key.startsWith(FOLD))
  return `${pathname}?${new URLSearchParams(params)}`
}

function marked({ navigationType, from }) {
  const before = new URL(from.url)
  if (navigationType === "push" && before.pathname !== location.pathname) left = before.search
  if (navigationType !== "traverse") return
  const params = new URLSearchParams(location.search)
  params.set(MARK, Date.now())
  replace(params)
}

// Streamlit has asked by now: it has listened for longer.
function unmarked() {
  const params = new URLSearchParams(location.search)
  params.delete(MARK)
  replace(params)
}

export default function ({ data, setTriggerValue }) {
  if (!listens) {
    window.navigation?.addEventListener("navigate", folded)
    window.navigation?.addEventListener("currententrychange", marked)
    addEventListener("popstate", unmarked)
  }
  listens = true
  if (data.first && left) setTriggerValue("left", left.slice(1))
  left = ""
  if (data.query === null) return
  const params = new URLSearchParams(data.query)
  const before = new URLSearchParams(location.search)
  for (const key of EMBEDDED) before.getAll(key).forEach((value) => params.append(key, value))
  if (`${params}` !== `${before}`) replace(params)
}
