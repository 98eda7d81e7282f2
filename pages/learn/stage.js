// The stage: centroids and a probe to drag, and everything that follows, drawn here. geometry.js, which
// stands before this file, computes; the server hears only where something was let go.
const SVG = "http://www.w3.org/2000/svg"
const HIT = 22 // px around a point that take a finger
const [FINE, SMALL, COARSE] = [1, 2, 3] // px of a cell: of the map, of a small map, and while a hand moves
const HATCH = 8 // px from stripe to stripe
const WAIT = 350 // ms without a change, after which the server hears
const stages = new WeakMap()

const number = (value, digits = 2) => value.toFixed(digits).replace("-", "−")
const percent = (share) => `${Math.round(100 * share)}%`
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
const mixed = (one, other, share) => one.map((value, i) => value * share + other[i] * (1 - share))

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

function drawn(parent, tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  parent.append(made)
  return made
}

class Stage {
  constructor(root, data, report, open) {
    this.root = root
    this.report = report
    this.part = (name) => root.querySelector(`.${name}`)
    this.update(data)
    this.part("presets").replaceChildren(...Object.entries(data.presets).map(([name, state]) => {
      const button = element("button", { type: "button" }, name)
      button.onclick = () => this.load(state, true)
      return button
    }))
    this.rules = RULES.map((rule) => {
      const accuracy = element("b")
      const canvas = element("canvas", { "aria-hidden": "true" })
      const button = element("button", { type: "button" }, canvas, element("span", {}, data.rules[rule], " ", accuracy))
      button.onclick = () => this.change({ rule })
      return { rule, button, canvas, accuracy }
    })
    this.part("rules").replaceChildren(...this.rules.map(({ button }) => button))
    this.part("against").replaceChildren(...[["", "no other rule"], ...Object.entries(data.rules)].map(
      ([rule, name]) => element("option", { value: rule }, name)))
    this.part("open").hidden = !data.opens
    this.part("open").onclick = () => {
      clearTimeout(this.telling)
      open(this.written())
    }
    this.listen()
    this.load(data.state, false)
    this.resized = new ResizeObserver(() => this.draw())
    this.resized.observe(this.part("picture"))
  }

  // Colours and words: those of another theme may come later.
  update(data) {
    this.data = data
    this.looks = data.classes.map((look) => ({ ...look, rgb: rgb(look.color), soft: rgb(look.tint) }))
    if (this.state) this.draw()
  }

  // The looks of the classes that are there: the middle ones come last and go first.
  get classes() {
    return { 3: [0, 1, 4], 4: [0, 1, 3, 4], 5: [0, 1, 2, 3, 4] }[this.state.centroids.length].map((k, i) => ({ ...this.looks[k], mark: this.data.marks[i] }))
  }

  load(state, told) {
    this.state = structuredClone({ ...this.data.usual, ...state })
    this.frame()
    this.handles()
    this.change({}, told)
  }

  // What the map shows at least; it stays while something is dragged.
  frame() {
    const { centroids, probe, noise } = this.state
    const ends = [0, 1].map((axis) => {
      const at = [...centroids, probe].map((point) => point[axis])
      return [Math.min(...at) - 2 * noise, Math.max(...at) + 2 * noise]
    })
    this.center = ends.map(([low, high]) => (low + high) / 2)
    this.reach = ends.map(([low, high]) => 0.6 * (high - low))
  }

  change(what, told = true) {
    Object.assign(this.state, what)
    if (told) {
      clearTimeout(this.telling)
      this.telling = setTimeout(() => this.report(this.written()), WAIT)
    }
    this.draw()
  }

  written() {
    const kept = Object.entries(this.state).filter(([name, value]) =>
      !(name in this.data.usual) || JSON.stringify(value) !== JSON.stringify(this.data.usual[name]))
    return JSON.stringify(Object.fromEntries(kept), (_, value) =>
      typeof value === "number" ? Math.round(1e4 * value) / 1e4 : value)
  }

  listen() {
    const { dimensions, tolerances } = this.data
    const slide = (name, then) => { this.part(name).oninput = ({ target }) => then(Number(target.value)) }
    this.part("dimension").max = dimensions.length - 1
    this.part("tolerance").max = tolerances.length - 1
    slide("dimension", (at) => this.change({ dimension: dimensions[at] }))
    slide("tolerance", (at) => this.change({ tolerance: tolerances[at] }))
    slide("lines", (lines) => this.change({ lines }))
    slide("noise", (share) => this.change({ noise: share * this.unit() }))
    slide("count", (count) => this.recount(count))
    this.part("against").onchange = ({ target }) => this.change({ against: target.value })
    this.part("over").onpointerdown = (event) => {
      if (event.target === this.part("over")) this.drag(event, this.probe)
    }
  }

  unit() {
    return this.model.spread / 5
  }

  recount(count) {
    const centroids = [...this.state.centroids]
    while (centroids.length > count) centroids.splice(2, 1)
    while (centroids.length < count) {
      const [x, y] = centroids[1]
      centroids.splice(2, 0, [x + 0.25 * this.reach[0], y - 0.35 * this.reach[1]])
    }
    this.state.centroids = centroids
    this.handles()
    this.change({ labels: null })
  }

  // What can be dragged or moved by keys: a group for every centroid, and one for the probe.
  handles() {
    const over = this.part("over")
    over.replaceChildren()
    this.behind = drawn(over, "g", { "pointer-events": "none" })
    const handle = (label, at, move) => {
      const group = drawn(over, "g", { tabindex: 0, role: "slider", "aria-label": label, class: "handle" })
      drawn(group, "circle", { r: HIT, class: "hit" })
      const made = { group, at, move, mark: drawn(group, "text", { class: "mark" }), name: drawn(group, "text", { y: -25, class: "name" }) }
      group.onpointerdown = (event) => this.drag(event, made)
      group.ontouchstart = (event) => event.preventDefault() // no scrolling: SVG's groups have no touch-action
      group.onkeydown = (event) => this.key(event, made)
      return made
    }
    this.points = this.state.centroids.map((_, k) => handle(
      `Centroid of ${this.classes[k].name}`,
      () => this.state.centroids[k],
      (place) => this.change({ centroids: this.state.centroids.with(k, place) }),
    ))
    this.probe = handle("Probe x", () => this.state.probe, (probe) => this.change({ probe }))
  }

  drag(event, { group, at, move }) {
    event.preventDefault()
    group.focus({ preventScroll: true })
    const over = this.part("over")
    const box = over.getBoundingClientRect()
    const grip = [event.clientX - box.left, event.clientY - box.top]
    const start = this.onScreen(at())
    const hold = group.contains(event.target) ? [start[0] - grip[0], start[1] - grip[1]] : [0, 0]
    const follow = (moved) => {
      const [width, height] = this.size
      const x = Math.max(0, Math.min(width, moved.clientX - box.left + hold[0]))
      const y = Math.max(0, Math.min(height, moved.clientY - box.top + hold[1]))
      move(this.inPlane([x, y]))
    }
    over.setPointerCapture(event.pointerId)
    over.onpointermove = follow
    over.onpointerup = over.onpointercancel = () => {
      over.onpointermove = over.onpointerup = over.onpointercancel = null
      this.moving = false
      this.draw()
    }
    this.moving = true
    follow(event)
  }

  key(event, { at, move }) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
    if (!way) return
    event.preventDefault()
    const step = (event.shiftKey ? 20 : 4) / this.scale
    move(at().map((value, axis) => value + step * way[axis]))
  }

  onScreen([x, y]) {
    const [width, height] = this.size
    return [width / 2 + (x - this.center[0]) * this.scale, height / 2 - (y - this.center[1]) * this.scale]
  }

  inPlane([x, y]) {
    const [width, height] = this.size
    return [this.center[0] + (x - width / 2) / this.scale, this.center[1] - (y - height / 2) / this.scale]
  }

  draw() {
    this.wanted ??= requestAnimationFrame(() => {
      this.wanted = null
      this.paint()
    })
  }

  paint() {
    const picture = this.part("picture")
    this.size = [picture.clientWidth, picture.clientHeight]
    if (!this.size[0]) return
    this.scale = Math.min(...this.size.map((length, axis) => length / 2 / this.reach[axis]))
    const { state, data } = this
    this.model = fit(state.centroids, state)
    if (this.model.softLabels === this.model.solved) state.labels = null
    const dimension = data.dimensions.indexOf(state.dimension)
    this.height = state.noise * Math.sqrt(state.dimension - 2)
    this.cloud = cloudAround(state.centroids, data.cloud, dimension, state.noise)
    this.at = place(this.model, state.probe, 0, state.rule === "along")
    // First what asks the browser how large something is: after a change of the page it would lay it out anew.
    this.regions(this.part("map"), this.size, state.rule, this.moving ? COARSE : FINE, state.against)
    for (const { rule, canvas } of this.rules)
      this.regions(canvas, [canvas.clientWidth, canvas.clientHeight], rule, this.moving ? COARSE : SMALL, "")
    this.dots()
    this.strip()
    for (const { rule, button, accuracy: said } of this.rules) {
      button.setAttribute("aria-pressed", rule === state.rule)
      said.textContent = percent(accuracy(this.model, rule, this.cloud))
    }
    this.overlay()
    this.sum()
    this.controls()
  }

  // A canvas as large as it is shown, and what draws on it in CSS pixels.
  canvas(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1
    const size = [Math.round(width * ratio), Math.round(height * ratio)]
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size
    const brush = canvas.getContext("2d")
    brush.setTransform(ratio, 0, 0, ratio, 0, 0)
    return brush
  }

  // What a rule predicts everywhere, for points as far off the plane as those of the cloud; stripes show
  // what another one predicts instead.
  regions(canvas, [width, height], rule, cell, against) {
    if (!width) return
    const brush = this.canvas(canvas, width, height)
    const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
    const image = new ImageData(columns, rows)
    const pixels = new Uint32Array(image.data.buffer)
    const predict = predictor(this.model, rule)
    const other = against ? predictor(this.model, against) : null
    const sure = rule === "deep" ? startingProbability(this.model) : null
    const background = rgb(this.data.colors.background)
    const classes = this.classes
    const stripes = classes.map((look) => pixel(mixed(look.rgb, look.soft, 0.65)))
    const plain = classes.map((look) => pixel(look.soft))
    const h2 = this.height ** 2
    const perCell = cell / Math.min(width / this.reach[0] / 2, height / this.reach[1] / 2)
    const [left, top] = [this.center[0] - (columns / 2) * perCell, this.center[1] + (rows / 2) * perCell]
    for (let row = 0, at = 0; row < rows; row++) {
      const y = top - (row + 0.5) * perCell
      for (let column = 0; column < columns; column++, at++) {
        const x = left + (column + 0.5) * perCell
        const k = predict(x, y, h2)
        const instead = other && ((column + row) * cell) % HATCH < 2 ? other(x, y, h2) : k
        if (instead !== k) pixels[at] = stripes[instead]
        else if (sure) pixels[at] = pixel(mixed(classes[k].soft, background, Math.max(0, (sure(x, y, h2, k) - 0.25) / 0.75)))
        else pixels[at] = plain[k]
      }
    }
    const cells = new OffscreenCanvas(columns, rows)
    cells.getContext("2d").putImageData(image, 0, 0)
    brush.drawImage(cells, 0, 0, columns * cell, rows * cell)
  }

  dots() {
    const brush = this.part("map").getContext("2d")
    this.cloud.forEach((points, k) => {
      brush.fillStyle = this.classes[k].color
      brush.globalAlpha = 0.55
      brush.beginPath()
      for (const { x, y } of points) {
        const [left, top] = this.onScreen([x, y])
        brush.moveTo(left, top)
        brush.arc(left, top, 2.2, 0, 7)
      }
      brush.fill()
    })
    brush.globalAlpha = 1
  }

  overlay() {
    const { model, state, behind, classes, data } = this
    behind.replaceChildren()
    const line = (from, to, look) => {
      const [[x1, y1], [x2, y2]] = [from, to].map((point) => this.onScreen(point))
      drawn(behind, "line", { x1, y1, x2, y2, stroke: data.colors.text, ...look })
      return [(x1 + x2) / 2, (y1 + y2) / 2]
    }
    model.ends.forEach(([left, right], number) => {
      line(left, right, { "stroke-width": number === this.at.line ? 3 : 1.5 })
      const middle = [0, 1].map((axis) => this.onScreen(left)[axis] + this.onScreen(right)[axis]).map((both) => both / 2)
      ;[left, right].forEach((end, side) => {
        const [x, y] = this.onScreen(end)
        const away = Math.hypot(x - middle[0], y - middle[1]) || 1
        drawn(behind, "circle", { cx: x, cy: y, r: 19, class: "prototype" })
        if (model.lines[number].classes.length > 1)
          drawn(behind, "text", { x: x + (29 * (x - middle[0])) / away, y: y + (29 * (y - middle[1])) / away + 6, class: "letter" }, "AB"[side])
      })
    })
    const ends = model.ends[this.at.line]
    ends.forEach((end, side) => {
      const [x, y] = line(state.probe, end, { "stroke-width": 1.2, "stroke-dasharray": "4 4" })
      drawn(behind, "text", { x, y: y - 4, class: "distance" }, number([this.at.dLeft, this.at.dRight][side]))
    })
    if (state.rule === "constraint" && state.against === "nearest") this.corner()
    if (state.against) drawn(behind, "text", { x: 8, y: 20, class: "legend" }, `hatched: ${data.rules[state.against]}`)
    this.points.forEach((point, k) => this.set(point, classes[k].mark, classes[k].color, classes[k].name))
    this.set(this.probe, "✕", data.colors.text, "x")
  }

  set({ group, mark, name, at }, sign, color, label) {
    const [x, y] = this.onScreen(at())
    group.setAttribute("transform", `translate(${x} ${y})`)
    group.setAttribute("aria-valuenow", at()[0].toFixed(4))
    group.setAttribute("aria-valuetext", `${number(at()[0])}, ${number(at()[1])}`)
    mark.textContent = sign
    mark.setAttribute("fill", color)
    name.textContent = label
  }

  // The proof's right angle at the point where two classes tie, and its angle at prototype A.
  corner() {
    const found = corners(this.model, this.at.line).filter((one) => one.taken !== null)
    if (!found.length) return
    const { angle, t, r } = found.reduce((one, other) => (other.r > one.r ? other : one))
    const [from, to] = this.model.ends[this.at.line]
    const length = this.model.lines[this.at.line].length
    const along = [0, 1].map((axis) => (to[axis] - from[axis]) / length)
    const up = along[0] * (this.state.probe[1] - from[1]) - along[1] * (this.state.probe[0] - from[0]) < 0 ? -1 : 1
    const at = [from[0] + t * along[0] - up * r * along[1], from[1] + t * along[1] + up * r * along[0]]
    const [a, c, b] = [from, at, to].map((point) => this.onScreen(point))
    const towards = (start, end, by) => {
      const away = Math.hypot(end[0] - start[0], end[1] - start[1])
      return [start[0] + (by * (end[0] - start[0])) / away, start[1] + (by * (end[1] - start[1])) / away]
    }
    const [one, other] = [towards(c, a, 12), towards(c, b, 12)]
    const square = [one, [one[0] + other[0] - c[0], one[1] + other[1] - c[1]], other]
    drawn(this.behind, "polyline", { points: [a, c, b].join(" "), class: "corner" })
    drawn(this.behind, "polyline", { points: square.join(" "), class: "corner" })
    const [start, end] = [towards(a, b, 46), towards(a, c, 46)]
    const turn = (start[0] - a[0]) * (end[1] - a[1]) - (start[1] - a[1]) * (end[0] - a[0]) > 0 ? 1 : 0
    drawn(this.behind, "path", { d: `M ${start} A 46 46 0 0 ${turn} ${end}`, class: "corner" })
    const [x, y] = towards(a, [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2], 74)
    drawn(this.behind, "text", { x, y: y + 5, class: "distance" }, `θ ${number(angle, 1)}°`)
  }

  // The line of the probe as it is over w: scores, the bands in which each class wins, and the cloud.
  strip() {
    const canvas = this.part("strip")
    const [width, height] = [canvas.clientWidth, canvas.clientHeight]
    if (!width) return
    const brush = this.canvas(canvas, width, height)
    const { model, classes, data } = this
    const { line, w } = this.at
    const [left, right] = model.softLabels[line]
    const members = model.lines[line].classes
    const letters = parseFloat(getComputedStyle(canvas).fontSize)
    const bottom = height - letters - 2
    const across = (value) => 14 + (1 - value) * (width - 28)
    const [top, axis] = [4, bottom - 9 * members.length]
    const up = (score) => axis - score * (axis - top - 4)
    brush.clearRect(0, 0, width, height)
    const won = bands(model.softLabels[line])
    won.classes.forEach((k, i) => {
      brush.fillStyle = classes[k].tint
      brush.fillRect(across(won.edges[i + 1]), top, across(won.edges[i]) - across(won.edges[i + 1]), bottom - top)
    })
    for (const k of members) {
      brush.strokeStyle = classes[k].color
      brush.lineWidth = 2.5
      brush.beginPath()
      brush.moveTo(across(1), up(left[k]))
      brush.lineTo(across(0), up(right[k]))
      brush.stroke()
    }
    const along = this.state.rule === "along"
    const seen = []
    this.cloud.forEach((points, k) => {
      brush.fillStyle = classes[k].color
      for (const [i, { x, y, h }] of points.entries()) {
        const at = place(model, [x, y], h, along)
        if (at.line !== line) continue
        seen.push(at.w)
        const row = Math.max(0, members.indexOf(k))
        brush.fillRect(across(at.w) - 1, axis + 3 + 9 * row + (i % 5), 2.4, 2.4)
      }
    })
    brush.strokeStyle = brush.fillStyle = data.colors.text
    brush.lineWidth = 1.5
    brush.beginPath()
    brush.moveTo(across(w), top)
    brush.lineTo(across(w), bottom)
    brush.stroke()
    brush.font = `${letters}px sans-serif`
    brush.textBaseline = "bottom"
    for (const [text, value, side] of [["A  w = 1", 1, "left"], ["½", 0.5, "center"], ["0  B", 0, "right"]]) {
      brush.textAlign = side
      brush.fillText(text, side === "left" ? 2 : side === "right" ? width - 2 : across(value), height)
    }
    const [low, high] = seen.length ? [Math.min(...seen), Math.max(...seen)] : [0, 0]
    this.part("reach").textContent = `${this.state.dimension}: w from ${number(low)} to ${number(high)}`
    canvas.setAttribute("aria-label", `Scores over w on the line from A, ${classes[members[0]].name}, to B, ${classes[members.at(-1)].name}`)
  }

  // The prediction at the probe as the sum that it is; its soft labels are sliders.
  sum() {
    const { model, state, classes, at } = this
    const weighs = state.rule === "constraint" || state.rule === "along"
    const members = weighs ? [...model.lines[at.line].classes] : classes.map((_, k) => k)
    const kind = `${state.rule} ${members} ${at.line}`
    const table = this.part("sum")
    if (this.kind !== kind) {
      this.kind = kind
      this.cells = this.table(table, members, weighs)
    }
    const found = scores(model, state.rule, state.probe)
    const shown = weighs ? model.softLabels[at.line][0].map((share, k) => at.w * share + (1 - at.w) * model.softLabels[at.line][1][k]) : found
    const predicted = argmax(found)
    table.dataset.scores = JSON.stringify(found)
    table.dataset.w = at.w
    table.dataset.labels = JSON.stringify(model.softLabels)
    table.dataset.predicted = classes[predicted].name
    if (weighs) {
      this.cells.heads.forEach((head, side) => {
        head.textContent = `${"AB"[side]}  × ${number(side ? 1 - at.w : at.w)}`
      })
      this.cells.shares.forEach(({ slider, value, side, k }) => {
        const share = model.softLabels[at.line][side][k]
        if (slider !== this.active) slider.value = share
        value.textContent = number(share)
        slider.style.color = classes[k].color
      })
      this.cells.solve.disabled = state.labels === null
    }
    this.cells.totals.forEach(({ cell, k }) => {
      cell.textContent = number(state.rule === "nearest" ? -shown[k] : shown[k])
      cell.classList.toggle("predicted", k === predicted)
    })
    this.cells.result.textContent = `predicted: ${classes[predicted].name}`
  }

  table(root, members, weighs) {
    const { classes, state } = this
    const row = (...cells) => element("tr", {}, ...cells)
    const head = (k) => element("th", { scope: "col" }, element("span", { style: `color:${classes[k].color}` }, classes[k].mark), ` ${classes[k].name}`)
    const cells = { heads: [], shares: [], totals: [] }
    const body = [row(element("td"), ...members.map(head), element("td"))]
    if (weighs) {
      cells.solve = element("button", { type: "button" }, "Solve")
      cells.solve.onclick = () => this.change({ labels: null })
      for (const side of [0, 1]) {
        const name = element("th", { scope: "row" })
        cells.heads.push(name)
        const sliders = members.map((k) => {
          const slider = element("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": `Soft label of ${"AB"[side]}: ${classes[k].name}` })
          const value = element("output")
          slider.oninput = () => this.share(side, k, members, Number(slider.value), slider)
          slider.onchange = () => { this.active = null }
          cells.shares.push({ slider, value, side, k })
          return element("td", {}, slider, value)
        })
        body.push(row(name, ...sliders, element("td", {}, ...(side ? [cells.solve] : []))))
      }
    }
    const said = { nearest: "distance", deep: "score" }[state.rule] ?? "sum"
    cells.totals = members.map((k) => ({ k, cell: element("td", { class: "total" }) }))
    cells.result = element("td", { class: "result" })
    body.push(row(element("th", { scope: "row" }, said), ...cells.totals.map(({ cell }) => cell), cells.result))
    root.replaceChildren(element("table", {}, element("tbody", {}, ...body)))
    return cells
  }

  // A share of a soft label; the others are rescaled.
  share(side, k, members, share, slider) {
    this.active = slider
    const labels = structuredClone(this.model.softLabels)
    const label = labels[this.at.line][side]
    const others = members.filter((c) => c !== k)
    const rest = others.reduce((total, c) => total + label[c], 0)
    for (const c of others) label[c] = (1 - share) * (rest > 0 ? label[c] / rest : 1 / others.length)
    label[k] = share
    this.change({ labels })
  }

  controls() {
    const { state, data } = this
    this.part("dimension").value = data.dimensions.indexOf(state.dimension)
    this.part("dimension").setAttribute("aria-valuetext", `${state.dimension}`)
    this.part("tolerance").value = data.tolerances.indexOf(state.tolerance)
    this.part("tolerance").setAttribute("aria-valuetext", `${state.tolerance}`)
    this.part("lines").value = state.lines
    this.part("count").value = state.centroids.length
    this.part("noise").value = state.noise / this.unit()
    this.part("against").value = state.against
  }

  end() {
    clearTimeout(this.telling)
    cancelAnimationFrame(this.wanted)
    this.resized.disconnect()
  }
}

export default function mounted({ data, parentElement, setStateValue, setTriggerValue }) {
  const known = stages.get(parentElement)
  if (known) known.update(data)
  else
    stages.set(parentElement, new Stage(
      parentElement, data, (stage) => setStateValue("stage", stage), (stage) => setTriggerValue("opened", stage),
    ))
  return () => {
    stages.get(parentElement)?.end()
    stages.delete(parentElement)
  }
}
