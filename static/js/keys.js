// The keys of every page: / searches, ? shows the keys, s snoozes; others press the element with their `data-key`, in a list that of the
// check with the mark.
const row = () => document.querySelector('tr.check.current')
const place = () => (document.querySelector('tr.check') ? row() : document)
const press = (key, from = place()) => from?.querySelector(`[data-key="${key}"]`)?.click()
const search = text => document.dispatchEvent(new CustomEvent('punctual:palette', { detail: text }))
const isOfCheck = () => row() ?? /\/checks\/[0-9a-f-]{36}\//.test(location.pathname)

const KEYS = {
  e: () => press('e'),
  n: () => press('n', document),
  p: () => press('p'),
  s: () => isOfCheck() && search('>snooze '),
  '/': () => (document.getElementById('search') ? document.getElementById('search').focus() : search('')),
  '?': () => document.getElementById('keys').showModal(),
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input:not([type=checkbox]), textarea, select, dialog[open]')) return
  const act = KEYS[event.key]
  if (!act) return
  event.preventDefault()
  act()
})
