// A step of a lesson is read from its top. Where a narrow window has text and pictures below each
// other, its buttons stand far below that, and the next step would begin out of sight.
document.addEventListener("click", event => {
  if (!event.target.closest?.(".st-key-lesson-turns button")) return
  const top = document.querySelector(".st-key-lesson-ways")
  if (top && top.getBoundingClientRect().top < 0) top.scrollIntoView()
})
