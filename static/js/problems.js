// Updates the number of problems in the title, the icon and the navigation: from the stream of a live page, or if none is open, as in a
// hidden tab, by requests. Browsers let a hidden tab send one at least once a minute.
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
  for (const badge of document.querySelectorAll('[data-problem-count]')) {
    badge.textContent = count
    badge.hidden = count === 0
  }
}

async function ask() {
  if (!document.hidden && document.querySelector('[data-live]')) return
  const response = await fetch(problems, { redirect: 'manual' }).catch(() => null)
  if (response?.ok) show((await response.json()).down)
  // A user who has signed out would be redirected to the sign-in page.
  if (response?.type === 'opaqueredirect') clearInterval(asking)
}

document.addEventListener('punctual:problems', event => show(event.detail))
if (problems) {
  asking = setInterval(ask, EVERY_MS)
  document.addEventListener('visibilitychange', ask)
}
