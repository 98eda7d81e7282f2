// Shows a chart's buttons where it is touched, until something else is (base.css hides the others).
// Plotly keeps from the browser that a plot was touched, so that `:hover` does not tell it.
const LATER = 400 // ms: the click that a touch becomes was not meant for a button that came under it
let touched

function show(chart) {
  touched?.removeAttribute("data-touched")
  touched = chart
  touched?.setAttribute("data-touched", "")
}

addEventListener(
  "pointerup",
  ({ target, pointerType }) => {
    if (pointerType !== "mouse") setTimeout(show, LATER, target.closest(".js-plotly-plot"))
  },
  true,
)
