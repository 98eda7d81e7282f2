// What slp_core computes, for 3 to 5 centroids in the plane: lines (slp_core/lines), the soft labels of
// constraintSLP (slp_core/methods/line_programme.py), and what four rules predict. Pure functions.
const DELTA = 1e-3 // of a line's length: added to the distances at centroids
const MARGIN = 1e-3 // the least lead of a class at its own centroid
const ROOM = 1e-6 // of the summed violation, where no soft labels meet every constraint
const ROUNDING = 4 * Number.EPSILON
const TEMPERATURE = 2 // of DeepSLP's heads before training
export const RULES = ["constraint", "along", "nearest", "deep"]

const range = (n) => Array.from({ length: n }, (_, i) => i)
const sum = (values) => values.reduce((total, value) => total + value, 0)
const clamp = (value, low, high) => Math.max(low, Math.min(high, value))
const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by)
const mean = (points) => [0, 1].map((axis) => sum(points.map((point) => point[axis])) / points.length)
const first = (values, best) => values.indexOf(best(...values)) // ties go to the first

export const argmax = (values) => first(values, Math.max)

// Position along a segment, and distance from it.
function onSegment([x, y], [ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay)
  const [ux, uy] = length > 0 ? [(bx - ax) / length, (by - ay) / length] : [0, 0]
  const t = (x - ax) * ux + (y - ay) * uy
  const foot = clamp(t, 0, length)
  return { t, off: Math.hypot(x - ax - foot * ux, y - ay - foot * uy), length }
}

// The line of a group of classes: the furthest pair are its ends, the smaller class on the left.
function lineThrough(members, centroids) {
  const group = [...members].sort((a, b) => a - b)
  let [left, right, length] = [group[0], group.at(-1), 0]
  for (const i of group)
    for (const j of group)
      if (i < j && apart(centroids[i], centroids[j]) > length)
        [left, right, length] = [i, j, apart(centroids[i], centroids[j])]
  const place = new Map(group.map((k) => {
    const { t, off } = onSegment(centroids[k], centroids[left], centroids[right])
    return [k, k === left ? [0, 0] : k === right ? [length, 0] : [clamp(t, 0, length), off]]
  }))
  const inner = group.filter((k) => k !== left && k !== right)
  inner.sort((a, b) => place.get(a)[0] - place.get(b)[0] || a - b)
  const classes = left === right ? [left] : [left, ...inner, right]
  return {
    classes, length,
    positions: classes.map((k) => place.get(k)[0]),
    offsets: classes.map((k) => place.get(k)[1]),
  }
}

const inOrder = (lines) => lines.sort((a, b) => Math.min(...a.classes) - Math.min(...b.classes))

// Complete linkage, cut where at most so many clusters are left.
function clusters(centroids, most) {
  let groups = range(centroids.length).map((k) => [k])
  let [pending, height] = [true, 0]
  while (pending) {
    let best = null
    for (const [i, one] of groups.entries())
      for (const [j, other] of groups.entries()) {
        if (i >= j) continue
        const far = Math.max(...one.flatMap((a) => other.map((b) => apart(centroids[a], centroids[b]))))
        if (best === null || far < best.far) best = { i, j, far }
      }
    pending = best !== null && (groups.length > most || best.far === height)
    if (!pending) break
    height = best.far
    const joined = [...groups[best.i], ...groups[best.j]]
    groups = [...groups.filter((_, n) => n !== best.i && n !== best.j), joined]
  }
  return groups.map((group) => group.sort((a, b) => a - b)).sort((a, b) => a[0] - b[0])
}

// Recursive regression: clusters, singletons join the nearest, and a centroid off its line may move.
export function findLines(centroids, most, tolerance) {
  let groups = clusters(centroids, most)
  while (groups.length > 1 && groups.some((group) => group.length === 1)) {
    const alone = groups.find((group) => group.length === 1)
    const others = groups.filter((group) => group !== alone)
    const away = others.map((group) => apart(mean(group.map((k) => centroids[k])), centroids[alone[0]]))
    const host = others[first(away, Math.min)]
    groups = others.map((group) => (group === host ? [...group, ...alone].sort((a, b) => a - b) : group))
    groups.sort((a, b) => a[0] - b[0])
  }
  let lines = inOrder(groups.map((group) => lineThrough(group, centroids)))
  const pairs = centroids.flatMap((a, i) => centroids.slice(i + 1).map((b) => apart(a, b))).sort((a, b) => a - b)
  const [low, high] = [(pairs.length - 1) >> 1, pairs.length >> 1]
  const limit = (tolerance * (pairs[low] + pairs[high])) / 2
  for (let better = lines; better; better = moved(lines, centroids, limit)) lines = better
  return lines
}

function moved(lines, centroids, limit) {
  const off = lines.flatMap((line, number) =>
    line.classes.map((k, i) => ({ k, number, distance: line.offsets[i] })))
  const total = (of) => sum(of.flatMap((line) => line.offsets))
  for (const { k, number, distance } of off.filter((one) => one.distance > limit).sort((a, b) => b.distance - a.distance)) {
    const away = lines.map(({ classes }) => onSegment(centroids[k], centroids[classes[0]], centroids[classes.at(-1)]).off)
    const nearest = first(away, Math.min)
    if (nearest === number || away[nearest] >= distance) continue
    const found = inOrder(lines.map((line, n) => {
      const members = line.classes.filter((c) => c !== k)
      return n === nearest ? lineThrough([...members, k], centroids) : n === number ? lineThrough(members, centroids) : line
    }))
    if (total(found) < total(lines)) return found
  }
  return null
}

// Minimises cost · x where atMost · x ≤ most, equal · x = exactly and x ≥ 0: the simplex method in two
// phases on a dense table. Null where nothing is feasible.
export function minimise(cost, atMost, most, equal, exactly) {
  const tiny = 1e-11
  const [n, m] = [cost.length, atMost.length + equal.length]
  const width = n + atMost.length + m // variables, slacks, artificial variables
  const table = range(m).map((i) => {
    const slack = i < atMost.length
    const [row, bound] = slack ? [atMost[i], most[i]] : [equal[i - atMost.length], exactly[i - atMost.length]]
    const sign = bound < 0 ? -1 : 1
    const line = new Float64Array(width + 1)
    row.forEach((value, j) => { line[j] = sign * value })
    if (slack) line[n + i] = sign
    line[n + atMost.length + i] = 1
    line[width] = sign * bound
    return line
  })
  // A slack that is positive at the start does as well as an artificial variable.
  const basis = range(m).map((i) => (i < atMost.length && most[i] >= 0 ? n + i : n + atMost.length + i))
  const artificial = n + atMost.length

  function run(costs, columns) {
    const reduced = new Float64Array(width + 1)
    costs.forEach((value, j) => { reduced[j] = value })
    basis.forEach((b, i) => {
      const factor = costs[b] ?? 0
      if (factor) for (let j = 0; j <= width; j++) reduced[j] -= factor * table[i][j]
    })
    for (let step = 0; step < 2000; step++) {
      let enter = -1
      for (let j = 0; j < columns; j++)
        if (reduced[j] < -tiny && (enter < 0 || (step < 200 && reduced[j] < reduced[enter]))) enter = j
      if (enter < 0) break
      let leave = -1
      let least = Infinity
      for (let i = 0; i < m; i++) {
        const pivot = table[i][enter]
        if (pivot <= tiny) continue
        const ratio = table[i][width] / pivot
        if (ratio < least - tiny || (ratio <= least + tiny && (leave < 0 || basis[i] < basis[leave]))) {
          least = Math.min(least, ratio)
          leave = i
        }
      }
      if (leave < 0) break
      const row = table[leave]
      const pivot = row[enter]
      for (let j = 0; j <= width; j++) row[j] /= pivot
      for (const other of [...table, reduced]) {
        const factor = other[enter]
        if (other === row || factor === 0) continue
        for (let j = 0; j <= width; j++) other[j] -= factor * row[j]
      }
      basis[leave] = enter
    }
  }

  const phase = new Array(width).fill(0).fill(1, artificial)
  run(phase, artificial)
  if (sum(basis.map((b, i) => (b < artificial ? 0 : table[i][width]))) > 1e-13) return null
  for (const [i, b] of basis.entries()) { // artificial variables that are left stand at 0
    if (b < artificial) continue
    const enter = table[i].findIndex((value, j) => j < artificial && Math.abs(value) > 1e-7)
    if (enter < 0) continue
    const pivot = table[i][enter]
    for (let j = 0; j <= width; j++) table[i][j] /= pivot
    for (const other of table) {
      const factor = other[enter]
      if (other === table[i] || factor === 0) continue
      for (let j = 0; j <= width; j++) other[j] -= factor * table[i][j]
    }
    basis[i] = enter
  }
  run([...cost, ...new Array(width - n).fill(0)], artificial)
  const x = new Array(n).fill(0)
  basis.forEach((b, i) => { if (b < n) x[b] = table[i][width] })
  return x
}

// The soft labels (2, n) of a line's prototypes: solve_soft_labels of slp_core, by its linear programme.
export function solveSoftLabels({ classes, positions, length }) {
  const n = classes.length
  if (n === 1) return [[1], [1]]
  if (length === 0) return [0, 1].map(() => classes.map(() => 1 / n))
  if (n === 2) return [[1, 0], [0, 1]]
  const t = positions.map((position) => position / length)
  // A class's influence times (a, c), in units of 1 / DELTA.
  const influence = (toLeft, toRight, k) => {
    const row = new Array(2 * n).fill(0)
    row[k] = DELTA / toLeft
    row[n + k] = DELTA / toRight
    return row
  }
  const minus = (one, other) => one.map((value, i) => value - other[i])
  const all = range(n)
  const at = (i, k) => influence(t[i] + DELTA, 1 - t[i] + DELTA, k)
  const own = all.map((i) => at(i, i))
  const lead = all.flatMap((i) => all.filter((j) => j !== i).map((j) => minus(own[i], at(i, j))))
  const tilt = all.slice(1).map((k) => {
    const middle = clamp((t[k - 1] + t[k]) / 2, DELTA, 1 - DELTA)
    return minus(influence(middle, 1 - middle, k - 1), influence(middle, 1 - middle, k))
  })
  // g = 2 own · labels − Σ own. The two smallest sum to the largest 2q − Σ u with u ≥ q − g, u ≥ 0;
  // q, of either sign, is the difference of two variables. Then come u, missing leads, and tilts.
  const pairs = lead.length
  const size = 3 * n + 2
  const slacks = pairs + 2 * (n - 1)
  const rest = (length_) => new Array(length_).fill(0)
  const unit = (length_, i, value = 1) => rest(length_).map((zero, j) => (j === i ? value : zero))
  const total = range(2 * n).map((j) => sum(own.map((row) => row[j])))
  const goal = [...total.map((value) => -2 * value), -2, 2, ...all.map(() => 1)]
  const constraints = (relaxed) => {
    const more = relaxed ? slacks : 0
    return {
      atMost: [
        ...lead.map((row, i) => [...row.map((value) => -value), ...rest(n + 2), ...unit(more, i, -1)]),
        ...own.map((row, i) => [...row.map((value) => -2 * value), 1, -1, ...unit(n, i, -1), ...rest(more)]),
      ],
      most: [...lead.map(() => -MARGIN * DELTA), ...own.map((row) => -sum(row))],
      equal: [
        [...all.map(() => 1), ...rest(size - n + more)],
        [...rest(n), ...all.map(() => 1), ...rest(size - 2 * n + more)],
        ...tilt.map((row, i) => [
          ...row, ...rest(n + 2),
          ...(relaxed ? [...rest(pairs), ...unit(n - 1, i, -1), ...unit(n - 1, i)] : []),
        ]),
      ],
      exactly: [1, 1, ...tilt.map(() => 0)],
    }
  }
  let { atMost, most, equal, exactly } = constraints(false)
  let found = minimise(goal, atMost, most, equal, exactly)
  if (found === null) {
    ;({ atMost, most, equal, exactly } = constraints(true))
    const violated = [...rest(size), ...new Array(slacks).fill(1)]
    found = minimise(violated, atMost, most, equal, exactly)
    const least = sum(found.slice(size)) / DELTA
    const within = [[...atMost, violated], [...most, DELTA * (least + ROOM * Math.max(least, 1))]]
    found = minimise([...goal, ...rest(slacks)], ...within, equal, exactly) ?? found
  }
  return [found.slice(0, n), found.slice(n, 2 * n)].map((label) => {
    const shares = label.map((share) => Math.max(share, 0))
    return shares.map((share) => share / sum(shares))
  })
}

// Everything that predictions depend on. `labels` (L, 2, K) replaces the solved ones where it fits.
export function fit(centroids, { lines: most, tolerance, labels = null }) {
  const lines = findLines(centroids, most, tolerance)
  const k = centroids.length
  const solved = lines.map((line) => {
    const pair = solveSoftLabels(line)
    return pair.map((label) => range(k).map((c) => label[line.classes.indexOf(c)] ?? 0))
  })
  const middle = mean(centroids)
  const spread = Math.sqrt(sum(centroids.map((point) => apart(point, middle) ** 2)) / k) || 1
  return {
    centroids, lines, solved, middle, spread,
    softLabels: labels !== null && fits(labels, lines, k) ? labels : solved,
    ends: lines.map(({ classes }) => [centroids[classes[0]], centroids[classes.at(-1)]]),
  }
}

export function fits(labels, lines, k) {
  return labels.length === lines.length && labels.every((pair, number) =>
    pair.every((label) => label.length === k && label.every((share, c) =>
      share === 0 || lines[number].classes.includes(c))))
}

// Where a point at height h over the plane stands: its line, t, r, distances and w.
export function place(model, [x, y], h = 0, along = false) {
  const { lines, ends, spread } = model
  const at = lines.map((_, number) => onSegment([x, y], ...ends[number]))
  const off = at.map((one) => Math.hypot(one.off, h))
  const nearest = Math.min(...off)
  const line = off.findIndex((one) => one <= nearest + ROUNDING * spread)
  const [left, right] = ends[line]
  const { t, length } = at[line]
  const foot = clamp(t, 0, length)
  const away = along ? [foot, length - foot] : [left, right].map(([ax, ay]) => Math.hypot(x - ax, y - ay, h))
  const [dLeft, dRight] = away.map((distance) => Math.max(distance, 1e-12 * spread))
  const r = Math.hypot(Math.sqrt(Math.max(at[line].off ** 2 - (t - foot) ** 2, 0)), h)
  return { line, t, r, dLeft, dRight, w: dRight / (dLeft + dRight) }
}

// (K,) the class scores of a rule at a point at height h over the plane.
export function scores(model, rule, point, h = 0) {
  const { centroids, middle, spread, softLabels } = model
  if (rule === "nearest") return centroids.map((centroid) => -Math.hypot(apart(point, centroid), h))
  const at = place(model, point, h, rule === "along")
  if (rule !== "deep") {
    const [left, right] = softLabels[at.line]
    return left.map((share, k) => share / at.dLeft + right[k] / at.dRight)
  }
  // Both heads start as the nearest-centroid rule, in coordinates of unit spread.
  const own = ([px, py]) => [(px - middle[0]) / spread, (py - middle[1]) / spread]
  const [x, y] = own(point)
  const near = [at.dLeft, at.dRight].map((distance) => 1 / Math.max(distance / spread, 1e-2))
  return centroids.map((centroid) => {
    const [cx, cy] = own(centroid)
    return TEMPERATURE * (2 * (cx * x + cy * y) - cx * cx - cy * cy) * (near[0] + near[1])
  })
}

// The classes that win between two prototypes, from w = 0 to 1, and the w at which they change.
export function bands([left, right]) {
  const score = (k, w) => w * left[k] + (1 - w) * right[k]
  const all = range(left.length)
  const turns = all.flatMap((i) => all.slice(i + 1).map((j) => {
    const slope = left[i] - right[i] - left[j] + right[j]
    return slope === 0 ? 0 : (right[j] - right[i]) / slope
  })).filter((w) => w > 1e-9 && w < 1 - 1e-9)
  const edges = [0, ...turns.sort((a, b) => a - b), 1]
  const found = { classes: [], edges: [0] }
  for (let i = 1; i < edges.length; i++) {
    if (edges[i] - edges[i - 1] < 1e-9) continue
    const winner = argmax(all.map((k) => score(k, (edges[i] + edges[i - 1]) / 2)))
    if (winner === found.classes.at(-1)) found.edges.pop()
    else found.classes.push(winner)
    found.edges.push(edges[i])
  }
  return found
}

// Theorem 2's corners: where two neighbouring bands of a line tie, seen from a right angle. `taken` is
// the class that loses there though its centroid is nearer, on either side of the axis.
export function corners(model, number) {
  const { classes, positions, offsets, length } = model.lines[number]
  if (length === 0) return []
  const won = bands(model.softLabels[number])
  return won.edges.slice(1, -1).map((w, i) => {
    const [lower, upper] = [won.classes[i], won.classes[i + 1]]
    const angle = Math.atan(w / (1 - w))
    const t = length * Math.cos(angle) ** 2
    const r = length * Math.sin(angle) * Math.cos(angle)
    const [from, to] = [upper, lower].map((k) => {
      const [foot, off] = [positions[classes.indexOf(k)], offsets[classes.indexOf(k)]]
      return [Math.hypot(t - foot, r - off), Math.hypot(t - foot, r + off)]
    })
    const taken = from[1] < to[0] ? upper : to[1] < from[0] ? lower : null
    return { left: upper, right: lower, w, angle: (angle * 180) / Math.PI, t, r, taken }
  })
}

// A function of (x, y, height squared) that says what a rule predicts: scores() without its arrays, as
// a picture asks it a hundred thousand times.
export function predictor(model, rule) {
  const { centroids, lines, ends, softLabels, spread } = model
  const k = centroids.length
  const [cx, cy] = [0, 1].map((axis) => Float64Array.from(centroids, (point) => point[axis]))
  if (rule === "nearest" || rule === "deep") // whose two heads start as the nearest-centroid rule
    return (x, y) => {
      let best = 0
      let least = Infinity
      for (let c = 0; c < k; c++) {
        const away = (x - cx[c]) ** 2 + (y - cy[c]) ** 2
        if (away >= least) continue
        best = c
        least = away
      }
      return best
    }
  const own = lines.map(({ classes, length }, number) => {
    const [[ax, ay], [bx, by]] = ends[number]
    const order = [...classes].sort((a, b) => a - b)
    const [left, right] = softLabels[number].map((label) => Float64Array.from(order, (c) => label[c]))
    const per = length > 0 ? 1 / length : 0
    return { ax, ay, bx, by, ux: (bx - ax) * per, uy: (by - ay) * per, length, order, left, right }
  })
  const tiny = 1e-12 * spread
  const along = rule === "along"
  return (x, y, h2) => {
    let line = own[0]
    let foot = 0
    let least = Infinity
    for (let n = 0; n < own.length; n++) {
      const one = own[n]
      const t = (x - one.ax) * one.ux + (y - one.ay) * one.uy
      const at = t < 0 ? 0 : t > one.length ? one.length : t
      const away = (x - one.ax - at * one.ux) ** 2 + (y - one.ay - at * one.uy) ** 2
      if (away >= least) continue
      line = one
      foot = at
      least = away
    }
    const toLeft = along ? foot : Math.sqrt((x - line.ax) ** 2 + (y - line.ay) ** 2 + h2)
    const toRight = along ? line.length - foot : Math.sqrt((x - line.bx) ** 2 + (y - line.by) ** 2 + h2)
    const near = Math.max(toRight, tiny) // the weight of the left prototype
    const far = Math.max(toLeft, tiny)
    let best = 0
    let most = -1
    for (let i = 0; i < line.order.length; i++) {
      const score = near * line.left[i] + far * line.right[i]
      if (score <= most) continue
      best = i
      most = score
    }
    return line.order[best]
  }
}

// How often a rule predicts the true class of a cloud's points, given as (K, m) places and heights.
export function accuracy(model, rule, cloud) {
  const predict = predictor(model, rule)
  const correct = sum(cloud.map((points, k) => points.filter(({ x, y, h }) => predict(x, y, h * h) === k).length))
  return correct / sum(cloud.map((points) => points.length))
}

// The points of a class around its centroid, where the noise of every dimension is the same.
export function cloudAround(centroids, unit, dimension, noise) {
  const names = [[], [], [], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]][centroids.length]
  return names.map((row, k) => unit.plane[row].map(([x, y], i) => ({
    x: centroids[k][0] + noise * x,
    y: centroids[k][1] + noise * y,
    h: noise * unit.beyond[dimension][row][i],
  })))
}

// A function of (x, y, height squared, k): the probability of class k by DeepSLP's heads at their start.
export function startingProbability(model) {
  const { centroids, middle, spread } = model
  const points = centroids.map(([x, y]) => [(x - middle[0]) / spread, (y - middle[1]) / spread])
  const bias = points.map(([x, y]) => x * x + y * y)
  const z = new Float64Array(points.length)
  return (px, py, h2, k) => {
    const { dLeft, dRight } = place(model, [px, py], Math.sqrt(h2))
    const near = spread / Math.max(dLeft, 1e-2 * spread) + spread / Math.max(dRight, 1e-2 * spread)
    const [x, y] = [(px - middle[0]) / spread, (py - middle[1]) / spread]
    for (let c = 0; c < z.length; c++)
      z[c] = TEMPERATURE * near * (2 * (points[c][0] * x + points[c][1] * y) - bias[c])
    let total = 0
    for (let c = 0; c < z.length; c++) total += Math.exp(z[c] - z[k])
    return 1 / total
  }
}
