// Writes a query into the address where that is no step to go back from, and marks the address that
// Back or Forward leads to, before Streamlit asks the server for it: choices are then read from it.
// A server that knows nothing of this tab, and that a click came to before it read the address, is
// told what that was.
const MARK = "back"
const EMBEDDED = ["embed", "embed_options"] // Streamlit's own
let listens = false
let left = "" // what the address asked for where a link led to another page

function replace(params) {
  const here = new URL(location.href)
  here.search = params
  history.replaceState(history.state, "", here)
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
