// Unpacks Plotly and draws the figures: 720 px wide, so that a sheet of paper holds them as they are.
(async () => {
  const packed = document.getElementById("plotly").textContent
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  const script = document.createElement("script")
  script.textContent = await new Response(stream).text()
  document.head.append(script)
  const drawn = [...document.querySelectorAll("script.drawn")]
  for (const [number, figure] of drawn.entries()) {
    const { data, layout } = JSON.parse(figure.textContent)
    const config = { displaylogo: false, displayModeBar: false, responsive: false }
    await Plotly.newPlot(`figure-${number}`, data, layout, config)
  }
  document.body.dataset.drawn = drawn.length
})()
