// Lies beside a chart and does what Streamlit's own chart cannot do without being made anew: draws
// the ring of the chosen point over it, through zoom and pan, and reports every click on a mark,
// also one on the mark that was clicked before.
const SVG = "http://www.w3.org/2000/svg"
const MOVES = ["plotly_afterplot", "plotly_relayout", "plotly_relayouting"]
const instances = new WeakMap()

function stroked(path, color, width) {
  const made = document.createElementNS(SVG, "path")
  const look = { d: path, fill: "none", stroke: color, "stroke-width": width }
  for (const [name, value] of Object.entries(look)) made.setAttribute(name, value)
  return made
}

class Overlay {
  constructor(parent) {
    const host = parent.getRootNode().host ?? parent
    this.block = host.closest('[class*="st-key-drawn-"]')
    this.layer = document.createElementNS(SVG, "svg")
    this.layer.dataset.testid = "chosen-ring"
    this.layer.style.cssText =
      "position:absolute;left:0;top:0;width:100%;height:100%;pointer-events:none"
    this.place = change => this.moved(change)
    this.clicked = event => {
      const carried = event.points?.[0]?.customdata
      if (carried !== undefined && carried !== null)
        this.report("clicked", [].concat(ArrayBuffer.isView(carried) ? [...carried] : carried))
    }
    // The chart comes late, and another may come in its place.
    this.timer = setInterval(() => this.attach(), 150)
  }

  update(data, report) {
    this.data = data
    this.report = report
    this.layer.replaceChildren()
    const small = data.ring.filter(spot => spot.small).length
    const many = small > 60 // whose halos would hide the marks beneath
    this.rings = data.ring.map(spot => {
      const group = document.createElementNS(SVG, "g")
      if (spot.small && many) {
        group.append(stroked(spot.path, data.color, 0.8))
        group.setAttribute("opacity", 0.5)
      } else
        group.append(
          stroked(spot.path, data.background, data.halo),
          stroked(spot.path, data.color, data.width),
        )
      this.layer.append(group)
      return { group, spot }
    })
    this.attach()
    this.moved()
  }

  attach() {
    const chart = this.block?.querySelector(".js-plotly-plot")
    const names = chart?.querySelectorAll(".svg-container > .main-svg")[1]
    if (!names || !chart.layout || !chart.on) return
    if (chart !== this.chart) this.detach()
    this.chart = chart
    this.listen(false) // a chart that Plotly made anew in its place has lost who listened
    this.listen(true)
    if (this.layer.parentNode !== names.parentNode) {
      names.before(this.layer) // over the marks, and under the words on them
      this.moved()
    }
  }

  // Of an axis by its letter and number, in pixels of the chart: Plotly's area that takes the mouse.
  area(axis) {
    const areas = [...this.chart.querySelectorAll(".nsewdrag[data-subplot]")]
    const here = areas.find(area => area.dataset.subplot.match(/[xy]\d*/g).includes(axis))
    const number = name => Number(here.getAttribute(name))
    if (!here) return null
    return axis[0] === "x" ? [number("x"), number("width")] : [number("y"), number("height")]
  }

  // From 0 to 1 along an axis, whose range a hand may just be changing.
  share(axis, value, change) {
    const name = axis.replace(/^[xy]/, "$&axis")
    const range = this.chart.layout[name]?.range
    const [first, last] = [0, 1].map(end => change?.[`${name}.range[${end}]`] ?? range?.[end])
    return (value - first) / (last - first)
  }

  moved(change) {
    if (!this.chart?.layout || !this.rings) return
    this.untangle(this.chart.layout)
    for (const { group, spot } of this.rings) {
      const across = this.area(spot.xaxis)
      const up = this.area(spot.yaxis)
      if (!across || !up) continue
      const right = this.share(spot.xaxis, spot.x, change)
      const down = 1 - this.share(spot.yaxis, spot.y, change)
      const seen = right >= 0 && right <= 1 && down >= 0 && down <= 1
      group.setAttribute("display", seen ? "inline" : "none")
      const place = [across[0] + right * across[1], up[0] + down * up[1]]
      if (seen) group.setAttribute("transform", `translate(${place})`)
    }
  }

  // Names beside marks, as many as are apart at this zoom in a window of this width.
  untangle(layout) {
    const taken = []
    const names = [...this.chart.querySelectorAll(".annotation")]
      .filter(element => layout.annotations[element.dataset.index]?.name === "class name")
      .map(element => [element, element.getBoundingClientRect()]) // all before the first is hidden
    for (const [element, box] of names) {
      const covers = other =>
        box.left < other.right && other.left < box.right &&
        box.top < other.bottom && other.top < box.bottom
      const hidden = taken.some(covers)
      element.style.visibility = hidden ? "hidden" : "visible"
      if (!hidden) taken.push(box)
    }
  }

  listen(on) {
    const change = on ? "on" : "removeListener"
    for (const name of MOVES) this.chart[change](name, this.place)
    this.chart[change]("plotly_click", this.clicked)
  }

  detach() {
    if (this.chart?.removeListener) this.listen(false)
    this.layer.remove()
    this.chart = undefined
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (!instances.has(parentElement)) instances.set(parentElement, new Overlay(parentElement))
  const overlay = instances.get(parentElement)
  overlay.update(data, setTriggerValue)
  return () => {
    clearInterval(overlay.timer)
    overlay.detach()
    instances.delete(parentElement)
  }
}
