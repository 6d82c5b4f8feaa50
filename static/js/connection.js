// The stream with a live page's changes, and a line that appears while the page cannot be kept up to date. Dispatches
// `punctual:change` for each change, and `punctual:refetch` if the page must be fetched instead.
const CHECK_MS = 1_000
// The server sends something every second; a slow one gets a few seconds more.
const SILENT_MS = 8_000
const RETRY_MS = 5_000
const REFETCH_MS = 20_000
const GREY_MS = 60_000

const line = document.getElementById('connection')
let source
let openedAt = 0
let refetchedAt = 0
// When the page was last known to be current, and until when that is assumed.
let knownAt = Date.now()
let currentUntil = knownAt + SILENT_MS

function open() {
  if (source || document.hidden) return
  openedAt = Date.now()
  source = new EventSource(document.querySelector('[data-live]').dataset.live)
  source.addEventListener('alive', () => known(SILENT_MS))
  source.addEventListener('change', event => {
    known(SILENT_MS)
    document.dispatchEvent(new CustomEvent('punctual:change', { detail: JSON.parse(event.data) }))
  })
  source.addEventListener('error', refetch)
}

// Browsers allow few connections to one site, so hidden tabs close theirs.
function close() {
  source?.close()
  source = undefined
}

function reopen() {
  close()
  open()
}

// If the server or a proxy refuses the stream, the page is fetched periodically.
function refetch() {
  if (source?.readyState !== EventSource.CLOSED || Date.now() - refetchedAt < REFETCH_MS) return
  refetchedAt = Date.now()
  document.dispatchEvent(new CustomEvent('punctual:refetch'))
}

function known(forMs) {
  knownAt = Date.now()
  currentUntil = knownAt + forMs
  show()
}

function watch() {
  if (document.hidden) return
  const now = Date.now()
  const refused = source?.readyState === EventSource.CLOSED
  const wait = refused ? RETRY_MS : 2 * SILENT_MS
  if (now - openedAt > wait && (refused || now - knownAt > SILENT_MS)) reopen()
  show()
}

function show() {
  const now = Date.now()
  const lost = now > currentUntil
  const words = lost ? `Not connected since ${clock(knownAt)}, showing what was known then. Retrying.` : ''
  if (line.textContent !== words) line.textContent = words
  document.body.classList.toggle('is-stale', lost && now - knownAt > GREY_MS)
}

function clock(at) {
  const long = Date.now() - at > 43_200_000
  return new Intl.DateTimeFormat('en-GB', {
    ...(long ? { day: 'numeric', month: 'short' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: line.dataset.zone,
  }).format(at)
}

document.addEventListener('punctual:fetched', () => known(REFETCH_MS + SILENT_MS))
document.addEventListener('punctual:replaced', reopen)
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return close()
  // The page may be out of date; the first event of the stream says whether it is.
  currentUntil = Math.max(currentUntil, Date.now() + SILENT_MS)
  open()
})
addEventListener('online', reopen)
addEventListener('pagehide', close)
addEventListener('pageshow', open)
setInterval(watch, CHECK_MS)
open()
