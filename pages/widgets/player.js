// Plays the steps of a fit. All frames are here: the server is not asked while they play, and hears
// only where somebody stopped.
const SVG = "http://www.w3.org/2000/svg"
const WIDE = 380 // units of the curves' picture
const [TOP, MIDDLE, BELOW, BOTTOM] = [20, 128, 194, 264] // of accuracy's and loss's axes
const [LEFT, RIGHT] = [48, 372]
const SPEEDS = [1, 5, 20] // steps a second
const REACH = 14 // px from the middle of a support example
const players = new WeakMap()

function numbers(text, size) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  return size === 2 ? new Uint16Array(bytes.buffer) : bytes
}

function element(tag, text = "", style = {}) {
  const made = document.createElement(tag)
  made.textContent = text
  Object.assign(made.style, style)
  return made
}

function drawn(svg, tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  svg.append(made)
  return made
}

export class Player {
  constructor(root, data, onStop = () => {}, onPick = null) {
    this.root = root
    this.data = data
    this.onStop = onStop
    this.onPick = onPick
    this.frames = data.frames.map((frame) => ({ ...frame, labels: numbers(frame.labels, data.bytes) }))
    this.part = (name) => root.querySelector(`.${name}`)
    this.part("classes").replaceChildren(
      ...data.classes.map(({ name, mark, color }) => {
        const entry = element("span", ` ${name}`)
        entry.prepend(element("span", mark, { color }))
        return entry
      }),
    )
    this.part("map").setAttribute("aria-label", data.sentence ?? "")
    const { step } = data.curves
    this.part("back").setAttribute("aria-label", `Previous ${step}`)
    this.part("on").setAttribute("aria-label", `Next ${step}`)
    this.part("scrub").setAttribute("aria-label", step[0].toUpperCase() + step.slice(1))
    const usual = Number.parseInt(data.speed) || SPEEDS.at(-1)
    this.part("speed").replaceChildren(
      ...SPEEDS.map((n) => {
        const option = element("option", `${n} ${step}${n > 1 ? "s" : ""} a second`)
        option.value = n
        option.selected = n === usual
        return option
      }),
    )
    this.part("scrub").max = this.frames.length - 1
    this.drawCurves()
    this.drawBars()
    this.listen()
    this.show(data.shown)
    if (data.play && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play()
  }

  listen() {
    const listen = (name, event, then) => { this.part(name)[`on${event}`] = then }
    listen("back", "click", () => this.stepTo(this.now - 1))
    listen("on", "click", () => this.stepTo(this.now + 1))
    listen("play", "click", () => (this.timer ? this.pause() : this.play()))
    listen("scrub", "input", ({ target }) => {
      this.stop()
      this.show(Number(target.value))
    })
    listen("scrub", "change", () => this.report())
    listen("speed", "change", () => this.timer && this.play())
    if (this.onPick) {
      this.part("map").style.cursor = "pointer"
      listen("map", "click", ({ offsetX, offsetY }) => this.pick(offsetX, offsetY))
    }
    this.resized = new ResizeObserver(() => this.drawMap())
    this.resized.observe(this.part("map"))
  }

  play() {
    this.stop()
    if (this.now === this.frames.length - 1) this.show(0)
    const perSecond = Number(this.part("speed").value)
    const apart = (this.frames.at(-1).epoch - this.frames[0].epoch) / Math.max(1, this.frames.length - 1)
    this.timer = setInterval(() => {
      this.show(this.now + 1)
      if (this.now === this.frames.length - 1) this.pause()
    }, (1000 * Math.max(1, apart)) / perSecond)
    this.name("❚❚", "Pause")
  }

  stop() {
    clearInterval(this.timer)
    this.timer = 0
    this.name("▶", "Play")
  }

  pause() {
    this.stop()
    this.report()
  }

  stepTo(place) {
    this.stop()
    this.show(place)
    this.report()
  }

  report() {
    this.onStop(this.now === this.frames.length - 1 ? 0 : this.frames[this.now].epoch)
  }

  name(sign, label) {
    const button = this.part("play")
    button.textContent = sign
    button.setAttribute("aria-label", label)
  }

  show(place) {
    this.now = Math.max(0, Math.min(place, this.frames.length - 1))
    const { epoch, soft } = this.frames[this.now]
    this.part("scrub").value = this.now
    const { curves } = this.data
    this.part("scrub").setAttribute("aria-valuetext", `${curves.step} ${epoch}`)
    this.part("epoch").textContent = `${curves.step} ${epoch} of ${this.frames.at(-1).epoch}`
    const x = this.across(epoch)
    for (const cursor of this.cursors) {
      cursor.setAttribute("x1", x)
      cursor.setAttribute("x2", x)
    }
    const here = curves.at.indexOf(epoch)
    const percent = (share) => (share === null ? "unknown" : share === 1 ? "100%" : `${(100 * share).toFixed(1)}%`)
    const [query, support, ...below] = this.key
    query.textContent = `query accuracy ${percent(curves.query[here])}`
    support.textContent = `╌ support ${percent(curves.support[here])}`
    below.forEach((key, n) => {
      const { name, values } = curves.below[n]
      const value = values[here]?.toFixed(n ? 2 : 3).replace("-", "−") ?? "unknown"
      key.textContent = `${n ? "╌ " : ""}${name} ${value}`
    })
    soft.forEach((label, row) => this.segments[row].forEach(([k, segment]) => {
      segment.style.width = `${100 * label[k]}%`
      segment.title = `${this.data.classes[k].name}: ${label[k].toFixed(3)}`
    }))
    this.drawMap()
  }

  // Where a point of the plane is on the picture
  place([px, py]) {
    const { x, y } = this.data
    const width = this.part("map").clientWidth
    const height = (width * (y[1] - y[0])) / (x[1] - x[0])
    return [((px - x[0]) / (x[1] - x[0])) * width, ((y[1] - py) / (y[1] - y[0])) * height]
  }

  // Report the support example that was clicked, if one was
  pick(across, down) {
    const away = this.data.support.map((point) => {
      const [left, top] = this.place(point)
      return Math.hypot(left - across, top - down)
    })
    const nearest = away.indexOf(Math.min(...away))
    if (away[nearest] <= REACH) this.onPick(nearest)
  }

  drawMap() {
    const { grid: [wide, high], x, y, classes, colors, points, support, centroids } = this.data
    const canvas = this.part("map")
    const width = canvas.clientWidth
    if (!width || !this.frames[this.now]) return
    const height = (width * (y[1] - y[0])) / (x[1] - x[0])
    const scale = window.devicePixelRatio || 1
    if (canvas.width !== Math.round(width * scale)) {
      canvas.width = Math.round(width * scale)
      canvas.height = Math.round(height * scale)
      canvas.style.height = `${height}px`
    }
    const paint = canvas.getContext("2d")
    paint.setTransform(scale, 0, 0, scale, 0, 0)
    const cells = new OffscreenCanvas(wide, high)
    const image = new ImageData(wide, high)
    const tints = classes.map(({ tint }) => [1, 3, 5].map((at) => parseInt(tint.slice(at, at + 2), 16)))
    this.frames[this.now].labels.forEach((label, cell) => {
      const row = high - 1 - Math.floor(cell / wide) // a picture's rows begin at its top
      image.data.set([...tints[label], 255], 4 * (row * wide + (cell % wide)))
    })
    cells.getContext("2d").putImageData(image, 0, 0)
    paint.imageSmoothingEnabled = false
    paint.drawImage(cells, 0, 0, width, height)
    paint.textAlign = "center"
    paint.textBaseline = "middle"
    const put = ([px, py], k, size, edge) => {
      const at = this.place([px, py])
      paint.font = `${size}px sans-serif`
      paint.lineWidth = edge.width
      paint.strokeStyle = edge.color
      paint.fillStyle = classes[k].color
      paint.strokeText(classes[k].mark, ...at)
      paint.fillText(classes[k].mark, ...at)
    }
    for (const [px, py, k] of points) put([px, py], k, 11, { width: 1, color: colors.background })
    for (const [px, py, k] of support) put([px, py], k, 16, { width: 2, color: colors.text })
    centroids.forEach((place, k) => put(place, k, 26, { width: 3, color: colors.text }))
  }

  across(epoch) {
    const last = this.frames.at(-1).epoch
    return LEFT + ((RIGHT - LEFT) * (epoch - 1)) / Math.max(1, last - 1)
  }

  drawCurves() {
    const { curves, references, colors } = this.data
    const svg = this.part("curves")
    svg.replaceChildren()
    const { step, below } = curves
    svg.setAttribute("aria-label", `Accuracy and ${below.map((b) => b.name).join(", ")} by ${step}`)
    const small = { fill: colors.muted }
    const shares = [...curves.query, ...curves.support, ...references.map((r) => r.accuracy)]
    const present = shares.filter((share) => share !== null)
    const [low, high] = [Math.min(...present, 1), Math.max(...present, 0)]
    const room = Math.max(0.03, 0.15 * (high - low))
    const [from, to] = [Math.max(0, low - room), Math.min(1.02, high + room)]
    const percent = (share) => MIDDLE - ((share - from) / (to - from)) * (MIDDLE - TOP)
    const spans = below.map(({ values }) => {
      const there = values.filter((value) => value !== null)
      return [Math.min(0, ...there), Math.max(1e-9, ...there)]
    })
    const down = ([least, most]) => (value) => BOTTOM - ((value - least) / (most - least)) * (BOTTOM - BELOW)
    for (const [top, bottom] of [[TOP, MIDDLE], [BELOW, BOTTOM]])
      drawn(svg, "rect", { x: LEFT, y: top, width: RIGHT - LEFT, height: bottom - top, fill: "none", stroke: colors.grid })
    for (const share of [from, Math.min(1, to)])
      drawn(svg, "text", { ...small, x: LEFT - 4, y: percent(share) + 5, "text-anchor": "end" }, `${Math.round(100 * share)}%`)
    drawn(svg, "text", { ...small, x: LEFT - 4, y: BELOW + 11, "text-anchor": "end" }, spans[0][1].toPrecision(2))
    drawn(svg, "text", { ...small, x: LEFT - 4, y: BOTTOM, "text-anchor": "end" }, "0")
    drawn(svg, "text", { ...small, x: LEFT, y: BOTTOM + 18 }, `${step} ${curves.at[0]}`)
    drawn(svg, "text", { ...small, x: RIGHT, y: BOTTOM + 18, "text-anchor": "end" }, `${step} ${curves.at.at(-1)}`)
    const ordered = [...references].sort((a, b) => b.accuracy - a.accuracy)
    ordered.forEach(({ name, accuracy }, place) => {
      const [y, key] = [percent(accuracy), MIDDLE + 13 + 20 * place]
      const dashes = { stroke: colors.muted, "stroke-dasharray": place ? "8 3 2 3" : "2 4" }
      drawn(svg, "line", { x1: LEFT, x2: RIGHT, y1: y, y2: y, ...dashes })
      drawn(svg, "line", { x1: LEFT, x2: LEFT + 22, y1: key, y2: key, ...dashes })
      drawn(svg, "text", { ...small, x: LEFT + 27, y: key + 5 }, name)
    })
    const line = (values, place, color, dash = "") => {
      const path = values.map((v, i) => (v === null ? null : `${this.across(curves.at[i])},${place(v)}`))
      drawn(svg, "polyline", { points: path.filter(Boolean).join(" "), fill: "none", stroke: color, "stroke-width": 2, "stroke-dasharray": dash })
    }
    line(curves.support, percent, colors.muted, "7 5")
    line(curves.query, percent, colors.query)
    const paints = [[colors.loss, ""], [colors.muted, "7 5"]]
    below.forEach(({ values }, n) => line(values, down(spans[n]), ...paints[n]))
    const places = [[colors.query, LEFT, TOP - 5], [colors.muted, RIGHT, TOP - 5]]
    below.forEach((_, n) => places.push([paints[n][0], n ? RIGHT : LEFT, BELOW - 6]))
    this.key = places.map(([fill, x, y]) =>
      drawn(svg, "text", { fill, x, y, "text-anchor": x === LEFT ? "start" : "end" }),
    )
    this.cursors = [[TOP, MIDDLE], [BELOW, BOTTOM]].map(([y1, y2]) =>
      drawn(svg, "line", { y1, y2, stroke: colors.text, "stroke-width": 1.2 }),
    )
  }

  drawBars() {
    const { prototypes, classes } = this.data
    const soft = this.part("soft")
    soft.setAttribute("aria-label", "Soft label of each prototype")
    // Of many classes most have no share at any step: only the others get an element
    this.segments = prototypes.map((_, row) =>
      classes
        .map(({ color }, k) => [k, element("span", "", { background: color })])
        .filter(([k]) => this.frames.some((frame) => frame.soft[row][k] > 0)),
    )
    soft.replaceChildren(...prototypes.flatMap((name, row) => {
      const bar = element("div")
      bar.className = "bar"
      bar.append(...this.segments[row].map(([, segment]) => segment))
      return [element("span", name), bar]
    }))
  }

  end() {
    this.stop()
    this.resized.disconnect()
  }
}

export default function mounted({ data, parentElement, setStateValue, setTriggerValue }) {
  const known = players.get(parentElement)
  if (known?.data.id !== data.id) {
    known?.end()
    const onStop = (epoch) => setStateValue("epoch", epoch)
    const onPick = data.picks ? (place) => setTriggerValue("picked", place) : null
    players.set(parentElement, new Player(parentElement, data, onStop, onPick))
  }
  return () => {
    players.get(parentElement)?.end()
    players.delete(parentElement)
  }
}
