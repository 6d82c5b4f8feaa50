// Keeps a page as it would be if it were loaded now: rows and parts arrive as HTML, each by its id.
const root = document.querySelector('[data-live]')
const waiting = new Map()
let version = root.dataset.version
let source

function connect() {
  if (source || document.hidden) return
  source = new EventSource(root.dataset.live)
  source.addEventListener('change', async event => {
    const change = JSON.parse(event.data)
    const isNews = Object.keys(change.elements).length > 0
    if (change.version !== version && !isNews) await fetchAnew()
    version = change.version
    for (const [id, html] of Object.entries(change.elements)) put(id, html)
    if (change.problems !== undefined) showProblems(change.problems)
  })
}

// A browser has few connections for one site: tabs that nobody sees give theirs back.
function disconnect() {
  source?.close()
  source = undefined
}

function put(id, html) {
  const old = document.getElementById(id)
  if (!old) return
  // What somebody is using stays until they have left it.
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

function putWaiting() {
  for (const [id, html] of [...waiting]) put(id, html)
}

// Something happened before the stream began, or rows came and went.
async function fetchAnew() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const parts = [...page.querySelectorAll('[data-part]')]
  const main = document.getElementById('main')
  const ids = [...document.querySelectorAll('[data-part]')].map(part => part.id)
  const sameParts = parts.length === ids.length && parts.every(part => ids.includes(part.id))
  if (!sameParts && !main.contains(document.activeElement)) {
    main.replaceChildren(...page.getElementById('main').childNodes)
    main.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
  } else {
    for (const part of parts) put(part.id, part.outerHTML)
  }
  showProblems(Number(/^\((\d+)\)/.exec(page.title)?.[1] ?? 0))
}

function showProblems(count) {
  const title = document.title.replace(/^\(\d+\) /, '')
  document.title = count > 0 ? `(${count}) ${title}` : title
  const icon = document.getElementById('favicon')
  const href = count > 0 ? icon.dataset.down : icon.dataset.up
  if (icon.getAttribute('href') !== href) icon.setAttribute('href', href)
}

document.addEventListener('focusout', () => setTimeout(putWaiting))
document.addEventListener('toggle', putWaiting, true)
document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()))
addEventListener('pagehide', disconnect)
addEventListener('pageshow', connect)
connect()
