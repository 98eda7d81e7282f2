// What a button opens stands at the end of the document, and over what follows the button: Tab leads
// from the button into it, and out of it to what comes after the button. One is open at a time.
const BUTTON = '[data-testid="stPopoverButton"][aria-expanded="true"]'
const BODY = '[data-testid="stPopoverBody"]'

const shown = element => element.checkVisibility({ visibilityProperty: true })

function stopsIn(root) {
  return [...root.querySelectorAll("*")].flatMap(element => {
    if (element.shadowRoot) return stopsIn(element.shadowRoot)
    const stops = element.tabIndex >= 0 && !element.disabled
    return stops && shown(element) ? [element] : []
  })
}

function focused(root = document) {
  const element = root.activeElement
  return element?.shadowRoot ? focused(element.shadowRoot) : element
}

// In a narrow window Streamlit keeps a second, hidden button, and would give that the focus back.
const opener = () => [...document.querySelectorAll(BUTTON)].find(shown)
const CLOSED = 100 // ms

document.addEventListener("keydown", event => {
  const button = opener()
  if (event.key !== "Escape" || !button || !document.querySelector(BODY)?.contains(event.target)) return
  setTimeout(() => document.activeElement === document.body && button.focus(), CLOSED)
}, true)

document.addEventListener("keydown", event => {
  if (event.key !== "Tab" || event.ctrlKey || event.metaKey || event.altKey) return
  const button = opener()
  const body = document.querySelector(BODY)
  if (!button || !body) return
  const stops = stopsIn(body)
  if (event.target === button && !event.shiftKey && stops.length) {
    event.preventDefault()
    stops[0].focus()
  } else if (body.contains(event.target) && focused() === stops.at(event.shiftKey ? 0 : -1)) {
    button.focus()
    if (event.shiftKey) event.preventDefault() // it leads to the button, and else on from there
  }
}, true)
