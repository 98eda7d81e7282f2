// Keys and buttons that turn to other scenes, and the picture of a scene as large as the window allows.
const KEYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }
const CONTROLS = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=tab], [role=combobox]"
const PHONE = 700 // px of a window in which a picture stands as it is, and the page is scrolled
const CHARTS = 0.65 // of 1280 px in a window as wide: what charts are laid out in, and their letters of 12 px are over 18 there
const OTHERS = 0.6 // of a scene's width: what pictures with letters of their own are laid out in
const TRIES = 20 // for one picture, each later than the one before
const SETTLED = 250 // ms in which charts take the width of their places
const places = new WeakMap() // by component: the scene that keys have led to, and those on the way that are still to come

function focused(root = document) {
  const at = root.activeElement
  return at?.shadowRoot ? focused(at.shadowRoot) : at
}

// Streamlit reads a chart's width off the screen, where it is scaled: a picture is scaled only when its
// charts have the width of their places.
function fitting(signal) {
  let shown, tries, settling
  const charts = () => [...shown.querySelectorAll(".stPlotlyChart")]
  const fits = chart => Math.abs((chart.querySelector(".svg-container")?.offsetWidth ?? 0) - chart.clientWidth) < 3
  const fit = () => {
    const lecture = document.querySelector(".st-key-lecture")
    const room = lecture?.querySelector(".st-key-lecture-room")
    const picture = room?.querySelector('[class*="st-key-lecture-picture"]')
    if (!picture) return
    if (shown !== picture) {
      if (shown) sizes.unobserve(shown)
      ;[shown, tries] = [picture, 0]
      sizes.observe(shown)
    }
    if (innerWidth < PHONE) {
      room.style.height = shown.style.width = shown.style.left = shown.style.transform = ""
      return
    }
    const { paddingTop, paddingBottom } = getComputedStyle(lecture.closest("[data-testid=stMainBlockContainer]"))
    const around = lecture.offsetHeight - room.offsetHeight + parseFloat(paddingTop) + parseFloat(paddingBottom)
    const free = Math.max(200, innerHeight - around)
    room.style.height = `${free}px`
    const laid = Math.round(charts().length ? (CHARTS * 1280 * room.clientWidth) / innerWidth : OTHERS * lecture.clientWidth)
    const scaled = () => {
      const scale = Math.min(room.clientWidth / laid, free / Math.max(1, shown.offsetHeight))
      shown.style.left = `${(room.clientWidth - laid * scale) / 2}px`
      shown.style.transform = `scale(${scale})`
    }
    if ((Math.abs(parseFloat(shown.style.width) - laid) < 2 && charts().every(fits)) || tries++ > TRIES) return scaled()
    shown.style.transform = ""
    shown.style.width = `${laid - (tries % 2)}px` // another one each time, so that it is read
    clearTimeout(settling)
    settling = setTimeout(() => { scaled(); settling = setTimeout(fit, tries * SETTLED) }, SETTLED)
  }
  const soon = () => requestAnimationFrame(() => { if (!shown?.isConnected || shown.style.transform) fit() })
  const sizes = new ResizeObserver(soon)
  const anew = () => { tries = 0; fit() }
  addEventListener("resize", anew, { signal })
  document.addEventListener("slp-drawn", soon, { signal })
  signal.addEventListener("abort", () => { sizes.disconnect(); clearTimeout(settling) })
  anew()
}

export default function ({ parentElement, data, setTriggerValue }) {
  const place = places.get(parentElement) ?? { coming: [] }
  places.set(parentElement, place)
  if (place.drawn !== data.scene) {
    const passed = place.coming.indexOf(data.scene)
    place.coming = passed < 0 ? [] : place.coming.slice(passed + 1)
    if (passed < 0) place.at = data.scene // Back led there
    place.drawn = data.scene
  }
  place.ends?.abort()
  const ends = place.ends = new AbortController()
  const part = name => parentElement.querySelector(name)
  const turn = step => {
    const next = Math.max(0, Math.min(data.scenes - 1, place.at + step))
    if (next === place.at) return
    place.at = next
    place.coming.push(next)
    setTriggerValue("scene", next)
    say()
  }
  const say = () => {
    part("[role=status]").textContent = `${place.at + 1} / ${data.scenes}`
    part(".back").disabled = place.at === 0
    part(".next").disabled = place.at === data.scenes - 1
  }
  part(".back").onclick = () => turn(-1)
  part(".next").onclick = () => turn(1)
  part(".leave").onclick = () => setTriggerValue("leave", true)
  part(".full").onclick = () => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  addEventListener("keydown", event => {
    const step = KEYS[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.startsWith("Arrow") && focused()?.matches(CONTROLS)) return
    event.preventDefault()
    event.stopPropagation()
    turn(step)
  }, { capture: true, signal: ends.signal })
  fitting(ends.signal)
  say()
  return () => ends.abort()
}
