// Copies the address of the page on show with the query that the server says. Where the browser
// keeps scripts from the clipboard, as on plain http, the old way through a selected text is taken.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement("textarea")
    field.value = text
    field.style.cssText = "position:fixed;opacity:0"
    document.body.append(field)
    field.select()
    const done = document.execCommand("copy")
    field.remove()
    return done
  }
}

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button")
  const field = parentElement.querySelector("input")
  const told = parentElement.querySelector("[role=status]")
  const page = location.origin + location.pathname
  const link = data.query ? `${page}?${data.query}` : page
  field.value = link
  button.onclick = async () => {
    const done = await copied(link)
    told.textContent = done ? "Copied." : "Select the link above and copy it."
    if (!done) field.select()
  }
}
