// A page of a table whose rows can be chosen: by the button in a row's first cell, or by a click
// anywhere on it. Roles are said: a browser takes what is laid out otherwise for no table.
const DECIMALS = 3 // of numbers that are not whole: the others come as texts

function element(tag, text, properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...properties })
}

function written(value) {
  return typeof value === "number" ? value.toFixed(DECIMALS) : value
}

function head({ name, number, help }) {
  const look = number ? "number" : ""
  const cell = element("th", name, { scope: "col", role: "columnheader", className: look })
  if (help) cell.title = help
  return cell
}

function line({ id, cells }, heads) {
  const row = element("tr", "", { role: "row" })
  row.dataset.id = id
  row.append(
    ...cells.map((value, place) => {
      const text = written(value)
      const cell = element("td", place ? text : "", { title: text, role: "cell" })
      if (heads[place].number) cell.className = "number"
      if (!place) cell.append(element("button", text, { type: "button" }))
      return cell
    }),
  )
  return row
}

export default function ({ data, parentElement, setTriggerValue }) {
  const table = parentElement.querySelector("table")
  const said = JSON.stringify([data.heads, data.rows])
  if (table.said !== said) {
    // Else the keyboard stays where it is.
    table.said = said
    const columns = data.heads.slice(1) // beside the one that names a row
    const widths = columns.map(({ yields }) => (yields ? "minmax(3.25rem, auto)" : "max-content"))
    table.style.setProperty("--columns", widths.join(" "))
    table.tHead.rows[0].replaceChildren(...data.heads.map(head))
    table.tBodies[0].replaceChildren(...data.rows.map((row) => line(row, data.heads)))
  }
  for (const each of [table, table.parentElement]) each.setAttribute("aria-label", data.label)
  for (const row of table.tBodies[0].rows) {
    const chosen = Number(row.dataset.id) === data.chosen
    row.classList.toggle("chosen", chosen)
    row.querySelector("button").setAttribute("aria-pressed", chosen)
  }
  table.onclick = ({ target }) => {
    const row = target.closest("tbody tr")
    if (row) setTriggerValue("picked", Number(row.dataset.id))
  }
}
