// A wall display: requests the checks of each read-only key in the address, and shows those with problems first.
const EVERY_MS = 5_000
const wall = document.getElementById('wall')
const asked = new URLSearchParams(location.hash.slice(1))
const theme = asked.get('theme')
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
asked.delete('theme')

const RANKS = ['down', 'grace', 'new', 'up', 'paused']
const rank = check => RANKS.indexOf(check.status) * 2 - (check.started ? 1 : 0)
const element = (name, className, ...children) => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

const boards = [...asked].map(([key, label]) => {
  const title = element('h2', '', label || 'Checks')
  const words = element('p', 'lead')
  const tiles = element('ul', 'tiles')
  wall.append(element('section', 'section', title, words, tiles))
  return { key, words, tiles, down: 0 }
})
if (boards.length > 0) document.getElementById('wall-help').hidden = true

function glyph(status) {
  return document.getElementById(`glyph-${status}`).content.cloneNode(true)
}

function tile(check) {
  const time = element('time')
  time.dataset.relative = ''
  if (check.last_ping) time.dateTime = check.last_ping
  const when = check.last_ping ? ['last ping ', time] : ['never pinged']
  const running = check.started ? ['running, '] : []
  const text = element('span', 'tile-text', element('strong', '', check.name || 'unnamed'))
  text.append(element('span', 'second', ...running, ...when))
  return element('li', `tile is-${check.status}`, glyph(check.status), text)
}

async function show(board) {
  const response = await fetch(wall.dataset.api, { headers: { 'X-Api-Key': board.key } }).catch(() => null)
  if (!response?.ok) {
    const known = response?.status === 401
    board.words.textContent = known
      ? 'This key is not known here.'
      : 'Not reachable at the moment; what is shown is old.'
    return
  }
  const { checks } = await response.json()
  const count = status => checks.filter(check => check.status === status).length
  board.down = count('down')
  const late = count('grace')
  board.words.textContent = `${board.down} of ${checks.length} down${late > 0 ? `, ${late} late` : ''}`
  board.words.classList.toggle('is-bad', board.down > 0)
  const sorted = checks.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
  board.tiles.replaceChildren(...sorted.map(tile))
}

async function showAll() {
  if (document.hidden) return
  await Promise.all(boards.map(show))
  const down = boards.reduce((sum, board) => sum + board.down, 0)
  document.title = document.title.replace(/^(\(\d+\) )?/, down > 0 ? `(${down}) ` : '')
  wall.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
}

showAll()
setInterval(showAll, EVERY_MS)
addEventListener('hashchange', () => location.reload())
