// Shows what a schedule means while it is typed.
const form = document.getElementById('check-form')
const pane = document.querySelector('[data-preview]')
const FIELDS = ['kind', 'period', 'cron', 'oncalendar', 'tz', 'grace']
const PAUSE_MS = 250
let timer
let asked = 0

async function show() {
  const values = new FormData(form)
  const query = new URLSearchParams(FIELDS.map(name => [name, values.get(name) ?? '']))
  const number = ++asked
  const response = await fetch(`${pane.dataset.preview}?${query}`).catch(() => null)
  if (!response?.ok || response.redirected || number !== asked) return
  pane.innerHTML = await response.text()
}

form.addEventListener('input', event => {
  if (!FIELDS.includes(event.target.name)) return
  // Typing into a field chooses the kind it belongs to.
  const kind = event.target.closest('.kind')?.querySelector('input[name=kind]')
  if (kind && event.target.type !== 'radio') kind.checked = true
  clearTimeout(timer)
  timer = setTimeout(show, PAUSE_MS)
})
