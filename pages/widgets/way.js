// One example's way to its prediction. Python sends what was computed; what follows from w, a soft label or
// the rule for distances is computed here, so it can be changed without the server.
const SVG = "http://www.w3.org/2000/svg"
const RULES = { euclidean: "full", along_line: "projected onto the line" }
const [PLANE, EDGE] = [160, 12] // units of the picture of a line, and of what stands around it
const ways = new WeakMap()

const sum = (values) => values.reduce((total, value) => total + value, 0)
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
const number = (value, digits = 2) => {
  const size = Math.abs(value)
  const fixed = size < 1e4 && (size >= 10 ** -digits || size < 1e-9)
  return (fixed ? value.toFixed(digits) : value.toPrecision(3)).replace(/^-(0\.0*)$/, "$1").replaceAll("-", "−")
}

// w, the factor of logits, the class scores and their probabilities.
export function followed({ distances, unit, local }, { rule, w, labels }) {
  const [dA, dB] = distances[rule]
  const weight = w ?? dB / (dA + dB)
  const factor = local ? unit / dA + unit / dB : 1
  const scores = labels[0].map((share, i) => factor * (weight * share + (1 - weight) * labels[1][i]))
  const most = Math.max(...scores)
  const powers = scores.map((score) => (local ? Math.exp(score - most) : score))
  const total = sum(powers)
  return { w: weight, factor, scores, probabilities: powers.map((power) => power / total) }
}

// A share of a soft label: the others are rescaled, so that it sums to 1. A logit changes alone.
export function withLabel(labels, side, at, value, local) {
  const changed = structuredClone(labels)
  const label = changed[side]
  const rest = sum(label) - label[at]
  if (!local)
    label.forEach((share, i) => {
      if (i !== at) label[i] = rest > 0 ? (share / rest) * (1 - value) : (1 - value) / (label.length - 1)
    })
  label[at] = local || label.length > 1 ? value : 1
  return changed
}

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

class Way {
  constructor(root, data) {
    this.root = root.querySelector(".way")
    this.how = this.root.querySelector(".how")
    this.root.onkeydown = (event) => this.step(event)
    this.resized = new ResizeObserver(() => this.stripe())
    this.update(data)
  }

  // Another example starts anew; in another theme the same one stays as it was changed.
  update(data) {
    if (this.data?.key !== data.key) this.state = { rule: data.rule, w: null, labels: data.labels }
    this.data = data
    this.build()
  }

  build() {
    const { title, local } = this.data
    this.live = [] // what follows from the state
    this.root.setAttribute("role", "group")
    this.root.setAttribute("aria-label", title)
    this.root.querySelector(".steps").replaceChildren(
      this.section("text", title, ...this.example()),
      this.section("numbers", "Vector", ...this.vector()),
      this.section("near", "Distances to centroids", this.centroids()),
      this.section("line", "Line", ...this.line()),
      this.section("sum", local ? "Logits and their softmax" : "Soft labels × weights", ...this.sum()),
      this.section("end", "Prediction", ...this.prediction()),
    )
    this.root.querySelectorAll(".n").forEach((one, i) => { one.tabIndex = i ? -1 : 0 })
    this.resized.disconnect()
    this.resized.observe(this.canvas)
    this.dark()
    this.show()
  }

  change(what) {
    Object.assign(this.state, what)
    this.show()
  }

  show() {
    this.now = followed(this.data, this.state)
    const { probabilities } = this.now
    this.best = probabilities.indexOf(Math.max(...probabilities))
    for (const update of this.live) update()
    Object.assign(this.root.dataset, { w: this.now.w, probabilities: JSON.stringify(probabilities) })
  }

  section(name, head, ...parts) {
    return element("section", { class: name, "aria-label": head }, element("span", { class: "head" }, head), ...parts)
  }

  // A number: where it comes from lights up, and `how` says it in words.
  number(id, value, from, how, digits = 2) {
    const made = element("button", { type: "button", class: "n", "data-id": id, "aria-describedby": "how" })
    const lit = () => {
      this.dark()
      const sources = typeof from === "function" ? from() : from
      for (const one of this.root.querySelectorAll("[data-id]"))
        if (sources.includes(one.dataset.id)) one.classList.add("lit")
      this.how.textContent = how()
    }
    made.onpointerenter = made.onfocus = made.onclick = lit
    made.onpointerleave = made.onblur = () => this.dark()
    this.live.push(() => { made.textContent = number(value(), digits) })
    return made
  }

  dark() {
    this.how.textContent = "Point at a number to see where it comes from."
    this.root.querySelectorAll(".lit").forEach((one) => one.classList.remove("lit"))
  }

  // Arrow keys lead from number to number; Tab leads out.
  step(event) {
    const numbers = [...this.root.querySelectorAll(".n")]
    const at = numbers.indexOf(event.target)
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const next = at < 0 || !by ? null : numbers[at + by]
    if (!next) return
    event.preventDefault()
    event.target.tabIndex = -1
    next.tabIndex = 0
    next.focus()
  }

  name(k) {
    const { name, mark, color } = this.data.classes[k]
    return [element("span", { style: `color:${color}` }, mark), ` ${name}`]
  }

  called(k) {
    const { name, mark } = this.data.classes[k]
    return `${mark} ${name}`
  }

  example() {
    const { texts, tokens, features, image } = this.data
    const parts = texts.map(([before, mention, after]) =>
      element("p", { class: "words", tabindex: 0 }, before, ...(mention ? [element("mark", {}, mention), after] : [])))
    if (tokens.length) {
      const used = tokens.filter(([, counts]) => counts).length
      const chips = tokens.map(([text, counts]) => element("span", counts ? {} : { class: "unused" }, text))
      const said = `${used} of ${tokens.length} tokens enter the vector.`
      parts.push(element("div", { class: "tokens", tabindex: 0, role: "group", "aria-label": "Tokens", "data-id": "input" }, ...chips))
      parts.push(element("span", { class: "note" }, said))
    }
    if (image) parts.push(this.picture(image))
    if (features.length)
      parts.push(element("ul", { "data-id": "input" }, ...features.map(([name, value]) =>
        element("li", {}, element("span", {}, name), element("span", {}, number(value))))))
    return parts
  }

  picture(image) {
    const canvas = element("canvas", { class: "image", role: "img", "aria-label": "The example as an image", "data-id": "input" })
    ;[canvas.width, canvas.height] = [image[0].length, image.length]
    const brush = canvas.getContext("2d")
    image.forEach((row, y) => row.forEach((value, x) => {
      const shade = Math.round(255 * (1 - value))
      brush.fillStyle = `rgb(${shade} ${shade} ${shade})`
      brush.fillRect(x, y, 1, 1)
    }))
    return canvas
  }

  vector() {
    const { vector, size, features } = this.data
    const value = (i) => `Number ${i + 1} of ${size}${features.length ? ` (${features[i][0]})` : ""}: ${number(vector[i], 4)}`
    this.canvas = element("canvas", {
      class: "stripe", tabindex: 0, role: "slider", "aria-label": "Numbers of the vector", "data-id": "vector",
      "aria-valuemin": 1, "aria-valuemax": vector.length,
    })
    const point = (i) => {
      this.at = Math.max(0, Math.min(vector.length - 1, i))
      this.dark()
      this.root.querySelector("[data-id=input]")?.classList.add("lit")
      this.how.textContent = value(this.at)
      this.canvas.setAttribute("aria-valuenow", this.at + 1)
      this.canvas.setAttribute("aria-valuetext", value(this.at))
    }
    this.canvas.onpointermove = this.canvas.onclick = ({ offsetX, offsetY }) => {
      const { clientWidth, clientHeight } = this.canvas
      const share = clientHeight > clientWidth ? offsetY / clientHeight : offsetX / clientWidth
      point(Math.floor(share * vector.length))
    }
    this.canvas.onpointerleave = this.canvas.onblur = () => this.dark()
    this.canvas.onfocus = () => point(this.at ?? 0)
    this.canvas.onkeydown = (event) => {
      const to = {
        ArrowRight: this.at + 1, ArrowDown: this.at + 1, ArrowLeft: this.at - 1, ArrowUp: this.at - 1, Home: 0, End: vector.length,
      }[event.key]
      if (to === undefined) return
      event.preventDefault()
      point(to)
    }
    this.canvas.setAttribute("aria-valuenow", 1)
    this.canvas.setAttribute("aria-valuetext", value(0))
    const some = vector.length < size ? `The first ${vector.length} of ${size} numbers` : `${size} numbers`
    return [this.canvas, element("span", { class: "note" }, some)]
  }

  // The vector as a stripe: one colour below 0, another above.
  stripe() {
    const { canvas, data: { vector, colors } } = this
    const [width, height] = [canvas.clientWidth, canvas.clientHeight]
    if (!width) return
    ;[canvas.width, canvas.height] = [width, height]
    const upright = height > width
    const step = (upright ? height : width) / vector.length
    const most = Math.max(...vector.map(Math.abs)) || 1
    const [background, low, high] = [colors.background, colors.low, colors.high].map(rgb)
    const brush = canvas.getContext("2d")
    vector.forEach((value, i) => {
      const share = Math.abs(value) / most
      const mixed = (value < 0 ? low : high).map((c, part) => Math.round(share * c + (1 - share) * background[part]))
      brush.fillStyle = `rgb(${mixed.join(" ")})`
      if (upright) brush.fillRect(0, i * step, width, Math.ceil(step))
      else brush.fillRect(i * step, 0, Math.ceil(step), height)
    })
  }

  centroids() {
    const { centroids } = this.data
    const [least, most] = [Math.min, Math.max].map((of) => of(...centroids.map(({ distance }) => distance)))
    return element("ul", {}, ...centroids.map(({ k, distance }) => element(
      "li", distance === least ? { class: "best" } : {},
      element("span", {}, ...this.name(k)),
      this.number(`centroid ${k}`, () => distance, ["vector"], () =>
        `Distance of the vector from the centroid of ${this.called(k)}: ${number(distance, 4)}${distance === least ? ", the least" : ""}.`),
      element("span", { class: "bar", style: `background:linear-gradient(to right,${this.data.classes[k].color} ${(100 * distance) / (most || 1)}%,transparent 0)` }),
    )))
  }

  line() {
    const { lines, allLines, by, t, r, length, distances, rule } = this.data
    const near = by === "segment" ? "the segment" : "the nearer prototype"
    const rows = lines.map(({ number: n, classes, distance }) => {
      const chosen = n === this.data.line
      const ends = [...new Set([classes[0], classes.at(-1)])]
      return element("li", chosen ? { class: "best" } : {},
        element("span", {}, `${n + 1}: `, ...ends.flatMap((k, i) => [i ? " – " : "", ...this.name(k)])),
        this.number(`line ${n}`, () => distance, ["vector"], () =>
          `Distance of the vector from ${near} of line ${n + 1}: ${number(distance, 4)}${chosen ? ", the least: this line is chosen" : ""}.`))
    })
    const options = Object.entries(RULES).map(([value, name]) => element("option", { value }, name))
    const select = element("select", { "aria-label": "Distances" }, ...options)
    select.onchange = () => this.change({ rule: select.value, w: null })
    this.live.push(() => { select.value = this.state.rule })
    const slider = element("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": "w, the weight of prototype A" })
    slider.oninput = () => this.change({ w: 1 - Number(slider.value) })
    slider.onkeydown = (event) => {
      const by = { ArrowLeft: 0.01, ArrowDown: 0.01, ArrowRight: -0.01, ArrowUp: -0.01 }[event.key]
      if (!by) return
      event.preventDefault()
      this.change({ w: Math.max(0, Math.min(1, this.now.w + by)) })
    }
    this.live.push(() => {
      slider.value = 1 - this.now.w // A is on the left
      slider.setAttribute("aria-valuetext", number(this.now.w))
    })
    const away = (side) => distances[this.state.rule][side]
    const along = () => this.state.rule === "along_line"
    const distance = (side) => this.number(
      `d${"AB"[side]}`, () => away(side), () => (along() ? ["t"] : ["t", "r"]), () => {
        const to = number(side ? length - t : t, 3)
        return along()
          ? `Distance of the projection from ${"AB"[side]}: ${number(away(side), 4)}.`
          : `Distance from ${"AB"[side]}: √(${side ? `(${number(length, 3)} − t)` : "t"}² + r²) = √(${to}² + ${number(r, 3)}²) = ${number(away(side), 4)}.`
      })
    const own = "Where the projection on the line lies, from A"
    return [
      element("ul", {}, ...rows),
      ...(allLines > lines.length ? [element("span", { class: "note" }, `The nearest ${lines.length} of ${allLines} lines`)] : []),
      this.plane(),
      element("div", { class: "row" },
        "t ", this.number("t", () => t, ["vector", `line ${this.data.line}`], () => `${own}: t = ${number(t, 4)} of ${number(length, 4)}.`),
        "r ", this.number("r", () => r, ["vector", `line ${this.data.line}`], () => `Distance from the line's axis: r = ${number(r, 4)}.`)),
      element("label", { class: "row" }, "Distances ", select),
      element("div", { class: "row" }, "to A ", distance(0), "to B ", distance(1)),
      element("div", { class: "row" }, "w ", this.number("w", () => this.now.w, ["dA", "dB"], () =>
        this.state.w === null
          ? `w = distance from B ÷ both distances = ${number(away(1), 3)} ÷ (${number(away(0), 3)} + ${number(away(1), 3)}) = ${number(this.now.w, 4)}.`
          : `w was set by hand: ${number(this.now.w, 4)}.`, 3)),
      element("div", { class: "row", style: "flex-wrap:nowrap" }, "A", slider, "B"),
    ]
  }

  // The example over its line: t to the right, r upwards, to scale.
  plane() {
    const { places, t, r, length, classes, colors } = this.data
    const foot = Math.max(0, Math.min(length, t))
    const reach = [Math.min(0, t), Math.max(length, t)]
    const high = Math.max(r, ...places.map(({ off }) => off))
    const scale = Math.min((PLANE - 2 * EDGE) / (reach[1] - reach[0] || 1), 110 / (high || 1))
    const tall = high * scale + 2 * EDGE + 14
    const left = (PLANE - scale * (reach[1] - reach[0])) / 2
    const at = (x, y) => [left + scale * (x - reach[0]), tall - EDGE - 14 - scale * y]
    const svg = document.createElementNS(SVG, "svg")
    for (const [name, value] of Object.entries({
      class: "plane", viewBox: `0 0 ${PLANE} ${tall}`, role: "img",
      "aria-label": "The example over its line: t to the right, r upwards",
    })) svg.setAttribute(name, value)
    const stroke = (from, to, look) => {
      const [[x1, y1], [x2, y2]] = [at(...from), at(...to)]
      return drawn(svg, "line", { x1, y1, x2, y2, stroke: colors.text, ...look })
    }
    stroke([0, 0], [length, 0], { "stroke-width": 2 })
    const dashed = { "stroke-dasharray": "4 4" }
    const sides = [0, length].map((end) => stroke([end, 0], [t, r], dashed))
    this.live.push(() => {
      const [x, y] = this.state.rule === "along_line" ? at(foot, 0) : at(t, r)
      for (const side of sides) { side.setAttribute("x2", x); side.setAttribute("y2", y) }
    })
    stroke([foot, 0], [t, r], { "stroke-width": 0.7 })
    for (const { k, t: position, off } of places) {
      const [x, y] = at(position, off)
      drawn(svg, "text", { x, y, class: "mark", style: `fill:${classes[k].color}` }, classes[k].mark)
    }
    ;[0, length].slice(0, places.length > 1 ? 2 : 1).forEach((end, side) => {
      const [x, y] = at(end, 0)
      drawn(svg, "text", { x, y: y + 23 }, "AB"[side])
    })
    const [x, y] = at(t, r)
    drawn(svg, "text", { x, y, class: "mark" }, "✕")
    return svg
  }

  sum() {
    const { shown, scored, local } = this.data
    const places = shown.map((k) => scored.indexOf(k))
    const all = this.data.labels.flat()
    const [low, high] = local ? [Math.min(...all) - 2, Math.max(...all) + 2] : [0, 1]
    const last = local ? ["score", "softmax"] : ["sum"]
    const heads = ["A", "B", ...last].map((text) => element("th", { scope: "col" }, text))
    this.live.push(() => {
      const { w } = this.now
      ;[w, 1 - w].forEach((weight, side) => { heads[side].textContent = `${"AB"[side]} × ${number(weight, 3)}` })
    })
    const rows = places.map((i, place) => {
      const k = shown[place]
      const cells = [0, 1].map((side) => {
        const slider = element("input", {
          type: "range", min: low, max: high, step: "any", "aria-label": `${local ? "Logit" : "Soft label"} of ${"AB"[side]}: ${this.called(k)}`,
        })
        slider.oninput = () => this.change({ labels: withLabel(this.state.labels, side, i, Number(slider.value), local) })
        this.live.push(() => { slider.value = this.state.labels[side][i] })
        return element("td", {}, this.number(
          `${"AB"[side]} ${k}`, () => this.state.labels[side][i], local ? ["vector"] : [`line ${this.data.line}`],
          () => `${local ? `Logit of ${"AB"[side]}: a linear model of the vector` : `Soft label of ${"AB"[side]}: its share`} for ${this.called(k)}, ${number(this.state.labels[side][i], 4)}.`,
        ), slider)
      })
      const score = this.number(`sum ${k}`, () => this.now.scores[i], ["w", `A ${k}`, `B ${k}`, ...(local ? ["dA", "dB"] : [])], () => this.formula(k, i))
      const chance = () => this.number(`softmax ${k}`, () => this.now.probabilities[i], shown.map((other) => `sum ${other}`), () =>
        `Softmax: e^${number(this.now.scores[i])} ÷ the sum of e^score over all ${scored.length} classes = ${number(this.now.probabilities[i], 4)}.`)
      const called = element("tr", {}, element("th", { scope: "rowgroup", colspan: heads.length }, ...this.name(k)))
      const numbers = element("tr", {}, ...cells, element("td", {}, score), ...(local ? [element("td", {}, chance())] : []))
      const row = element("tbody", {}, called, numbers)
      this.live.push(() => row.classList.toggle("predicted", i === this.best))
      return row
    })
    const formula = element("span", { class: "formula" })
    this.live.push(() => { formula.textContent = this.formula(scored[this.best], this.best) })
    const more = scored.length - shown.length
    return [
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), ...rows),
      ...(more > 0 ? [element("span", { class: "note" }, `${more} more classes are counted and not shown`)] : []),
      formula,
    ]
  }

  // The sum of one class, with its values.
  formula(k, i) {
    const { w, factor, scores } = this.now
    const [a, b] = this.state.labels.map((label) => number(label[i], 3))
    const weighted = `${a} × ${number(w, 3)} + ${b} × ${number(1 - w, 3)}`
    const whole = this.data.local ? `(${weighted}) × ${number(factor, 3)}` : weighted
    return `${this.called(k)}: ${whole} = ${number(scores[i], 3)}`
  }

  prediction() {
    const { predicted, true: label, scored } = this.data
    const result = element("div", { class: "result predicted", "aria-live": "polite" })
    const changed = element("div")
    const reset = element("button", { type: "button", class: "reset" }, "Reset")
    reset.onclick = () => {
      this.change({ rule: this.data.rule, w: null, labels: this.data.labels })
      this.root.querySelector("select").focus()
    }
    this.live.push(() => {
      const now = scored[this.best]
      const as = this.state.rule === this.data.rule && this.state.w === null && this.state.labels === this.data.labels
      result.replaceChildren(...this.name(now))
      changed.textContent = as ? "" : `As fitted: ${this.called(predicted)}`
      reset.hidden = as
    })
    const truth = label === null ? [] : [element("div", {}, "True label: ", ...this.name(label))]
    const verdict = element("div")
    this.live.push(() => { verdict.textContent = label === null ? "" : scored[this.best] === label ? "✓ correct" : "✗ misclassified" })
    return [result, ...truth, verdict, changed, reset]
  }

  end() {
    this.resized.disconnect()
  }
}

export default function mounted({ data, parentElement }) {
  const known = ways.get(parentElement)
  if (known) known.update(data)
  else ways.set(parentElement, new Way(parentElement, data))
  return () => {
    ways.get(parentElement)?.end()
    ways.delete(parentElement)
  }
}
