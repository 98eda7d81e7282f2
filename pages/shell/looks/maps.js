// A map keeps its shape, so that in a narrow window it is lower than its figure was made for: the
// figure then takes the height that is left, and its key stands next to the map.
const heights = new WeakMap() // as each figure was made

function fit(chart) {
  const layout = chart._fullLayout
  const { xaxis: x, yaxis: y } = layout ?? {}
  if (!x || y?.scaleanchor !== "x" || y.constrain !== "domain" || !layout._size) return
  if (!heights.has(chart)) {
    const across = Math.abs(x.range[1] - x.range[0])
    heights.set(chart, [layout.height, Math.abs(y.range[1] - y.range[0]) / across])
    chart.on("plotly_afterplot", () => requestAnimationFrame(() => fit(chart)))
  }
  const [most, ratio] = heights.get(chart)
  const [left, right] = x._inputDomain ?? x.domain
  const around = layout.height - layout._size.h
  const height = Math.min(most, Math.round(around + layout._size.w * (right - left) * ratio))
  if (Math.abs(height - layout.height) < 4) return
  const place = chart.closest('[data-testid="stElementContainer"]')
  if (place) Object.assign(place.style, { height: `${height}px`, flexBasis: `${height}px` })
  window.Plotly.relayout(chart, { height })
}

let asked = false
new MutationObserver(() => {
  if (asked) return
  asked = true
  setTimeout(() => {
    asked = false
    for (const chart of document.querySelectorAll(".js-plotly-plot"))
      if (!heights.has(chart)) fit(chart)
  }, 100)
}).observe(document, { childList: true, subtree: true })
