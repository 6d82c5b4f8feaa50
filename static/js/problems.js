// Keeps the count in the title and the icon right: from what a live page hears, and where no stream is open, as in a
// tab that nobody sees, by asking. Browsers let a hidden tab ask once a minute at least.
const EVERY_MS = 30_000
const icon = document.getElementById('favicon')
const { problems } = icon.dataset
let asking = 0

function show(count) {
  const title = document.title.replace(/^\(\d+\) /, '')
  const words = count > 0 ? `(${count}) ${title}` : title
  if (document.title !== words) document.title = words
  const href = count > 0 ? icon.dataset.down : icon.dataset.up
  if (icon.getAttribute('href') !== href) icon.setAttribute('href', href)
}

async function ask() {
  if (!document.hidden && document.querySelector('[data-live]')) return
  const response = await fetch(problems, { redirect: 'manual' }).catch(() => null)
  if (response?.ok) show((await response.json()).down)
  // Who has signed out is asked to sign in instead.
  if (response?.type === 'opaqueredirect') clearInterval(asking)
}

document.addEventListener('punctual:problems', event => show(event.detail))
if (problems) {
  asking = setInterval(ask, EVERY_MS)
  document.addEventListener('visibilitychange', ask)
}
