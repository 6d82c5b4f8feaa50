// Updates the number of problems in the title, the icon and the navigation: from the stream of a live page, or where none is open, as in
// a hidden tab, from the stream that all tabs of the browser share. Where there is none, by requests; browsers let a hidden tab send
// one at least once a minute.
const EVERY_MS = 30_000
// The shared worker confirms the numbers more often.
const SILENT_MS = 40_000
const icon = document.getElementById('favicon')
const { problems, shared, worker, project } = icon.dataset
let asking = 0
let heardAt = 0
let port

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

const hasOwnStream = () => !document.hidden && document.querySelector('[data-live]') !== null

async function ask() {
  if (hasOwnStream() || Date.now() - heardAt < SILENT_MS) return
  const response = await fetch(problems, { redirect: 'manual' }).catch(() => null)
  if (response?.ok) show((await response.json()).down)
  // A user who has signed out would be redirected to the sign-in page.
  if (response?.type === 'opaqueredirect') {
    clearInterval(asking)
    leave()
  }
}

function join() {
  if (port || !globalThis.SharedWorker) return
  port = new SharedWorker(worker).port
  port.onmessage = ({ data: down }) => {
    heardAt = Date.now()
    if (hasOwnStream()) return
    show(project ? (down[project] ?? 0) : Object.values(down).reduce((sum, count) => sum + count, 0))
  }
  port.postMessage(shared)
}

function leave() {
  port?.postMessage('')
  port = undefined
}

document.addEventListener('punctual:problems', event => show(event.detail))
if (problems) {
  asking = setInterval(ask, EVERY_MS)
  document.addEventListener('visibilitychange', ask)
  addEventListener('pagehide', leave)
  addEventListener('pageshow', join)
  join()
}
