// A menu closes on Escape, on a click elsewhere, and when another opens. One with a text to type has the focus there.
const open = () => document.querySelectorAll('details.menu[open]')

document.addEventListener('click', event => {
  for (const menu of open()) if (!menu.contains(event.target)) menu.open = false
})

document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  for (const menu of open()) {
    menu.open = false
    menu.querySelector('summary').focus()
  }
})

document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.matches('details.menu')) target.querySelector('.menu-form input')?.focus()
  },
  true,
)

// A row of pages that is wider than the window shows the current one.
const pages = document.querySelector('.project-nav')
const current = pages?.querySelector('[aria-current]')
if (current) pages.scrollLeft = current.offsetLeft - (pages.clientWidth - current.offsetWidth) / 2
