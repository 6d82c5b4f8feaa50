// Shows the next windows of a silence while its times are typed.
const form = document.getElementById('silence-form')
const pane = document.querySelector('[data-preview]')
const NAMES = new Set(['when', 'from', 'to', 'schedule', 'duration', 'timezone'])
const PAUSE_MS = 300
let timer
let asked = 0

async function show() {
  const query = new URLSearchParams([...new FormData(form)].filter(([name]) => NAMES.has(name)))
  const number = ++asked
  const response = await fetch(`${pane.dataset.preview}?${query}`).catch(() => null)
  if (!response?.ok || response.redirected || number !== asked) return
  pane.innerHTML = await response.text()
}

form.addEventListener('input', event => {
  if (!NAMES.has(event.target.name)) return
  clearTimeout(timer)
  timer = setTimeout(show, PAUSE_MS)
})
