// Where a connection was lost and is there again, the server may know nothing of this tab, or what it
// sent may be lost: the page is asked for once more, as its address says.
const CONNECTED = "[data-test-connection-state='CONNECTED']"
let lost = false

document.addEventListener("slp-drawn", () => {
  const connected = document.querySelector(CONNECTED) !== null
  if (connected && lost) window.slpLooks.setTriggerValue("again", true)
  lost = !connected
})
