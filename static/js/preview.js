// Shows the meaning of what is typed in a part of a form, beside it, while it is typed.
const pane = document.querySelector('[data-preview]')
const part = pane.closest('.form-part')
const form = pane.closest('form')
const PAUSE_MS = 300
let timer
let asked = 0

async function show() {
  const names = new Set([...part.querySelectorAll('[name]')].map(({ name }) => name))
  const query = new URLSearchParams([...new FormData(form)].filter(([name]) => names.has(name)))
  const number = ++asked
  const response = await fetch(`${pane.dataset.preview}?${query}`).catch(() => null)
  if (!response?.ok || response.redirected || number !== asked) return
  pane.innerHTML = await response.text()
}

part.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(show, PAUSE_MS)
})
