// A menu closes on Escape, on a click elsewhere, and when another opens.
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

// A row of pages that is wider than the window shows the current one.
const pages = document.querySelector('.project-nav')
const current = pages?.querySelector('[aria-current]')
if (current) pages.scrollLeft = current.offsetLeft - (pages.clientWidth - current.offsetWidth) / 2
