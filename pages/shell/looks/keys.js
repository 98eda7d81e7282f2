// The sliders and buttons inside a chart by the keyboard: Plotly gives them to the pointer alone.
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }
const NAMES = { "▶": "Play", "❚❚": "Pause" }
const CONTROLS = ".slider-group, .updatemenu-button"

function place(control) {
  const chart = control.closest(".js-plotly-plot")
  const all = [...chart.querySelectorAll(control.matches(".slider-group") ? ".slider-group" : ".updatemenu-button")]
  return { chart, index: all.indexOf(control), layout: chart.layout }
}

function describe(control) {
  const { index, layout } = place(control)
  control.setAttribute("tabindex", "0")
  if (control.matches(".updatemenu-button")) {
    const label = layout?.updatemenus?.[0]?.buttons[index]?.label
    control.setAttribute("role", "button")
    control.setAttribute("aria-label", NAMES[label] ?? label ?? "")
    return
  }
  const slider = layout?.sliders?.[index]
  if (!slider) return
  const said = `${slider.currentvalue.prefix}${slider.steps[slider.active]?.label ?? ""}`
  const now = {
    role: "slider", "aria-valuemin": 1, "aria-valuemax": slider.steps.length,
    "aria-valuenow": slider.active + 1, "aria-valuetext": said,
    "aria-label": slider.currentvalue.prefix.replace(/[\s:]+$/, ""),
  }
  for (const [name, value] of Object.entries(now)) control.setAttribute(name, value)
}

function run(chart, { method, args }) {
  window.Plotly[method](chart, ...args).catch(() => {}) // of a run of frames that another one ends
}

function move(control, key) {
  const { chart, index, layout } = place(control)
  const slider = layout.sliders[index]
  const last = slider.steps.length - 1
  const wanted = key === "Home" ? 0 : key === "End" ? last : slider.active + STEPS[key]
  const active = Math.max(0, Math.min(last, wanted))
  run(chart, slider.steps[active])
  window.Plotly.relayout(chart, { [`sliders[${index}].active`]: active }).then(() => {
    const drawn = chart.querySelectorAll(".slider-group")[index] // it may have been drawn anew
    describe(drawn)
    drawn.focus()
  })
}

document.addEventListener("focusin", event => {
  const control = event.target.closest?.(CONTROLS)
  if (control) describe(control)
})
document.addEventListener("keydown", event => {
  const control = event.target.closest?.(CONTROLS)
  if (!control || event.ctrlKey || event.metaKey || event.altKey) return
  const slides = control.matches(".slider-group")
  if (slides ? !(event.key in STEPS || event.key === "Home" || event.key === "End")
             : event.key !== "Enter" && event.key !== " ") return
  event.preventDefault()
  if (slides) return move(control, event.key)
  const { chart, index, layout } = place(control)
  run(chart, layout.updatemenus[0].buttons[index])
})

document.addEventListener("slp-drawn", () =>
  document.querySelectorAll(`:is(${CONTROLS}):not([tabindex])`).forEach(describe)
)
