// On a phone, and where letters are large, the sidebar lies over the page: once a page or the place
// for files is chosen, or at Escape, it makes room for it.
const CHOSEN = '[data-testid="stSidebarNavLink"], .st-key-upload-button button'
const OPENS = '[data-testid="stExpandSidebarButton"]'
const CLOSES = '[data-testid="stSidebarCollapseButton"] button'
const NARROW = matchMedia("(max-width: 768px)") // where Streamlit lays it over
const DRAWN = 100 // ms, until one of its two buttons has given way to the other

const close = () => document.querySelector(CLOSES)?.click()

document.addEventListener("click", event => {
  if (NARROW.matches && event.target.closest?.(CHOSEN)) setTimeout(close, DRAWN) // the link first
  // By the keyboard: who opens it goes on in it, and who closes it where it is opened.
  if (event.detail !== 0) return
  const next = event.target.closest?.(OPENS) ? CLOSES : event.target.closest?.(CLOSES) && OPENS
  if (next) setTimeout(() => document.querySelector(next)?.focus(), DRAWN)
})
document.addEventListener("keydown", event => {
  const inside = event.target.closest?.('[data-testid="stSidebar"]')
  const list = document.querySelector('[role="listbox"]') // which ends first
  if (event.key === "Escape" && NARROW.matches && inside && !list) close()
}, true) // before it has ended
