// Brings the rows of the list into the order that they have by now, and says how many moved. Never under a pointer or the focus: then the
// mark is a button.
const SHOWN_MS = 30_000
const TRY_MS = 1_000
// With the headings of groups, which move with their checks.
const rows = () => [...document.querySelectorAll('tr.check, tr.group')]
let order = null
let timer = 0

document.addEventListener('punctual:order', ({ detail }) => {
  order = detail
  settle()
})
document.addEventListener('punctual:replaced', () => {
  order = null
})
document.addEventListener('click', event => {
  if (event.target.closest('#moved button')) arrange()
})
setInterval(settle, TRY_MS)

function settle() {
  if (!order) return
  const count = moved()
  if (count === 0) {
    order = null
    mark('')
  } else if (isInUse()) {
    const words = `${checks(count)} moved: show`
    if (document.getElementById('moved').textContent !== words) {
      mark(Object.assign(document.createElement('button'), { type: 'button', textContent: words }))
    }
  } else arrange()
}

function arrange() {
  if (!order) return
  const count = moved()
  const known = new Map(rows().map(row => [row.id, row]))
  const list = known.values().next().value?.parentElement
  list?.append(...order.flatMap(id => known.get(id) ?? []))
  order = null
  mark(count > 0 ? `${checks(count)} moved` : '')
  clearTimeout(timer)
  timer = setTimeout(() => order || mark(''), SHOWN_MS)
}

function isInUse() {
  const table = rows()[0]?.closest('table')
  return (
    table &&
    (table.matches(':hover') ||
      table.contains(document.activeElement) ||
      table.querySelector('details[open]'))
  )
}

// All but the longest sequence of rows that are in the right order already.
function moved() {
  const places = rows().flatMap(row => {
    const place = row.matches('.group') ? -1 : order.indexOf(row.id)
    return place === -1 ? [] : [place]
  })
  const lengths = places.map(() => 1)
  for (let i = 0; i < places.length; i++) {
    for (let j = 0; j < i; j++) {
      if (places[j] < places[i]) lengths[i] = Math.max(lengths[i], lengths[j] + 1)
    }
  }
  return places.length - Math.max(0, ...lengths)
}

function checks(count) {
  return `${count} ${count === 1 ? 'check' : 'checks'}`
}

function mark(content) {
  const place = document.getElementById('moved')
  const had = place?.contains(document.activeElement)
  place?.replaceChildren(content)
  if (had) document.querySelector('tr.check a.name')?.focus({ preventScroll: true })
}
