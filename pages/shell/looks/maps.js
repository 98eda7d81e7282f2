// A map keeps its shape, so that in a narrow window it is lower than its figure was made for: the
// figure then takes the height that is left, and its key stands next to the map.
const MOST_STEPS = 12 // the key may wrap otherwise at another height; it is not chased for ever
const REST = 1_000 // ms after which what is to be fitted was changed by somebody else
const fitted = new WeakMap() // of each chart: the height and shape it was made with, and the steps
const asked = new WeakMap() // of each chart that was begun lower: the height it was made with
const rooms = new Map() // by place and its width: px that the last map there was wide, and lost

// Plotly writes the room that such axes take over what the figure gave them, and begins with that
// when the chart is drawn anew: the figure says it a second time.
function lost(layout) {
  const asked = Object.entries(layout.meta?.domains ?? {})
  const begun = (axis) => layout[axis]?._inputDomain ?? layout[axis]?.domain
  const other = asked.filter(([axis, [low, high]]) => {
    const [from, to] = begun(axis) ?? [low, high]
    return from !== low || to !== high
  })
  return Object.fromEntries(other.map(([axis, domain]) => [`${axis}.domain`, [...domain]]))
}

function keepsShape({ yaxis }) {
  return yaxis?.scaleanchor === "x" && yaxis.constrain === "domain"
}

function ratio({ xaxis: x, yaxis: y }) {
  return Math.abs(y.range[1] - y.range[0]) / Math.abs(x.range[1] - x.range[0])
}

function place(chart) {
  return chart.closest('[data-testid="stElementContainer"]')
}

function roomOf(chart) {
  const { className, clientWidth } = place(chart) ?? {}
  return `${className?.match(/st-key-\S+/)} ${clientWidth}`
}

function setHeight(chart, height) {
  const { style } = place(chart) ?? {}
  if (style) Object.assign(style, { height: `${height}px`, flexBasis: `${height}px` })
}

// A map in the place of another begins as high as that one became: else it is drawn twice.
function begin(chart, layout) {
  const room = rooms.get(roomOf(chart))
  if (!room || !keepsShape(layout) || !layout.xaxis?.range || !layout.yaxis.range) return
  const height = Math.round(room.across * ratio(layout) + room.lost)
  if (height >= layout.height) return
  asked.set(chart, layout.height)
  layout.height = height
  setHeight(chart, height)
}

function fit(chart) {
  const layout = chart._fullLayout
  if (!layout?.xaxis || !keepsShape(layout) || !layout._size) return
  if (!fitted.has(chart)) {
    const most = asked.get(chart) ?? layout.height
    const drawn = () => requestAnimationFrame(() => fit(chart))
    fitted.set(chart, { most, ratio: ratio(layout), width: 0, steps: 0, at: 0, drawn })
  }
  const made = fitted.get(chart)
  chart.removeListener("plotly_afterplot", made.drawn) // where Plotly made a chart anew, none is left
  chart.on("plotly_afterplot", made.drawn)
  const now = performance.now()
  if (layout.width !== made.width || now - made.at > REST)
    Object.assign(made, { width: layout.width, steps: 0 })
  const [left, right] = layout.meta?.domains?.xaxis ?? layout.xaxis.domain
  const around = layout.height - layout._size.h
  const across = layout._size.w * (right - left)
  const height = Math.min(made.most, Math.round(around + across * made.ratio))
  const domains = lost(layout)
  const fits = Math.abs(height - layout.height) < 4 && !Object.keys(domains).length
  if (fits) rooms.set(roomOf(chart), { across, lost: layout.height - across * made.ratio })
  if (fits || made.steps++ >= MOST_STEPS) return
  made.at = now
  setHeight(chart, height)
  window.Plotly.relayout(chart, { height, ...domains })
}

document.addEventListener("slp-begin", ({ target, detail }) => begin(target, detail))
document.addEventListener("slp-drawn", () => {
  for (const chart of document.querySelectorAll(".js-plotly-plot")) fit(chart)
})
