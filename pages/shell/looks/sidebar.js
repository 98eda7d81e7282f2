// On a phone the sidebar lies over the page: once a page or the place for files is chosen, it makes
// room for it.
const CHOSEN = '[data-testid="stSidebarNavLink"], .st-key-upload-button button'
const NARROW = matchMedia("(max-width: 768px)") // where Streamlit lays it over

document.addEventListener("click", event => {
  if (!NARROW.matches || !event.target.closest?.(CHOSEN)) return
  const close = () => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click()
  setTimeout(close, 100) // the link first
})
