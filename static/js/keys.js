// The keys of every page: g and a letter go to a page, / searches, ? shows the keys, s snoozes; others press the element with their
// `data-key`, in a list that of the check with the mark. All of them can be turned off in this browser (WCAG 2.1.4).
const OFF = 'punctual.keys-off'
// How long after g a letter goes to a page.
const GO_MS = 2_000
const dialog = document.getElementById('keys')
const box = dialog.querySelector('input')
const row = () => document.querySelector('tr.check.current')
const place = () => (document.querySelector('tr.check') ? row() : document)
const press = (key, from = place()) => from?.querySelector(`[data-key="${key}"]`)?.click()
const search = text => document.dispatchEvent(new CustomEvent('punctual:palette', { detail: text }))
const isOfCheck = () => row() ?? /\/checks\/[0-9a-f-]{36}\//.test(location.pathname)
let goUntil = 0

const KEYS = {
  e: () => press('e'),
  g: () => {
    goUntil = Date.now() + GO_MS
  },
  n: () => press('n', document),
  p: () => press('p'),
  s: () => isOfCheck() && search('>snooze '),
  '/': () => (document.getElementById('search') ? document.getElementById('search').focus() : search('')),
  '?': () => showKeys(),
}

// Not with the focus on the box, where Space would turn them off.
function showKeys() {
  dialog.showModal()
  dialog.querySelector('h2').focus()
}

const isForKeys = event =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.target.closest?.('input:not([type=checkbox]), textarea, select, dialog[open]')

// Before other scripts, which have keys of their own.
addEventListener(
  'keydown',
  event => {
    if (event.key?.length !== 1 || event.key === ' ' || !isForKeys(event)) return
    const goes = Date.now() < goUntil
    goUntil = 0
    if (!goes && box.checked) return
    event.stopImmediatePropagation()
    if (!goes) return
    event.preventDefault()
    document.querySelector(`[data-go="${CSS.escape(event.key)}"]`)?.click()
  },
  true,
)

document.addEventListener('keydown', event => {
  const act = isForKeys(event) && KEYS[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

try {
  box.checked = localStorage.getItem(OFF) === null
} catch {
  // Without storage they are on.
}
box.addEventListener('change', () => {
  try {
    if (box.checked) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, '1')
  } catch {
    // Without storage the choice is for this page.
  }
})
// With the keys turned off, ? does not open them.
const opener = document.querySelector('[data-show-keys]')
opener.hidden = false
opener.addEventListener('click', showKeys)
