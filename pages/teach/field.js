// A field for texts. What it tells is every text that the server has not confirmed: of two that come
// during one long run, Streamlit's own field tells the later one alone.
export default function ({ data, parentElement, setStateValue }) {
  const form = parentElement.querySelector("form")
  const field = parentElement.querySelector("textarea")
  field.placeholder = data.label
  field.ariaLabel = data.label
  form.last = Math.max(form.last ?? 0, data.taken)
  form.texts = (form.texts ?? []).filter(([number]) => number > data.taken)
  form.onsubmit = event => {
    event.preventDefault()
    if (!field.value.trim()) return
    form.texts.push([++form.last, field.value])
    field.value = ""
    setStateValue("texts", [...form.texts])
  }
  field.onkeydown = event => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  }
}
