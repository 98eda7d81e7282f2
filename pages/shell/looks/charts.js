// Has Plotly draw one chart after the other, what is to be seen first, and nothing twice.
//
// Streamlit has every chart drawn hidden, at whatever width there is, and once more when that width
// is written down; and all charts of a page before the browser may show the first of them.
const NEAR = 200 // px below the window within which a chart counts as seen
const MOST = 1_000 // ms that a chart is waited for to be shown, and the browser to be idle
const whenIdle = window.requestIdleCallback ?? ((then) => setTimeout(then, 1))
const drawn = new WeakMap() // of each chart: config, height, and what its figure said when drawn
let waiting = [] // charts, with what begins their turn
let turns = 0 // how often the next chart to be drawn was appointed: the last time counts
let lastDrawn = 0 // ms

// What a figure says but for its size.
function words(data, { width, height, ...layout }) {
  return JSON.stringify([data, layout])
}

// Whether a figure is what a chart gave to Streamlit, but for its size.
function isOwn(chart, { data, layout }) {
  const { width, height, ...parts } = layout
  return data === chart.data && Object.keys(parts).every((part) => parts[part] === chart.layout[part])
}

// Whether a chart shows this figure already. Plotly writes what it chooses into the figure that it
// draws, and Streamlit brings a copy of it from before or after.
function isDrawn(chart, { data, layout, config }) {
  const full = chart._fullLayout
  const last = drawn.get(chart)
  if (!full || !last || config !== last.config) return false
  const sized = (side) => Math.abs(layout[side] - full[side]) < 1
  // Where a map was made lower since (maps.js), its old height is asked for as before.
  if (!sized("width") || !(sized("height") || layout.height === last.height)) return false
  if (isOwn(chart, { data, layout })) return true
  const said = words(data, layout)
  const before = said === last.said
  last.said = undefined // by the next time, somebody may have changed what the chart shows
  return before || said === words(chart.data, chart.layout)
}

function isFarBelow(chart) {
  return chart.getBoundingClientRect().top > innerHeight + NEAR
}

// Whether a chart was drawn that Streamlit has yet to show.
function isOneHidden() {
  const charts = [...document.querySelectorAll(".js-plotly-plot")]
  return performance.now() - lastDrawn < MOST && charts.some((c) => c.style.visibility === "hidden")
}

// After what was drawn last is on the screen; a window that is not looked at has no screen.
function whenShown(then) {
  const late = setTimeout(then, MOST)
  const shown = () => {
    clearTimeout(late)
    setTimeout(then)
  }
  requestAnimationFrame(() => requestAnimationFrame(shown))
}

function goOn() {
  const mine = ++turns
  const next = () => mine === turns && drawNext()
  if (waiting.some(({ chart }) => !isFarBelow(chart))) whenShown(next)
  else if (waiting.length) whenIdle(next, { timeout: MOST })
}

function drawNext() {
  const seen = waiting.find(({ chart }) => !isFarBelow(chart))
  const next = isOneHidden() ? undefined : (seen ?? waiting[0])
  waiting = waiting.filter((one) => one !== next)
  next?.begin()
  goOn()
}

// What comes to be seen, for it is scrolled to or moves up, does not wait for rest as those below.
const seeing = new IntersectionObserver(
  (changes) => {
    if (changes.some(({ isIntersecting }) => isIntersecting)) goOn()
  },
  { scrollMargin: `${NEAR}px` },
)

function turn(chart) {
  return new Promise((begin) => {
    waiting.push({ chart, begin })
    seeing.observe(chart)
    if (waiting.length === 1) goOn()
  }).then(() => seeing.unobserve(chart))
}

function sparing(Plotly) {
  const react = Plotly.react
  Plotly.react = async (chart, figure) => {
    const { data, layout, config } = figure
    if (isDrawn(chart, figure)) {
      // Streamlit asks for its size until it has it, and the browser would do nothing else.
      Object.assign(chart.layout, { width: layout.width, height: layout.height })
      return chart
    }
    if (!chart._fullLayout && (isFarBelow(chart) || isOneHidden())) await turn(chart)
    if (!chart.isConnected) return chart
    drawn.set(chart, { config, height: layout.height, said: words(data, layout) })
    if (!chart._fullLayout)
      chart.dispatchEvent(new CustomEvent("slp-begin", { bubbles: true, detail: layout }))
    const done = react(chart, figure)
    lastDrawn = performance.now()
    return done
  }
  return Plotly
}

addEventListener("beforeprint", () => {
  for (const { begin } of waiting.splice(0)) begin()
})

let Plotly
Object.defineProperty(window, "Plotly", {
  get: () => Plotly,
  set: (loaded) => {
    Plotly = sparing(loaded)
  },
})
