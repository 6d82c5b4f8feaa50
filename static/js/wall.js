// A wall display: requests the checks of a project of the reader, or of each read-only key in the address, and shows those that are
// down or late.
const EVERY_MS = 5_000
const LOST_MS = 12_000
const GREY_MS = 60_000
const MOST_TILES = 30
// A tile in units of its text: its lines, and the width of a line.
const TILE_LINES = 5.6
const TILE_WIDTH = 17

const wall = document.getElementById('wall')
const asked = new URLSearchParams(location.hash.slice(1))
const theme = asked.get('theme')
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
const zone = zoneOf(asked.get('tz'))
for (const name of ['theme', 'tz']) asked.delete(name)
const { own, api } = wall.dataset
const sources = own
  ? [{ label: '', from: own }]
  : [...asked].map(([key, label]) => ({ key, label, from: api }))
const boards = sources.map(source => ({
  ...source,
  data: null,
  trouble: '',
  knownAt: Date.now(),
}))

const part = name => document.getElementById(`wall-${name}`)
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: zone })
const number = new Intl.NumberFormat('en')
const sum = counted => boards.reduce((total, { data }) => total + (data?.counts[counted] ?? 0), 0)

function zoneOf(name) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? undefined }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

function element(name, className, ...children) {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

function when(at) {
  const date = new Date(at)
  return Date.now() - date > 43_200_000 ? `${day.format(date)} ${clock.format(date)}` : clock.format(date)
}

function tile({ name, status, since, reason, running, acknowledged, silenced, label }) {
  const elapsed = element('time')
  elapsed.dateTime = since
  elapsed.dataset.elapsed = ''
  const glyph = document.getElementById(`glyph-${status}`).content.cloneNode(true)
  const facts = [label, reason, `since ${when(since)}`, running && 'running'].filter(Boolean).join(', ')
  const by = acknowledged?.by ? ` by ${acknowledged.by}` : ''
  const held = [
    acknowledged && `acknowledged${by}`,
    silenced && `silenced${silenced.until ? ` until ${when(silenced.until)}` : ''}`,
  ].filter(Boolean)
  return element(
    'li',
    `wall-tile is-${status}${held.length > 0 ? ' is-held' : ''}`,
    element('p', 'wall-name', glyph, element('strong', '', name)),
    element('p', 'wall-for', status === 'down' ? 'down for ' : 'late for ', elapsed),
    element('p', 'wall-facts', facts),
    ...(held.length > 0 ? [element('p', 'wall-held', held.join(', '))] : []),
  )
}

// Down before late, each with what began last first.
function problems() {
  const all = boards.flatMap(({ label, data }) =>
    (data?.problems ?? []).map(problem => ({ ...problem, label: boards.length > 1 ? label : '' })),
  )
  return all.sort((a, b) => a.status.localeCompare(b.status) || b.since.localeCompare(a.since))
}

function showTiles() {
  const total = sum('down') + sum('late')
  const shown = problems().slice(0, total > MOST_TILES ? MOST_TILES - 1 : MOST_TILES)
  const tiles = shown.map(tile)
  if (total > shown.length) {
    tiles.push(element('li', 'wall-tile wall-more', `and ${number.format(total - shown.length)} more`))
  }
  const list = part('tiles')
  list.replaceChildren(...tiles)
  list.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
  arrange(list, tiles.length)
}

// The number of columns with which the text is largest; the style sheet takes the size from the window.
function arrange(list, count) {
  const size = columns =>
    Math.min(innerWidth / columns / TILE_WIDTH, (innerHeight * 0.7) / Math.ceil(count / columns) / TILE_LINES)
  let best = 1
  for (let columns = 2; columns <= Math.min(count, 6); columns++)
    if (size(columns) > size(best)) best = columns
  list.style.setProperty('--columns', best)
  list.style.setProperty('--rows', Math.max(1, Math.ceil(count / best)))
}

function showMosaic() {
  const fine = sum('up') + sum('new') + sum('paused')
  const isCalm = sum('down') + sum('late') === 0
  const area = innerWidth * innerHeight * (isCalm ? 0.45 : 0.1)
  const size = Math.max(5, Math.min(isCalm ? 140 : 22, Math.sqrt(area / Math.max(1, fine))))
  part('mosaic').classList.toggle('is-calm', isCalm)
  part('mosaic').replaceChildren(
    ...boards.flatMap(({ label, data }) => {
      if (!data) return []
      const rows = ['up', 'new', 'paused'].filter(state => data.counts[state] > 0)
      const title = boards.length > 1 ? [element('h2', '', label || 'Checks')] : []
      return [...title, ...rows.map(state => dots(state, data.counts[state], size))]
    }),
  )
}

// One path for all dots of a state, however many: a disc is a line of no length with round ends.
const SHAPES = { up: 'h0', new: 'h0', paused: 'v.3m.25-.3v.3m-.25-.3' }

function dots(state, count, size) {
  const columns = Math.max(1, Math.floor((part('mosaic').clientWidth - 1) / size))
  const path = Array.from(
    { length: count },
    (_, index) => `M${(index % columns) + 0.5} ${Math.floor(index / columns) + 0.5}${SHAPES[state]}`,
  ).join('')
  const wide = Math.min(columns, count)
  const high = Math.ceil(count / columns)
  const layers = state === 'new' ? ['ring', 'hole'] : [state]
  const drawing = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide * size}" height="${high * size}" aria-hidden="true">${layers
      .map(layer => `<path class="dots-${layer}" d="${path}"/>`)
      .join('')}</svg>`,
    'image/svg+xml',
  ).documentElement
  return element('figure', '', drawing, element('figcaption', '', `${number.format(count)} ${state}`))
}

function showWords() {
  const [all, down, late] = ['all', 'down', 'late'].map(sum)
  const some = [down > 0 && `${down} of ${number.format(all)} down`, late > 0 && `${late} late`].filter(
    Boolean,
  )
  const fine = all === 1 ? 'The check is not down' : `None of ${number.format(all)} checks is down`
  const words = some.length > 0 ? some.join(', ') : fine
  const line = part('words')
  if (line.textContent !== words) line.textContent = words
  line.classList.toggle('is-bad', down > 0)
  document.title = document.title.replace(/^(\(\d+\) )?/, down > 0 ? `(${down}) ` : '')
}

function showTrouble() {
  const now = Date.now()
  const knownAt = Math.min(...boards.map(board => board.knownAt))
  const refused = boards.filter(({ trouble }) => trouble !== '').map(({ trouble }) => trouble)
  const isLost = now - knownAt > LOST_MS && refused.length === 0
  const words = isLost
    ? `Not connected since ${clock.format(knownAt)}, showing what was known then. Retrying.`
    : refused.join(' ')
  const line = part('trouble')
  if (line.textContent !== words) line.textContent = words
  document.body.classList.toggle('is-stale', isLost && now - knownAt > GREY_MS)
  if (part('clock').textContent !== clock.format(now)) part('clock').textContent = clock.format(now)
}

// Who has signed out is led to the page for signing in, and who has left the project finds nothing.
function troubleOf({ key, label }, response) {
  if (!key) return response?.redirected || response?.status === 404 ? 'You have no access any more.' : ''
  return response?.status === 401 ? `The key of ${label || 'the wall'} is not known here.` : ''
}

async function load(board) {
  const signal = AbortSignal.timeout(LOST_MS - EVERY_MS)
  const headers = board.key ? { 'X-Api-Key': board.key } : {}
  const response = await fetch(board.from, { headers, signal }).catch(() => null)
  board.trouble = troubleOf(board, response)
  if (!response?.ok || board.trouble !== '') return
  const text = await response.text().catch(() => null)
  if (text === null) return
  board.knownAt = Date.now()
  if (text === board.text) return
  board.text = text
  board.data = JSON.parse(text)
  return true
}

async function loadAll() {
  if (document.hidden) return
  const changed = await Promise.all(boards.map(load))
  if (changed.includes(true)) show()
  showTrouble()
}

function show() {
  showWords()
  showTiles()
  showMosaic()
}

if (boards.length > 0) {
  if (!own) part('help').hidden = true
  wall.hidden = false
  part('zone').textContent = zone
  loadAll()
  setInterval(loadAll, EVERY_MS)
  setInterval(showTrouble, 1_000)
  showTrouble()
  addEventListener('resize', show)
  document.addEventListener('visibilitychange', loadAll)
}
addEventListener('hashchange', () => location.reload())
