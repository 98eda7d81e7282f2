// By the keyboard: who presses what then leaves the page goes on with what has come of it. The
// browser would begin at the top of the page, and tell nothing to whoever does not see it.
const GOES_ON = {
  ".st-key-guess": '.st-key-verdict [data-testid="stMarkdown"] p',
  ".st-key-run-the-steps": ".st-key-steps-taken > :first-child p",
  ".st-key-close-upload": '.st-key-upload-button button, [data-testid="stExpandSidebarButton"]',
  ".st-key-upload-panel": '[class*="st-key-dataset-"] input, [data-testid="stExpandSidebarButton"]',
  ".st-key-lessons, .st-key-lesson-turns": ".st-key-lesson-top strong",
  ".st-key-lesson-ways": '.st-key-lessons [data-testid="stBaseButton-primary"]',
}
const SETTLED = 300 // ms in which nothing was drawn
let pressed // the control that had the keyboard last
let goal // what comes of it, where it is one of those that leave
let settling

addEventListener("keydown", ({ target }) => {
  const left = Object.keys(GOES_ON).find(each => target.closest?.(each))
  pressed = target
  goal = left && GOES_ON[left]
}, true)
addEventListener("pointerdown", () => { goal = undefined }, true)

function goOn() {
  if (!goal || pressed.isConnected || document.activeElement !== document.body) return
  const all = [...document.querySelectorAll(goal)]
  const next = all.filter(each => each.checkVisibility({ visibilityProperty: true })).at(-1)
  if (!next) return // it is still to come
  goal = undefined
  if (next.tabIndex < 0) next.tabIndex = -1 // words
  next.focus()
}

document.addEventListener("slp-drawn", () => {
  clearTimeout(settling)
  settling = setTimeout(goOn, SETTLED)
})
