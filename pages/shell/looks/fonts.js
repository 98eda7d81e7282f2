// Streamlit declares its fonts anew as its theme arrives, and the browser then reads every declared
// font a second time: until it has, on a busy computer for seconds, the page stands in other letters
// and icons are words. Fonts that a script adds stay; they are named in .streamlit/config.toml, in
// the letters of charts and in base.css.
for (const link of document.querySelectorAll("link[data-name]")) {
  const style = "italic" in link.dataset ? "italic" : "normal"
  const face = new FontFace(link.dataset.name, `url(${link.href})`, { style, weight: "100 900" })
  document.fonts.add(face)
  face.load()
}
