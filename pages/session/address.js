// Writes a query into the address where that is no step to go back from, and marks the address that
// Back or Forward leads to, before Streamlit asks the server for it: choices are then read from it.
// A page that was left before it was drawn has no query yet, and opens with the choices as they are.
const MARK = "back"
const EMBEDDED = ["embed", "embed_options"] // Streamlit's own
let listens = false

function replace(params, state = history.state) {
  const here = new URL(location.href)
  here.search = params
  history.replaceState(state, "", here)
}

function marked({ navigationType }) {
  if (navigationType !== "traverse" || !(location.search || history.state?.drawn)) return
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
  const before = new URLSearchParams(location.search)
  const params = new URLSearchParams(data.query ?? before)
  if (data.query !== null) {
    for (const key of EMBEDDED) before.getAll(key).forEach((value) => params.append(key, value))
  }
  if (`${params}` !== `${before}` || !history.state?.drawn) {
    replace(params, { ...history.state, drawn: true })
  }
}
