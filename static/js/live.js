// Keeps a page up to date: rows and parts arrive as HTML, by id. See connection.js.
const FETCH_MS = 10_000
const waiting = new Map()
let root = document.querySelector('[data-live]')
let version = root.dataset.version
let stale = false

document.addEventListener('punctual:change', ({ detail: change }) => {
  const missed = change.version !== version && Object.keys(change.elements).length === 0
  version = change.version
  for (const [id, html] of Object.entries(change.elements)) put(id, html)
  if (change.problems !== undefined) showProblems(change.problems)
  if (missed || change.anew) {
    stale = true
    fetchAnew()
  }
})
document.addEventListener('punctual:refetch', fetchAnew)

function put(id, html) {
  const old = document.getElementById(id)
  if (!old) return
  // An element in use is not replaced until the user leaves it.
  if (old.contains(document.activeElement) || old.querySelector('details[open]')) {
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
  const signal = AbortSignal.timeout(FETCH_MS)
  const response = await fetch(location.href, { signal }).catch(() => null)
  if (!response?.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = page.querySelector('[data-live]')
  if (!fresh) return
  version = fresh.dataset.version
  document.dispatchEvent(new CustomEvent('punctual:fetched'))
  const parts = [...page.querySelectorAll('[data-part]')]
  const shown = new Set([...document.querySelectorAll('[data-part]')].map(part => part.id))
  if (parts.length === shown.size && parts.every(part => shown.has(part.id))) {
    for (const part of parts) put(part.id, part.outerHTML)
  } else if (isInUse()) return
  else replaceMain(page)
  stale = false
  showProblems(Number(/^\((\d+)\)/.exec(page.title)?.[1] ?? 0))
}

function isInUse() {
  const main = document.getElementById('main')
  return main.contains(document.activeElement) || main.querySelector('input[name=check]:checked') !== null
}

function replaceMain(page) {
  const main = document.getElementById('main')
  waiting.clear()
  main.replaceChildren(...page.getElementById('main').childNodes)
  main.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
  root = document.querySelector('[data-live]')
  version = root.dataset.version
  document.dispatchEvent(new CustomEvent('punctual:replaced'))
}

function catchUp() {
  for (const [id, html] of [...waiting]) put(id, html)
  if (stale) fetchAnew()
}

function showProblems(count) {
  document.dispatchEvent(new CustomEvent('punctual:problems', { detail: count }))
}

document.addEventListener('focusout', () => setTimeout(catchUp))
document.addEventListener('toggle', catchUp, true)
