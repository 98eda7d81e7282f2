// Tells the other scripts, at most ten times a second, that something was drawn: one look for all.
let asked = false
new MutationObserver(() => {
  if (asked) return
  asked = true
  setTimeout(() => {
    asked = false
    document.dispatchEvent(new Event("slp-drawn"))
  }, 100)
}).observe(document, {
  childList: true, subtree: true, attributes: true, attributeFilter: ["data-test-connection-state"],
})
