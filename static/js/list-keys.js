// The keyboard in the list of checks: j and k move, Enter opens, x chooses, b edits the chosen ones. For the others see keys.js.
const rows = () => [...document.querySelectorAll('tr.check')]
const current = () => document.querySelector('tr.check.current')

function moveBy(step) {
  const all = rows()
  const at = all.indexOf(current())
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step]
  if (!next) return
  current()?.classList.remove('current')
  next.classList.add('current')
  next.querySelector('a.name').focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

const KEYS = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  b: () => document.querySelector('#bulk:not(.idle) [name=open]')?.click(),
  x: () => current()?.querySelector('input[name=check]')?.click(),
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input:not([type=checkbox]), textarea, select, dialog')) {
    if (event.key === 'Escape' && event.target.id === 'search') event.target.blur()
    return
  }
  const act = KEYS[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

// The mark follows the focus.
document.addEventListener('focusin', event => {
  const row = event.target.closest('tr.check')
  if (!row || row === current()) return
  current()?.classList.remove('current')
  row.classList.add('current')
})
