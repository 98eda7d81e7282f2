// Writes a query into the address where that is no step to go back from, and marks the address that
// Back or Forward leads to, before Streamlit asks the server for it: choices are then read from it.
const MARK = "back"
const EMBEDDED = ["embed", "embed_options"] // Streamlit's own
let listens = false

function replace(params) {
  const here = new URL(location.href)
  here.search = params
  history.replaceState(history.state, "", here)
}

function marked({ navigationType }) {
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

export default function ({ data }) {
  if (!listens) {
    window.navigation?.addEventListener("currententrychange", marked)
    addEventListener("popstate", unmarked)
  }
  listens = true
  if (data.query === null) return
  const params = new URLSearchParams(data.query)
  const before = new URLSearchParams(location.search)
  for (const key of EMBEDDED) before.getAll(key).forEach((value) => params.append(key, value))
  if (`${params}` !== `${before}`) replace(params)
}
