// A jump to a part that is folded away opens it.
document.addEventListener("click", event => {
  const link = event.target.closest?.('.parts a, a[href^="#part-"]')
  const part = link && document.getElementById(decodeURIComponent(link.hash.slice(1)))
  const fold = part?.closest('[class*="st-key-part-"]')?.querySelector("details:not([open])")
  fold?.querySelector("summary").click()
})
