// The search of the whole site: Ctrl or Cmd K, a link with `data-palette`, or the event `punctual:palette` with a text opens it. The
// server finds; this asks while one types, moves the mark, and remembers which pages were used last.
const WAIT_MS = 60
const TIMEOUT_MS = 10_000
const REMEMBERED = 12
const COPIED_MS = 800
const KEY = 'punctual.recent'
const CHECK = /\/checks\/([0-9a-f-]{36})\//
const dialog = document.getElementById('palette')
const field = dialog.querySelector('[role=combobox]')
const list = document.getElementById('palette-list')
const empty = dialog.querySelector('.palette-empty')
const status = dialog.querySelector('[role=status]')
const base = dialog.dataset.options.replace(/\/search\/options\/$/, '')
let timer
let request
// Whether the list is of the text in the field; if not, Enter waits for it.
let isCurrent = false
let isChosen = false
let about = null

const options = () => [...list.querySelectorAll('[role=option]:not([hidden])')]
const marked = () => list.querySelector('[aria-selected=true]')

function recent() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

function remember(address) {
  const { pathname } = new URL(address, location.href)
  const path = pathname.slice(base.length)
  try {
    const others = recent().filter(one => one !== path)
    localStorage.setItem(KEY, JSON.stringify([path, ...others].slice(0, REMEMBERED)))
  } catch {
    // Without storage nothing is remembered.
  }
}

// The check with the mark in a list, or that of the page.
function currentCheck() {
  const row = document.querySelector('tr.check.current a.name')
  return CHECK.exec(row?.getAttribute('href') ?? location.pathname)?.[1] ?? ''
}

function open(text = '') {
  if (dialog.open) return
  about = currentCheck()
  dialog.showModal()
  type(text)
}

function type(text) {
  field.value = text
  field.focus()
  field.setAttribute('aria-expanded', 'true')
  ask(0)
}

function ask(wait) {
  isCurrent = false
  list.ariaBusy = 'true'
  clearTimeout(timer)
  timer = setTimeout(load, wait)
}

async function load() {
  request?.abort()
  const own = new AbortController()
  request = own
  const signal = AbortSignal.any([own.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const q = field.value
  const project = document.getElementById('favicon').dataset.project ?? ''
  const asked = new URLSearchParams({ q, check: about, project, recent: recent().join() })
  const response = await fetch(`${dialog.dataset.options}?${asked}`, { signal }).catch(() => null)
  const text = await response?.text().catch(() => null)
  if (own.signal.aborted || q !== field.value) return
  if (response?.redirected) location.reload()
  else show(response?.ok ? text : null)
}

function show(html) {
  isCurrent = true
  list.ariaBusy = null
  list.innerHTML = html ?? ''
  if (navigator.clipboard) for (const one of list.querySelectorAll('[data-copy][hidden]')) one.hidden = false
  const count = options().length
  empty.hidden = count > 0
  empty.textContent = html === null ? 'Not connected: the search did not work. Try again.' : 'Nothing found.'
  status.textContent = count > 0 ? `${count} ${count === 1 ? 'result' : 'results'}` : empty.textContent
  mark(options()[0])
  if (isChosen) choose(marked())
}

function mark(option) {
  marked()?.setAttribute('aria-selected', 'false')
  option?.setAttribute('aria-selected', 'true')
  option?.scrollIntoView({ block: 'nearest' })
  if (option) field.setAttribute('aria-activedescendant', option.id)
  else field.removeAttribute('aria-activedescendant')
}

function move(step) {
  const all = options()
  mark(all[(all.indexOf(marked()) + step + all.length) % all.length])
}

function choose(option, inNewTab = false) {
  isChosen = !isCurrent
  if (!isCurrent) return
  if (inNewTab && option?.href) window.open(option.href)
  else option?.click()
}

// The actions on the marked check.
function narrow() {
  const { check } = marked()?.dataset ?? {}
  if (!check) return false
  about = check
  type('')
  return true
}

const KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Enter: event => choose(marked(), event.ctrlKey || event.metaKey),
  Tab: event => (event.shiftKey ? false : narrow()),
}

field.addEventListener('input', () => ask(WAIT_MS))
field.addEventListener('keydown', event => {
  const act = KEYS[event.key]
  if (act && !event.isComposing && act(event) !== false) event.preventDefault()
})
// The field keeps the focus while the mouse is used.
list.addEventListener('mousedown', event => event.preventDefault())
list.addEventListener('mousemove', event => {
  const option = event.target.closest('[role=option]')
  if (option && option !== marked()) mark(option)
})
list.addEventListener('click', event => {
  const option = event.target.closest('[role=option]')
  if (!option) return
  if (option.href) {
    remember(option.href)
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close()
  } else if (option.dataset.copy) {
    status.textContent = 'Copied'
    setTimeout(() => dialog.close(), COPIED_MS)
  }
})
dialog.addEventListener('submit', () => dialog.close())
dialog.addEventListener('click', event => event.target === dialog && dialog.close())
dialog.addEventListener('close', () => {
  request?.abort()
  clearTimeout(timer)
  isChosen = false
  list.replaceChildren()
  empty.hidden = true
  status.textContent = ''
  field.setAttribute('aria-expanded', 'false')
  field.removeAttribute('aria-activedescendant')
})

document.addEventListener('keydown', event => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
    return
  event.preventDefault()
  if (dialog.open) dialog.close()
  else open()
})
document.addEventListener('punctual:palette', event => open(event.detail))
for (const link of document.querySelectorAll('[data-palette]')) {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  link.querySelector('kbd').textContent = isMac ? '⌘ K' : 'Ctrl K'
  link.querySelector('kbd').hidden = false
  link.addEventListener('click', event => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    open()
  })
}
// Signing out forgets what was used.
document.addEventListener('submit', event => {
  const action = event.submitter?.getAttribute('formaction') ?? event.target.getAttribute('action')
  if (action?.endsWith('/accounts/logout/')) localStorage.removeItem(KEY)
})
if (CHECK.test(location.pathname) && location.pathname.endsWith('/details/')) remember(location.href)
