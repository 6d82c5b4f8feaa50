// A shared worker: one stream for all tabs of a browser, with the number of checks that are down in each project.
const LOOK_MS = 5_000
// The server sends something every few seconds.
const SILENT_MS = 15_000
const RETRY_MS = 30_000
// How often the tabs hear that the numbers are still right.
const CONFIRM_MS = 15_000
const tabs = new Set()
let address
let source
let openedAt = 0
let heardAt = 0
let toldAt = 0
let down

function open() {
  source?.close()
  openedAt = Date.now()
  source = new EventSource(address)
  source.addEventListener('alive', () => hear())
  source.addEventListener('change', event => hear(JSON.parse(event.data).down))
}

function hear(fresh) {
  heardAt = Date.now()
  if (fresh) down = fresh
  if (!down || (!fresh && heardAt - toldAt < CONFIRM_MS)) return
  toldAt = heardAt
  for (const tab of tabs) tab.postMessage(down)
}

function close() {
  source?.close()
  source = undefined
  down = undefined
}

// A connection that has died silently is opened again, also after the machine has slept, and one that was refused, later.
setInterval(() => {
  if (!source) return
  const refused = source.readyState === EventSource.CLOSED
  const since = Date.now() - Math.max(openedAt, refused ? 0 : heardAt)
  if (since > (refused ? RETRY_MS : SILENT_MS)) open()
}, LOOK_MS)

addEventListener('connect', ({ ports: [tab] }) => {
  tab.onmessage = ({ data }) => {
    if (data) {
      tabs.add(tab)
      address = data
      if (!source) open()
      if (down && Date.now() - heardAt < SILENT_MS) tab.postMessage(down)
    } else {
      tabs.delete(tab)
      if (tabs.size === 0) close()
    }
  }
})
