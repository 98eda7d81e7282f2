// Explains terms of the glossary where a link marks them, and lists all at a button.
const MARKED = 'a[href^="#word-"]'
const GRACE = 250 // ms to get from a term into its explanation
const instances = new WeakMap()

function element(tag, text, className) {
  const made = document.createElement(tag)
  if (text) made.textContent = text
  if (className) made.className = className
  return made
}

class Words {
  constructor(parent) {
    this.opener = parent.querySelector(".opener")
    this.list = parent.querySelector(".list")
    this.tip = parent.querySelector(".tip")
    this.off = new AbortController()
    const on = (target, name, act, capture = false) =>
      target.addEventListener(name, act, { signal: this.off.signal, capture })
    on(this.opener, "click", () => this.toggle())
    on(this.list, "toggle", event => {
      this.opener.setAttribute("aria-expanded", event.newState === "open")
      if (event.newState === "closed") this.shutAt = performance.now()
    })
    on(this.list, "keydown", event => {
      if (event.key !== "Escape") return
      this.list.hidePopover()
      this.opener.focus()
    })
    on(document, "pointerover", event => {
      if (event.pointerType !== "mouse") return
      if (this.marked(event)) this.show(this.marked(event))
      else if (!event.composedPath().includes(this.tip)) this.leave()
      else clearTimeout(this.leaving)
    })
    on(document, "focusin", event => this.marked(event) && this.show(this.marked(event)))
    on(document, "focusout", event => this.marked(event) && this.leave())
    on(document, "click", event => this.clicked(event), true)
    on(document, "keydown", event => event.key === "Escape" && this.hide())
    on(document, "scroll", () => this.hide(), true)
  }

  marked(event) {
    return event.target.closest?.(MARKED)
  }

  // A link to a term leads nowhere.
  clicked(event) {
    const link = this.marked(event)
    if (link) {
      event.preventDefault()
      event.stopPropagation()
      this.show(link)
    } else if (!event.composedPath().includes(this.tip)) this.hide()
  }

  leave() {
    clearTimeout(this.leaving)
    this.leaving = setTimeout(() => this.hide(), GRACE)
  }

  hide() {
    clearTimeout(this.leaving)
    if (this.tip.matches(":popover-open")) this.tip.hidePopover()
  }

  show(link) {
    clearTimeout(this.leaving)
    const term = this.terms[decodeURI(link.getAttribute("href"))]
    if (!term) return
    link.setAttribute("aria-description", term.text) // for who hears the page
    this.tip.replaceChildren(element("span", term.name, "name"), `: ${term.text}`)
    this.tip.showPopover()
    this.place(this.tip, link.getBoundingClientRect())
  }

  place(popup, box) {
    const { offsetWidth: width, offsetHeight: height } = popup
    const left = Math.max(8, Math.min(box.left, innerWidth - width - 8))
    const below = box.bottom + 4
    const top = below + height <= innerHeight ? below : Math.max(8, box.top - height - 4)
    popup.style.left = `${left}px`
    popup.style.top = `${top}px`
  }

  // All terms, those that the page marks first.
  toggle() {
    if (performance.now() - this.shutAt < 200) return // this very click has shut it
    const here = new Set()
    for (const link of document.querySelectorAll(MARKED))
      if (link.checkVisibility()) here.add(this.terms[decodeURI(link.getAttribute("href"))])
    const [shown, others] = [[], []]
    for (const term of Object.values(this.terms).sort((a, b) => a.name.localeCompare(b.name)))
      (here.has(term) ? shown : others).push(term)
    this.list.replaceChildren(...this.part("On this page", shown), ...this.part("Glossary", others))
    this.list.showPopover()
    this.place(this.list, this.opener.getBoundingClientRect())
    this.list.scrollTop = 0
  }

  part(title, terms) {
    if (!terms.length) return []
    const entries = element("dl")
    for (const term of terms) entries.append(element("dt", term.name), element("dd", term.text))
    return [element("h2", title), entries]
  }

  remove() {
    this.off.abort()
    this.hide()
  }
}

export default function ({ data, parentElement }) {
  if (!instances.has(parentElement)) instances.set(parentElement, new Words(parentElement))
  instances.get(parentElement).terms = data
  return () => {
    instances.get(parentElement)?.remove()
    instances.delete(parentElement)
  }
}
