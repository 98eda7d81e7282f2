// Keeps short texts in the browser, as cookies of this site that no other site is sent.
const YEAR = 31536000

export default function ({ data }) {
  for (const [name, value] of Object.entries(data)) {
    const age = value ? YEAR : 0
    document.cookie = `${name}=${value}; Path=/; Max-Age=${age}; SameSite=Lax`
  }
}
