// Charts are drawn by a large script, which takes a moment to begin: that moment passes while the
// server is still at work on the page.
for (const link of document.querySelectorAll("link[data-run]"))
  addEventListener("load", () => import(link.href))
