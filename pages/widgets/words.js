// Explains words of the glossary wherever they stand on the page, and lists them at a button. The
// page's own elements are left as they are: marks are drawn by the browser's highlights, and the
// word under the pointer is looked up by where it is.
const NAME = "slp-words"
const PLACES = ':is([data-testid="stMain"], [data-testid="stSidebarUserContent"])'
const TEXTS =
  `${PLACES} :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"])`
const IN_CHARTS = `${PLACES} .js-plotly-plot text`
const ELSEWHERE = "a, button, code, pre, svg, [role=option], [role=tooltip]" // a touch means else
const REST = 250 // ms that the pointer rests on a word before it is explained
const GRACE = 250 // ms to get from a word into its explanation
const instances = new WeakMap()

function element(tag, text, className) {
  const made = document.createElement(tag)
  if (text) made.textContent = text
  if (className) made.className = className
  return made
}

function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const at = document.caretPositionFromPoint(x, y)
    return at && { node: at.offsetNode, offset: at.offset }
  }
  const range = document.caretRangeFromPoint?.(x, y)
  return range && { node: range.startContainer, offset: range.startOffset }
}

class Words {
  constructor(parent) {
    this.opener = parent.querySelector(".opener")
    this.list = parent.querySelector(".list")
    this.tip = parent.querySelector(".tip")
    this.off = new AbortController()
    this.found = new WeakMap() // of each text node: its text, and the terms in it
    const on = (target, name, act, more) =>
      target.addEventListener(name, act, { signal: this.off.signal, passive: true, ...more })
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
    on(document, "pointermove", event => this.moved(event))
    on(document, "click", event => this.touched(event))
    on(document, "keydown", event => event.key === "Escape" && this.hide())
    on(document, "scroll", () => this.hide(), { capture: true })
    on(this.tip, "pointerenter", () => clearTimeout(this.leaving))
    on(this.tip, "pointerleave", () => this.leave())
    this.observer = new MutationObserver(records => {
      const ours = record => !(record.target.closest ?? (() => null)).call(record.target, ".js-plotly-plot")
      if (records.some(ours)) this.later()
    })
    this.observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    this.style = element("style", `::highlight(${NAME}) { text-decoration: underline dotted 1.5px; }`)
    document.head.append(this.style)
  }

  update(data) {
    if (data.pattern === this.source) return
    this.source = data.pattern
    this.pattern = new RegExp(data.pattern, "gu")
    this.terms = new Map()
    for (const term of data.terms)
      for (const form of term.forms) this.terms.set(this.folded(form), term)
    this.later()
  }

  // A term of one letter is as it is: F is not f. Others may begin a sentence.
  folded(form) {
    return form.length === 1 ? form : form.toLowerCase().replace("\u00A0", " ")
  }

  // Soon, and once for all that changes until then: a page that never rests is marked too.
  later() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.mark()
    }, 300)
  }

  termsIn(node) {
    const known = this.found.get(node)
    if (known?.text === node.data) return known.terms
    const terms = []
    for (const match of node.data.matchAll(this.pattern)) {
      const form = match.groups.form
      if (form === undefined) continue
      const term = this.terms.get(this.folded(form))
      terms.push({ start: match.index, end: match.index + form.length, term })
    }
    this.found.set(node, { text: node.data, terms })
    return terms
  }

  *texts(where) {
    for (const scope of document.querySelectorAll(where)) {
      if (scope.parentElement.closest(where)) continue
      const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) yield [scope, walker.currentNode]
    }
  }

  // The first of each term in each text is underlined; the others answer to the pointer too.
  mark() {
    if (!globalThis.Highlight) return
    const ranges = []
    let block, seen
    for (const [scope, node] of this.texts(TEXTS)) {
      if (scope !== block) [block, seen] = [scope, new Set()]
      if (node.parentElement.closest(ELSEWHERE)) continue
      for (const { start, end, term } of this.termsIn(node)) {
        if (seen.has(term)) continue
        seen.add(term)
        const range = new StaticRange({
          startContainer: node, startOffset: start, endContainer: node, endOffset: end,
        })
        ranges.push(range)
      }
    }
    this.marks = new Highlight(...ranges)
    CSS.highlights.set(NAME, this.marks)
  }

  // The term at a place in the window, and the box of its word.
  at(x, y, target) {
    if (!target.closest?.(TEXTS) || target.closest(ELSEWHERE)) return null
    const caret = caretAt(x, y)
    if (caret?.node?.nodeType !== Node.TEXT_NODE) return null
    for (const { start, end, term } of this.termsIn(caret.node)) {
      if (caret.offset < start || caret.offset > end) continue
      const range = document.createRange()
      range.setStart(caret.node, start)
      range.setEnd(caret.node, end)
      for (const box of range.getClientRects())
        if (x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 4 && y <= box.bottom + 4)
          return { term, box }
    }
    return null
  }

  moved(event) {
    if (event.pointerType !== "mouse" || this.frame) return
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined
      const here = this.at(event.clientX, event.clientY, event.target)
      clearTimeout(this.resting)
      if (!here) {
        if (!event.composedPath().includes(this.tip)) this.leave()
      } else if (here.term === this.shown) clearTimeout(this.leaving)
      else this.resting = setTimeout(() => this.show(here), REST)
    })
  }

  touched(event) {
    if (event.composedPath().includes(this.tip)) return
    const here = this.at(event.clientX, event.clientY, event.target)
    if (here) this.show(here)
    else this.hide()
  }

  leave() {
    if (!this.shown) return
    clearTimeout(this.leaving)
    this.leaving = setTimeout(() => this.hide(), GRACE)
  }

  hide() {
    clearTimeout(this.resting)
    clearTimeout(this.leaving)
    if (this.shown) this.tip.hidePopover()
    this.shown = undefined
  }

  show({ term, box }) {
    clearTimeout(this.leaving)
    this.tip.replaceChildren(element("span", term.name, "name"), `: ${term.text}`)
    this.tip.append(element("span", `On ${term.pages.join(", ")}`, "where"))
    this.tip.showPopover()
    this.shown = term
    this.place(this.tip, box)
  }

  place(popup, box) {
    const { offsetWidth: width, offsetHeight: height } = popup
    const left = Math.max(8, Math.min(box.left, innerWidth - width - 8))
    const below = box.bottom + 4
    const top = below + height <= innerHeight ? below : Math.max(8, box.top - height - 4)
    popup.style.left = `${left}px`
    popup.style.top = `${top}px`
  }

  // Every word of the page, those of buttons and charts too: for whoever has no pointer.
  toggle() {
    if (performance.now() - this.shutAt < 200) return // this very click has shut it
    const here = new Set()
    for (const [scope, node] of this.texts(`${TEXTS}, ${IN_CHARTS}`))
      if (scope.checkVisibility())
        for (const { term } of this.termsIn(node)) here.add(term)
    const entries = element("dl")
    for (const term of [...here].sort((a, b) => a.name.localeCompare(b.name)))
      entries.append(element("dt", term.name), element("dd", term.text))
    this.list.replaceChildren(element("h2", "Words on this page"), entries)
    this.list.showPopover()
    this.place(this.list, this.opener.getBoundingClientRect())
    this.list.scrollTop = 0
  }

  remove() {
    this.off.abort()
    this.observer.disconnect()
    clearTimeout(this.timer)
    this.hide()
    this.style.remove()
    if (this.marks && CSS.highlights.get(NAME) === this.marks) CSS.highlights.delete(NAME)
  }
}

export default function ({ data, parentElement }) {
  if (!instances.has(parentElement)) instances.set(parentElement, new Words(parentElement))
  instances.get(parentElement).update(data)
  return () => {
    instances.get(parentElement)?.remove()
    instances.delete(parentElement)
  }
}
