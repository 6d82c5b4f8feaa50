// Keeps a page up to date: rows and parts arrive as HTML, by id. See connection.js.
const FETCH_MS = 10_000
const RETRY_MS = 5_000
const waiting = new Map()
let root = document.querySelector('[data-live]')
let version = root.dataset.version
let stale = false
let retry

document.addEventListener('punctual:change', ({ detail: change }) => {
  const missed = change.version !== version && Object.keys(change.elements).length === 0
  version = change.version
  for (const [id, html] of Object.entries(change.elements)) put(id, html)
  if (change.problems !== undefined) showProblems(change.problems)
  if (change.order) showOrder(change.order)
  if (missed || change.anew) {
    stale = true
    fetchAnew()
  }
})
document.addEventListener('punctual:refetch', fetchAnew)
// The page after an action of the user; see stay.js.
document.addEventListener('punctual:page', event => {
  if (!event.detail.querySelector('[data-live]')) return
  event.preventDefault()
  apply(event.detail, true)
})
// Another script has replaced a part of the page.
document.addEventListener('punctual:swapped', () => {
  waiting.clear()
  version = root.dataset.version
})

function put(id, html, force = false) {
  const old = document.getElementById(id)
  if (!old) return
  // An element in use is not replaced until the user leaves it.
  if (!force && (old.contains(document.activeElement) || old.querySelector('details[open]'))) {
    waiting.set(id, html)
    return
  }
  waiting.delete(id)
  const template = document.createElement('template')
  template.innerHTML = html
  const fresh = template.content.firstElementChild
  for (const box of old.querySelectorAll('input[type=checkbox]:checked')) {
    const same = fresh.querySelector(`input[value="${CSS.escape(box.value)}"]`)
    if (same) same.checked = true
  }
  if (old.classList.contains('current')) fresh.classList.add('current')
  old.replaceWith(fresh)
  fresh.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
}

// Something happened before the stream began, or rows were added or removed.
async function fetchAnew() {
  clearTimeout(retry)
  const html = await fetchPage().catch(() => null)
  // Nothing else tells a stale page that it is one: the stream sends only what happens later.
  if (html === null && stale) retry = setTimeout(fetchAnew, RETRY_MS)
  if (!html) return
  const page = new DOMParser().parseFromString(html, 'text/html')
  if (!page.querySelector('[data-live]')) return
  document.dispatchEvent(new CustomEvent('punctual:fetched'))
  apply(page, false)
}

// '' if there is no such page for its reader any more; rejects if the server cannot say.
async function fetchPage() {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(FETCH_MS) })
  if (response.status >= 500) throw new Error(response.statusText)
  return response.ok && !response.redirected ? response.text() : ''
}

// `force`: also what is in use.
function apply(page, force) {
  version = page.querySelector('[data-live]').dataset.version
  const parts = [...page.querySelectorAll('[data-part]')]
  const shown = new Set([...document.querySelectorAll('[data-part]')].map(part => part.id))
  if (parts.length === shown.size && parts.every(part => shown.has(part.id))) {
    for (const part of parts) put(part.id, part.outerHTML, force)
    if (!force) showOrder(parts.map(part => part.id))
  } else if (!force && isInUse()) return
  else replaceMain(page)
  stale = false
  showProblems(Number(/^\((\d+)\)/.exec(page.title)?.[1] ?? 0))
}

function isInUse() {
  const main = document.getElementById('main')
  return (
    main.contains(document.activeElement) ||
    main.querySelector('input[name=check]:checked, table:hover') !== null
  )
}

// The message stays, so that it is announced once and its button can be pressed.
function replaceMain(page) {
  const main = document.getElementById('main')
  waiting.clear()
  page.getElementById('flash')?.remove()
  for (const child of [...main.children]) if (child.id !== 'flash') child.remove()
  main.append(...page.getElementById('main').childNodes)
  main.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
  root = document.querySelector('[data-live]')
  version = root.dataset.version
  document.dispatchEvent(new CustomEvent('punctual:replaced'))
}

function catchUp() {
  for (const [id, html] of [...waiting]) put(id, html)
  if (stale && !isInUse()) fetchAnew()
}

// See list-order.js.
function showOrder(ids) {
  document.dispatchEvent(new CustomEvent('punctual:order', { detail: ids }))
}

function showProblems(count) {
  document.dispatchEvent(new CustomEvent('punctual:problems', { detail: count }))
}

document.addEventListener('focusout', () => setTimeout(catchUp))
document.addEventListener('toggle', catchUp, true)
document.addEventListener('pointerout', () => stale && setTimeout(catchUp))
